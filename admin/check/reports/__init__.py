"""What came of a check, told to people and to programs.

terminal    to the one who waits: the progress, the failed cases, a table, one last line
junit       JUnit XML, for servers that run tests
gradescope  the results.json of Gradescope's autograder
page        one HTML page
files       the files of all these
listing     the cases, for those who choose among them
drawing     a case drawn as text, for all of them
evidence    what a result rests on: the explanation, the position, what the player printed
transcript  what was said on the wire
"""
