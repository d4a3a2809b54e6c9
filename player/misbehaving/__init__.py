"""The misbehaving cast: players that break the protocol or a rule exactly once, on purpose.

    wire_faults    what a player does to its connection, and ways to break a correct answer
    illegal_moves  the moves that break a rule of the game
    cast           the players, each named after the step at which it misbehaves and how

Only :mod:`acquire.player.program.registry` and the command know of it; strategies and client do
not.
"""


class NotInCast(LookupError):
    """No misbehaving player of this name has anything to break under this rulebook."""
