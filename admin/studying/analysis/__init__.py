"""``acquire replay LOG --analyse``: what each decision of a recorded game was worth.

    decision_log   the decisions of a recorded game, each with its legal options
    playing        one game from a decision to the end, with one of its options, by analysts
    valuing        the options of a decision compared over many games
    chances        how likely each player is to win, turn by turn, and the turning points
    words          what options do, and turning points, in words
    analysis       all of it for one game, in as many processes as there are
    decided        what decided a match for one player, in three sentences
    analysis_report  the analysis for the page, for another program, and for a terminal

All options of a decision meet the same deals, in which everything is dealt again that the player
could not know. So the moves are compared, and not the luck.
"""
