"""The rules of Acquire, pure: values in, values out.

This package knows no XML, socket, clock or random source, and imports the standard library only.
What it needs from outside (the order of the bag) comes in as a value.

    tiles      the 12 x 9 grid as bits of one integer
    rulebook   a rulebook as data, and ``revised``
    board      tiles and hotels on the grid; what cannot be placed
    state      players, bank, bag: one immutable position
    placement  placing a tile: verify, legal, apply; founding, growing
    merger     bonuses, and what becomes of the acquired hotels' certificates
    purchase   ordering certificates: verify, legal, apply
    turn       drawing, passing the turn, ejection, the endings, the pay-out
"""
