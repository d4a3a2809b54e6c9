"""``acquire rerun`` and ``acquire shrink``: a recorded conversation driven into a player again.

    rerunning   a recorded match played once more with one player, and where its answers differ
    shrinking   the fewest of its turns that still break the player
    drawing     both for a terminal

History is forced: every turn begins with the recorded position, and the others say what they said.
"""
