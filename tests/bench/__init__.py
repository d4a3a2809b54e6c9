"""Measurements of the goals of speed, as ratios of CPU time: ``python -m bench``.

Each ratio compares two things on the same core in turn, A B A B .., and is the ratio of their
medians, so that a machine that is slow today is slow for both.
"""
