"""Game logs: written as the game goes, read, and played again.

recorder  one record per event
writer    the files, and the folder that they are in
reader    a file, validated, as records
replay    the referee run on the recorded answers, record by record; what an ejection rests on
verifier  a replay, with every record compared
"""
