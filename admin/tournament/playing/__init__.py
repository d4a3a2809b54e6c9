"""Games under way, wherever they are played.

    tournament   what is left to play, and what is done with what is over
    account    one game's log and result, from its events
    house      a game among house players: a pure function
    playing_out
               a tournament to its end, by the one or the other:
    pool       such games by an executor: this process, a process pool, a cluster
    arena      matches between players that connect, many at once
    lobby      where players connect, prove who they are, and wait
    observer    who is told; live is for people, and for programs
    estimate   how many games, and how long

Only ``arena``, ``lobby`` and ``pool`` know sockets, processes and time. The programs of players are
started by :mod:`admin.launching`.
"""
