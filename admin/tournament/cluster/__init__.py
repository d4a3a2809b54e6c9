"""All games by the workers of a Dask cluster; this process keeps the results.

cluster             plays a tournament
cluster_connection  ... the connection, and the workers: who has joined, may play, was lost, differs
shipment            ... what is sent to a worker and back: folders, orders, answers
cluster_worker      ... what runs on a worker
"""
