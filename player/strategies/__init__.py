"""How the built-in players choose; no sockets, and no clocks unless a player is given one.

strategy   what every built-in player does with each message, and the choices it has to make
guess      the position it thinks about, where some of it is hidden or dealt at random
simple     random, ordered, largest-alpha, smallest-anti
investor   looks one turn ahead
outlook    what a position is worth in the long run
planner    looks one turn ahead by that
quick      quick choices to play on by, and players for the analysis of a game
simulator  tries turns in games that are played on
"""
