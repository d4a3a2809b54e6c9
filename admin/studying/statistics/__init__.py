"""Statistics of games between players: intervals, groups, ratings.

intervals  of means, from blocks of games; intervals that hold at all times at once; which players
           differ significantly
rating     of players, from their places in many games
"""
