"""The cases, a module for each section.

catalogue   all cases under a rulebook, numbered
saved_case  a case from a game log
"""
