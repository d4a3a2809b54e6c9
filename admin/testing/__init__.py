"""One player tried on chosen positions, at the same table and with the same referee as a game.

trial          one player before laid-out positions, or those of a recorded game
cases          what a case is, and all cases, a TOML file for each section
judging        plays the cases, several at a time, and judges each
reports        for the terminal, JUnit and Gradescope
perft          counts of the ways to play on, for other engines
servers        not a player but an administrator, tried by many players
"""
