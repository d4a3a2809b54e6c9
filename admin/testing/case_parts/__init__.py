"""What a case is, and what cases are made of.

case               a case under a rulebook
case_row           a case as it is written down, for any rulebook that has it
scenario           positions, and how the players at the table behave
position_text      positions drawn as text, and texts about them, for any rulebook
lone_tiles         positions that are easy to play, for cases that do not test the rules
acquisitions       mergers for cases about the certificates of acquired hotels
special_opponents  opponents that leave, or trade as much as they can
message_forms      the forms in which a message can reach a player
adapted            the cases for a rulebook that is none of the five
"""
