"""``acquire rerun`` and ``acquire shrink``: ``rerunning`` plays a recorded game again.

Every turn begins with the recorded position, and the opponents give their recorded answers.
"""
