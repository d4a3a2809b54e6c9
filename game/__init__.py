"""The rules of Acquire, pure: values in, values out.

This package knows no XML, socket, clock or random source, and imports the standard library only.
What it needs from outside (the order of the bag) comes in as a value.

    tiles      the 12 x 9 grid as bits of one integer
    tuples     tuples made from tuples
    rulebook   a rulebook as data: constants, tables, closed choices
    rulebooks  the five rulebooks
    board      tiles and hotels on the grid; what cannot be placed
    state      players, bank, bag: one immutable position; the deal
    placement  placing a tile: verify, legal, apply; founding, growing
    merger     who survives, in which order, and the bonuses
    disposal   the acquired hotels' certificates: keep or return; hold, sell, trade
    market     the stock market as third holder, where two play
    purchase   ordering certificates: verify, legal, apply
    drawing    drawing tiles, setting aside and replacing those that are dead
    turn       passing the turn, ejection, the endings, the pay-out
"""
