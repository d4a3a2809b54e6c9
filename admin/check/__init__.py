"""``acquire check``: a player before many short cases, and a verdict on each.

    case       a case as data: title, source, what is expected, what it is about, the script
    scene      positions drawn as text, for whichever rulebook
    cases/     the cases, a module for each section; ``catalogue`` numbers them
    judging    what came of a trial, as a verdict
    checking   all cases, some side by side
    reports/   for the terminal, JUnit, Gradescope, a page

A case is played by ``admin.trial``, by the administrator's own table and referee.
"""
