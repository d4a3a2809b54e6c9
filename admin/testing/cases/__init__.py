"""The cases: a file for each section, and what all may name in ``shared.toml``.

case_file  reads a file of cases
catalogue  all cases under a rulebook, also one of your own, numbered; and cases from game logs
"""
