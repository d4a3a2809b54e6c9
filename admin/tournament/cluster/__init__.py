"""All games by the workers of a Dask cluster; this process keeps the results.

cluster             plays a tournament
cluster_connection  ... the connection to the cluster
cluster_admission   ... its workers: who has joined, who may play, who was lost
cluster_orders      ... what is sent to a worker and back
cluster_worker      ... what runs on a worker
shipment            the players' folders, as they are sent
"""
