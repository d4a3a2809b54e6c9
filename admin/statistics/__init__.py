"""Statistics of games between players: intervals, groups, ratings, plots.

estimate   a mean with its interval
bootstrap  intervals from resampled blocks
grouping   which players differ significantly, and letters for it
rating     Plackett-Luce ratings
plots      estimates as SVG
"""
