"""The misbehaving cast: players that break the protocol or a rule exactly once, on purpose.

    wire_faults         what a player does to its connection instead of answering
    broken_answers      the ways to make such a fault of any correct answer
    illegal_move        what an illegal move is, and what is known when one is looked for
    illegal_placements, illegal_orders, illegal_disposals
                        the illegal moves, as data
    cast                the players, each named after the step at which it misbehaves and how
    misbehaving_player  one of them at play

Only :mod:`acquire.player.program.registry` and the command know of it; strategies and client do
not.
"""


class NotInCast(LookupError):
    """No misbehaving player of this name has anything to break under this rulebook."""
