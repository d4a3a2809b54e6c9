"""Games for people in a browser: the extra ``web``.

html  pages in one file: a game step by step, the report of a check
web   live pages for spectators
seat  a seat for a person
"""
