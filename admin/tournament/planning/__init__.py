"""What a tournament plays: a file, checked, and the schedule that follows from it.

plan           the sections of a tournament file, each checked on its own
plan_fields    the values in them
plan_file      reads a file: a plan, or all mistakes in it
plan_checks    the checks that involve several sections
submissions    the folders that were handed in, and the version of every program
roster         the students of a course
facts          what is stored, reported and audited of all this
plan_warnings  what is allowed, and is perhaps not intended
qualified_file which versions of programs were tried, and with what result
mistakes       mistakes, with their places and sentences
schedule       the games, and their order
game_seeds     the seed of every game, and whether it was the right one
seatings       the orders in which the players of a table sit
swiss          the pairing of a Swiss round
ladder         the pairing of a ladder's round
"""
