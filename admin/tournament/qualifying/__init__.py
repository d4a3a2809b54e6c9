"""Trying the programs of a tournament before it begins.

trying         programs play a short check, in their sandbox
"""
