"""The audit of a tournament: what its results follow from, checked again from the start.

findings         what an audit reads row by row, and what it has found, check by check
report_folder    a report's folder, which may contain anything
game_checks      the result of each game from its log; which games there have to be; their bags
audit            the whole audit
similar_programs what two programs share: parts of their sources, and answers
"""
