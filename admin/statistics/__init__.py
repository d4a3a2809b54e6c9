"""Statistics of games, as plain numbers: intervals, groups, ratings, plots.

estimate   a mean with its interval
bootstrap  intervals from resampled blocks
grouping   which players can be told apart
rating     Plackett-Luce ratings
plots      estimates as SVG
"""
