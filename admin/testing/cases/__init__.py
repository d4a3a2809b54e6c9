"""The cases: a file for each section, and what all may name in ``shared.toml``.

case           a case under a rulebook; its scenario: positions, and how opponents behave
position_text  positions drawn as text, and texts about them, for any rulebook
message_forms  the forms in which a message can reach a player
case_file      reads a file of cases
catalogue      all cases under a rulebook, also one of your own, numbered; and cases from game logs
"""
