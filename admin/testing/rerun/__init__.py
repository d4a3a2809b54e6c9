"""``acquire rerun`` and ``acquire shrink``: play a recorded game against a player again.

    rerunning   plays recorded turns against one player, and compares its answers
    shrinking   finds the fewest turns in which the player still fails
    rerun_text  the comparison for a terminal

Every turn begins with the recorded position, and the opponents give their recorded answers.
"""
