"""A trial: one player plays chosen positions at the real table.

    game_history    a recorded game turn by turn, as a script with its players' answers
    wire            carries bytes between referee and player, splits and rewrites messages, records
    trial           a script of positions and opponents, played over one connection
    player_source   where a player's connection comes from, and how a launched player ended
    launch_source   ... a program launched for each trial
    rerunning       plays recorded turns against a player, as ``rerun`` and ``shrink`` do

To the player a trial looks like a game: sign-up, table, clocks and judgement are the real ones.
``check``, ``rerun``, ``shrink`` and ``replay --from`` are built on it.
"""
