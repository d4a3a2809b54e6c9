"""Plays a tournament to its end or until a signal, and reports its progress.

driver         by the pool, in the arena, or on a cluster
terminal       the progress for people at a terminal; the standings so far
game_publisher ... for spectators
forecast       how many games a plan has, and how long they take; both in a terminal
"""
