"""Game logs: written as the game goes, read, and played again.

writer    one record per event
reader    a file, validated, as records
replay    the referee run on the recorded answers, record by record
verifier  a replay, with every record compared
"""
