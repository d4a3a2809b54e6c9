"""One game of a tournament, once it is played.

result          one game: verdicts, result, points; its log
program_output  what a program printed, by turn
entries         who has played, with which version; which games count, and which are given up
checked_json    typed values from JSON that anybody may have written
"""
