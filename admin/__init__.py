"""The administrator: the referee, the table, the logs, and every command that uses them.

Each package lists its modules in its docstring. From the bottom up:

    match        one match, without sockets, clocks or files
    log          match logs: written, read, verified
    table        seats, clocks and sockets around a match
    view         matches for people: terminal, SVG, the replay page
    rulebooks    the rulebooks compared
    statistics   intervals, groups, ratings, plots
    launching    programs started within limits
    trial        one player at a real table, before laid-out positions
    explaining   why a player was ejected
    web          live pages, from a process of their own
    check        trials as cases, with verdicts and reports
    rerun        recorded matches put to a player again
    whatif       recorded matches played on, from a turn
    tournament   many matches between many programs
    cli          the commands

``tests/test_architecture.py`` holds the arrows between them. Nothing here imports :mod:`acquire.player`:
strategies come in as arguments.
"""
