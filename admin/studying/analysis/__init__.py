"""``acquire replay LOG --analyse``: what each decision of a recorded game was worth.

    decision_log   the decisions of a recorded game, each with its legal options
    playing        games played on by analysts: from a decision, or for the chances of a turn
    valuing        the options of a decision compared over many games
    words          what options do, turning points, and what decided a match, in words
    analysis       all of it for one game, in as many processes as there are
    analysis_report  the analysis for the page, for another program, and for a terminal

All options of a decision meet the same deals, in which everything is dealt again that the player
could not know. So the moves are compared, and not the luck.
"""
