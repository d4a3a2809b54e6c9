"""The choices: players of the house, the client that seats them, and the misbehaving cast.

    strategy    what every player does with each message; a position to think about
    guessing    that position, where some of it is hidden
    strategies  random, ordered, largest-alpha, smallest-anti
    investor    the one that plays to win
    client      a player process: one connection, one match
    misdeeds    what a misbehaving player does to its connection
    fouls       what a foul is; placement_fouls, order_fouls and merger_fouls list them
    cast        the misbehaving players, each named for the step and the way in which it breaks
    misbehaving one of them at play
    registry    all of them by name
    play_command
                ``acquire play``

Nothing here imports :mod:`admin`: what a player knows of it is what the protocol says.
"""
