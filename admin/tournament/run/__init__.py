"""A run of a tournament: which games are left to play, and games that need no connection.

tournament_run     which games are left, and what happens to finished ones
stored_plan        ... whether it is still the plan that the store belongs to, and who plays now
run_events         what is reported about a tournament while it is played
tournament_files   whether the files have changed meanwhile; a copy of them and the store
game_recorder      one game's log and result, from its events
built_in           a game of built-in players: a pure function
executors          many of those: in this process, in a process pool; other calls in one, in order
"""
