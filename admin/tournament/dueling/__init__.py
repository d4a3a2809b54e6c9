"""A duel: whether one program is better than others, in as few games as that takes.

A duel is a tournament in a folder, played until its question is decided.

contestants    what the command line names: built-in players, classes, commands
duel_plan      the tournament file: who sits how often at which tables
duel_evidence  what is compared, the interval after every block, the verdict, what was lost
duel_report    the sentences, the picture and the tables, and the same for programs
"""
