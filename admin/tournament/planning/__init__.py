"""What a tournament plays: a file, checked, and the schedule that follows from it.

setting_values the values in a tournament file, each a type with its checks
sections       the sections of the file, each checked on its own; the words for mistakes
plan           the sections together, with what was found beside the file
plan_file      reads a file: a plan, or the mistakes in it; warnings
submissions    the folders that were handed in, and the version of every program
roster         the students of a course
facts          what is stored, reported and audited of all this
qualified_file which versions of programs were tried, and with what result
schedule       the games, and their order; the orders in which the players of a table sit
pairing        who meets whom in a round of a ladder or of a Swiss tournament
game_seeds     the seed of every game, from a series of secret bags; whether it was the right one
"""
