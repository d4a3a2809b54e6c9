"""Statistics of games between players: intervals, groups, ratings, plots.

estimate     a mean with its interval
block_means  means and their standard errors, from blocks of games
student      Student's distribution
intervals    intervals of means
betting      intervals that hold at all times at once
grouping     which players differ significantly, and letters for it
rating       Plackett-Luce ratings
plots        estimates as SVG
"""
