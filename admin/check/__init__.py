"""``acquire check``: tests a player on many short cases, with a verdict on each.

    case           a case as data: title, source, what is expected and tested, the script
    position_text  positions drawn as text, for any rulebook
    cases/         the cases, a module for each section; ``catalogue`` numbers them
    judging        turns the result of a trial into a verdict
    checker        runs all cases, several at a time
    reports/       for the terminal, JUnit, Gradescope, an HTML page

``admin.trial`` plays a case, at the same table and with the same referee as a match.
"""
