"""Tournaments between programs: one file in, results that hold up.

    planning   the tournament file; who meets whom, in which seats, in which order
    playing    playing games: a process pool for built-in players, an arena for connections
    qualifying trying programs before the first game
    results    game results: the store, statistics, tables
    reporting  the report: pages and tables in a folder
    dueling    a duel: a tournament that ends when it is decided who is better
    auditing   the audit: whether the results follow from the logs

``playing`` knows the other two, ``planning`` knows results (a Swiss is paired by them), ``results``
knows neither. Programs are started by :mod:`acquire.admin.launching`, which knows no tournament.
"""
