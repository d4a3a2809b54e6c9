"""Trying the programs of a tournament before it begins.

short_check    the cases that every program has to pass
trying         all programs play them, in their sandbox
"""
