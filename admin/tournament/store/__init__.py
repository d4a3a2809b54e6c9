"""All games of a tournament, in one file that nobody can change unnoticed.

store         the file, as a run writes it
store_reader  ... and as everybody reads it: its tables, and what is in them
row_chain     every row is bound to all rows before it, and the last one is signed
secret_file   the secret of a tournament, in another file
"""
