"""``acquire check``: tests a player on many short cases, with a verdict on each.

    case_parts/  what a case is, and what cases are made of: positions, opponents, forms of messages
    cases/       the cases, a module for each section; ``catalogue`` numbers them
    judging/     plays the cases, several at a time, and judges each
    reports/     for the terminal, JUnit, Gradescope, an HTML page

``acquire.admin.trial`` plays a case, at the same table and with the same referee as a match.
"""
