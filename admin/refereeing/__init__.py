"""The heart of the program: everything that one refereed game needs.

    play   one game, without sockets, clocks or files: questions, judgements, events
    log    logs: written, read, verified
    table  seats, clocks and sockets around a game
    view   games in words, frames and tables of text
    diagnosis
           the probable mistake behind a fault or an illegal move: only words, judged by nothing

It stands on :mod:`acquire.game` and :mod:`acquire.protocol` alone, and on lxml, trio and rich.
"""
