"""One player tried on chosen positions, at the same table and with the same referee as a game.

trial          one player before laid-out positions
case_parts     what a case is, and what cases are made of: positions, opponents, forms of messages
cases          the cases, a TOML file for each section; ``catalogue`` numbers them
judging        plays the cases, several at a time, and judges each
reports        for the terminal, JUnit and Gradescope
perft          counts of the ways to play on, for other engines
rerun          recorded games put to a player again
servers        not a player but an administrator, tried by many players
"""
