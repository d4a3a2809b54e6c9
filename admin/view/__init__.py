"""Positions and matches as people see them: in the terminal, as SVG, as a page.

board_text    a position for the terminal
board_svg     a position as a picture
outcome_text  ejections, standings and the ending, for the terminal
sentences     events in words
frames        a match as a list of changes that a page can show
redaction     frames without what spectators may not see
replay_page   the page of one match, and its scripts and style sheet
html_page     what all pages share: page.css, text.js, the content security policy
palette       the colors of hotels and pages
tabletop      frames put together again
turn_text, pager
              one turn for the terminal, and stepping through all of them
fitted_table  a table that leaves out columns where the terminal is too narrow
plain_text    names that cannot steer a terminal, plurals
"""
