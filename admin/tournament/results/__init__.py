"""What became of the games.

verdict    what can become of a player in a game
result     one game, kept
scoring    what a game is worth
store      all games, in one file
tally, bootstrap, grouping, rating, breakdown
           the parts of the statistics
statistics what the games come to: a summary
summary    its values; summary_fields are the same for JSON
standings  drawn for the terminal
tables     as CSV
plots, report
           as a page
publish    all of it, as files
"""
