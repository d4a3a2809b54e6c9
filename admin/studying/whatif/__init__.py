"""``acquire replay LOG --from TURN``: plays a recorded game on from a turn, many times.

    single_game  who takes a seat, and one game among players in this process
    game_runner  all games, those with programs included
    report       the statistics of all variants, beside the real result; for a terminal, too

A game has the same deal for every variant of a seat, so that luck does not decide a comparison.
"""
