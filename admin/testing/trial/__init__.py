"""A trial: one player plays chosen positions at the real table.

    script          what is played: segments of a game, who sits at the table, the opponents
    game_history    a recorded game turn by turn, as a script with its players' answers
    wire            carries bytes between referee and player, splits and rewrites messages, records
    trial           plays a script over one connection
    exit_report     how a launched player ended
    player_source   where a player's connection comes from; one that connects by itself
    launch_source   ... a program launched for each trial

To the player a trial looks like a game: sign-up, table, clocks and judgement are the real ones.
``check``, ``rerun``, ``shrink`` and ``replay --from`` are built on it.
"""
