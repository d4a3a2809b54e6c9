"""Advice to the author of a player or an administrator: nothing is judged by it.

rulebooks   the rulebooks compared
explaining  why a player was ejected: the rule, the legal answers, one of them
coverage    which rows of the comparison some games have exercised
"""
