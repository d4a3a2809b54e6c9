"""The rules of Acquire, pure: values in, values out.

This package knows no XML, socket, clock or random source, and imports the standard library only.
What it needs from outside (the order of the bag) is passed in as a value.

    tiles      the 12 x 9 grid as bits of one integer
    records    the base of values with named fields; tuples made from tuples
    rulebook   a rulebook as data: constants, tables, closed choices
    rulebooks  the five rulebooks
    board      tiles and hotels on the grid; the cells where no tile can be placed
    state      players, bank, bag: one immutable position; the deal
    placement  placing a tile: verify, legal, apply; founding, growing
    merger     who survives, the order of the acquired hotels, the bonuses
    disposal   the acquired hotels' certificates: keep or return; hold, sell, trade
    market     the stock market as third holder in a game of two
    purchase   ordering certificates: verify, legal, apply
    drawing    drawing tiles, setting aside and replacing dead ones
    turn       passing the turn, ejection, the endings, the pay-out; net worth
    sentenced  the base of closed lists: a code and a sentence for each member
    violation  the rules that an action can break
    notation   positions as text, for examples and tests

A player's actions come in threes: ``verify_x`` returns ``None``, or an ``Illegal`` that says which
rule is broken; ``legal_x`` lists all actions that are legal; a verb (``place``, ``buy``) applies a
legal one. An illegal move is a value. An exception is a bug of the caller:

    ValueError          impossible arguments: players, bags, tiles, positions
    └── BrokenRule      an action was applied that its ``verify_`` function refuses
"""
