"""Tries programs, plays a tournament to its end or until a signal, and reports its progress.

trying         programs play a short check before the first game, in their sandbox
driver         by the pool, in the arena, or on a cluster
run_observers  the progress for people at a terminal, and for spectators; the standings so far
forecast       how many games a plan has, and how long they take; both in a terminal
"""
