"""Advice to the author of a player: nothing is judged by it.

rulebooks   the rulebooks compared
explaining  why a player was ejected: the rule, the legal answers, one of them
"""
