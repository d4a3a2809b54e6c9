"""The audit of a tournament: what its results follow from, checked again from the start.

recompute        the result of a game from its log, compared with the claimed one
findings         what an audit has found, check by check
audit_sources    what is audited, row by row: a store, or the folder of a report
report_folder    a report's folder, which may contain anything
schedule_audit   which games there have to be, and their bags
figures          the pages and tables of a report, compared
audit            the whole audit
"""
