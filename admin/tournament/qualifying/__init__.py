"""Trying the programs of a tournament before it begins.

trying         all programs play a short check, in their sandbox
"""
