"""Seats, clocks and sockets around a game.

server           listens, fills tables, plays and logs their games
server_events    what a referee reports, as values
crowds           how much is said about connections without a seat
reception        what signing up is like at every address, and the crowd that does not
signup           from a connection to a seat of a server; how fast a secret can be guessed
table            puts the referee's questions to seats, with deadlines
seat             one player: a connection, or a strategy
clocks           how long players may take, and the defaults
lag              how late this process itself is
listeners        listening sockets
run              runs a referee until it is done or a signal stops it; reports of bugs
"""
