"""Why a player was ejected, worked out from the log of the match, for the player's author.

sources      where a rule is written
alternatives what would have been legal there
suggestion   one answer that would have been right, near to the one that came
explanation  all of that as a value
drawing      shown to a person
json_form    told to a program
"""
