"""How the built-in players choose; no sockets, no clocks.

strategy  what every built-in player does with each message, and the choices it has to make
guess     the position it thinks about, where some of it is hidden
simple    random, ordered, largest-alpha, smallest-anti
investor  the one that plays to win
"""
