"""Tournaments between programs: one file in, results that hold up. The extra ``tournament``.

    games      one game: its result, verdicts and points, who played it
    store      all games, in one signed file
    standings  the tables of a tournament, from its games
    planning   the tournament file; who meets whom, in which seats, in which order
    run        which games are left to play, and games of built-in players
    arena      games of players that connect, many at once
    cluster    the same on a Dask cluster: the extra ``cluster``
    driving    tries its programs, plays it to its end, and reports its progress
    reporting  the report: pages and tables in a folder
    dueling    a duel: a tournament that ends when it is decided who is better
    auditing   the audit: whether the results follow from the logs; which programs are alike

Programs are started by :mod:`acquire.admin.launching`, which knows no tournament.
"""
