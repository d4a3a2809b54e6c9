"""Tournaments between programs: one file in, results that nobody can dispute out.

    planning   the tournament file; who meets whom, in which seats, in which order
    playing    games under way: a pool of processes for house players, an arena for connections
    results    what became of the games: the store, statistics, tables, the report
    tournament_command
               ``acquire tournament``

``playing`` knows the other two, ``planning`` knows results (a Swiss is paired by them), ``results``
knows neither. Programs are started by :mod:`admin.launching`, which knows no tournament.
"""
