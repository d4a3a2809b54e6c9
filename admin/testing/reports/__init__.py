"""Reports of a check: text, pages, and formats for other programs.

junit         JUnit XML, for test servers
gradescope    the results.json of Gradescope's autograder
check_files   writes these files, and the page of ``pages.html``
case_text     a case with its evidence as text, for the terminal and for files
transcript    the messages of a case
"""
