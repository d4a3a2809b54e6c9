"""All games by the workers of a Dask cluster; this process keeps the results.

cluster             plays a tournament; the folders of players, to be sent
cluster_connection  ... the connection, and the workers: who has joined, may play, was lost, differs
cluster_worker      ... what runs on a worker, and what is sent to it and back
"""
