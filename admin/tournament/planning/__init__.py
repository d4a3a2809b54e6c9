"""What is to be played: a file, checked, and the schedule that follows from it.

plan       the parts of a tournament file, each checked by itself
plan_file  a file as it is read, or everything that is wrong with it
seatings   in which orders the players of a table sit
schedule   which games there are, and in which order
swiss      who meets in a round of a Swiss
"""
