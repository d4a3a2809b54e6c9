"""Players: the built-in strategies, the program that seats them, and the misbehaving cast.

    strategies   how the built-in players choose
    misbehaving  players that each break the protocol or a rule once, on purpose
    program      ``acquire play``: the client, all players by name, the command
    starters     programs to start from, in Python, JavaScript and Java; no package

``program`` imports the other two and ``misbehaving`` imports ``strategies``, never the other way
round. Nothing here imports :mod:`acquire.admin`: a player knows of it only what the protocol says.
"""
