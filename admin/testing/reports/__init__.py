"""Reports of a check: text, pages, and formats for other programs.

junit         JUnit XML, for test servers
gradescope    the results.json of Gradescope's autograder
check_files   writes these files, and the page of ``pages.html``
listing       the list of cases, for choosing among them
case_text     a case as text, for the terminal and for files
case_evidence what a verdict is based on: explanation, position, the player's output
transcript    the messages of a case
"""
