"""Statistics of games between players: intervals, groups, ratings, plots.

intervals  of means, from blocks of games; and intervals that hold at all times at once
grouping   which players differ significantly, and letters for it
rating     Plackett-Luce ratings
plots      estimates as SVG
"""
