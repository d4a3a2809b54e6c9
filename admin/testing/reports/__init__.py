"""Reports of a check: text, pages, and formats for other programs.

for_programs  JUnit XML for test servers, the results of Gradescope and GitHub Classroom; the files
              of these, and of the page of ``pages.html``
case_text     a case with its evidence as text, for the terminal and for files
"""
