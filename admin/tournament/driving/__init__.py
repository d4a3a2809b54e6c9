"""Plays a tournament to its end or until a signal, and reports its progress.

driver             by the pool, in the arena, or on a cluster
terminal, event_fields, game_publisher
                   the progress for people at a terminal, for programs, for spectators
running_standings  the standings so far, for those
forecast           how many games a plan has, and how long they take
plan_text          ... in a terminal
"""
