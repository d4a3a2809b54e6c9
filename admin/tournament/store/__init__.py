"""All games of a tournament, in one file that nobody can change unnoticed.

store, store_format
               written by one run
store_reader   ... and read
stored_rows    what its rows contain
row_chain      every row is bound to all rows before it
rows_file      the rows in a report, for an audit without the store
series         which games have which secret, and what was revealed
secret_file    the secret of a tournament, in another file
signing        signatures by the tournament's own key
manifest       what every file of a report has to be
"""
