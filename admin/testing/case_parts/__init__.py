"""What a case is, and what cases are made of.

case           a case under a rulebook; its scenario: positions, and how opponents behave
position_text  positions drawn as text, and texts about them, for any rulebook
message_forms  the forms in which a message can reach a player
"""
