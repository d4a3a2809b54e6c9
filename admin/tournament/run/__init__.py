"""A run of a tournament: which games are left to play, and games that need no connection.

tournament_run     which games are left, and what happens to finished ones
stored_plan        ... whether it is still the plan that the store belongs to, and who plays now
plan_watch         ... whether the file has changed meanwhile
game_recorder      one game's log and result, from its events
run_events         what is reported about a tournament while it is played
built_in           a game of built-in players: a pure function
pool               games of built-in players, by an executor
executors          ... in this process, in a process pool; other calls in one, in order
"""
