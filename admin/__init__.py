"""The referee's program, in halls; each package lists its modules in its docstring.

From the bottom up:

    refereeing   a game judged: the judgement, the table with its sockets and clocks, the log, and
                 the game in words
    launching    programs started within limits
    advising     the probable mistake behind a fault, the rule, a legal answer
    testing      one player tried on chosen positions
    pages        games for people in a browser
    studying     what a game or a decision was worth
    tournament   many games between many programs
    cli          the commands

``tests/test_architecture.py`` holds the arrows between them. Nothing here imports
:mod:`acquire.player`: strategies come in as arguments.
"""
