"""Positions and games as people read them: in words, as frames, at a terminal.

board_text    a position for the terminal
outcome_text  ejections, standings and the ending, for the terminal
verdict_text  whether a log is verified
sentences     events in words
frames        a game as a list of changes that a page can show
redaction     frames without what spectators may not see
palette       the colors of hotels and pages
tabletop      frames put together again
decisive_turn the turn after which nobody caught up with the winner
turn_text, pager
              one turn for the terminal, and stepping through all of them
fitted_table  a table that leaves out columns where the terminal is too narrow
json_printer  JSON lines on standard output
plain_text    names that cannot steer a terminal, plurals
"""
