"""What a game or a decision was worth: numbers from many games.

statistics  intervals, groups, ratings: plain numbers
whatif      recorded games played on, from a turn
analysis    what every decision of a recorded game was worth
"""
