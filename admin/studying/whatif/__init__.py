"""``acquire replay LOG --from TURN``: plays a recorded game on from a turn, many times.

    variant      who takes a seat: a built-in player, the recorded move, a program
    single_game  one game among players in this process, perhaps after the recorded move
    game_runner  all games, those with programs included
    report       the statistics of all variants, beside the real result; also for a program
    report_text  the report for a terminal

A game has the same deal for every variant of a seat, so that luck does not decide a comparison.
"""
