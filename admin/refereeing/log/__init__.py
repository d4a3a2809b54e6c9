"""Game logs: written as the game goes, read, and played again.

recorder  one record per event
writer    the files, and the folder that they are in
reader    a file, validated, as records
verifier  the referee run on the recorded answers, every record compared; what an ejection rests on
"""
