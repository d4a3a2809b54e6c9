"""Statistics of games between players: intervals, groups, ratings, plots.

intervals  means, their standard errors and intervals, from blocks of games
betting    intervals that hold at all times at once
grouping   which players differ significantly, and letters for it
rating     Plackett-Luce ratings
plots      estimates as SVG
"""
