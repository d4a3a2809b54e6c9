"""What a case is, and what cases are made of.

case               a case as data: title, source, what is expected and tested, the script
position_text      positions drawn as text, for any rulebook
lone_tiles         positions that are easy to play, for cases that do not test the rules
acquisitions       mergers for cases about the certificates of acquired hotels
special_opponents  opponents that leave, or trade as much as they can
message_forms      the forms in which a message can reach a player
"""
