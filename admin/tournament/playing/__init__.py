"""Playing the games of a tournament.

tournament_run     which games are left, and what happens to finished ones
stored_plan        ... whether it is still the plan that the store belongs to, and who plays now
plan_watch         ... whether the file has changed meanwhile
game_settings      what all games have in common, as plain values
game_recorder      one game's log and result, from its events
built_in           a game of built-in players: a pure function
missed_sign_ups    which programs are not started any more
driver             plays a tournament to its end, or until a signal, by one of:
pool                 games of built-in players, by an executor
executors            ... in this process, in a process pool
cluster              all games, by the workers of a Dask cluster
cluster_connection   ... the connection to it
cluster_orders       ... what is sent to a worker and back
shipment             ... the players' folders, as they are sent
cluster_worker       ... what runs on a worker
arena                games of players that connect, many at once
connected_game       ... one of them
player_files       the files that a launched player sees
prepared_players   the launched players, copied and built
door               where one launched player connects
remote_players     the remote players, present or absent
waiting_room       where remote players connect and wait for their games
reception          ... how players sign up, at doors and in the waiting room
reservation        ... a place for one player
tls                ... TLS connections
observer           what is reported about a tournament, and to whom:
terminal, json_lines, game_publisher
                     people at a terminal, programs, spectators
running_standings  the standings so far, for those
forecast           how many games a plan has, and how long they take
program_costs      ... and what programs cost
plan_text          ... in a terminal

Only ``executors`` to ``tls``, and ``driver``, deal with sockets, processes or signals.
"""
