"""The audit of a tournament: what its results follow from, checked again from the start.

recompute        the result of a game from its log, compared with the claimed one
findings         what an audit reads row by row, and what it has found, check by check
report_folder    a report's folder, which may contain anything
schedule_audit   which games there have to be, and their bags
audit            the whole audit
"""
