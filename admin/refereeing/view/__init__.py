"""Positions and games as people read them: in words, as frames, at a terminal.

board_text          a position for the terminal
outcome_text        ejections, standings and the ending, for the terminal; what a log proves
sentences           events in words
frames              a game as a list of changes that a page can show, what is hidden of them, and
                    the table put together again
heard_events        a game's events, worked out from one player's messages
heard_turn          the same for one turn: tiles placed; certificates kept, sold or traded
palette             the colors of hotels and pages
decisive_turn       the turn after which nobody caught up with the winner
turn_text           one turn for the terminal, and stepping through all of them
fitted_table        a table that leaves out columns where the terminal is too narrow
plain_text          names that cannot steer a terminal, plurals, lists, amounts, JSON lines
"""
