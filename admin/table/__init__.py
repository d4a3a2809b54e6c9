"""Seats, clocks and sockets around a match.

server        listens, fills tables, plays matches side by side
signup        from a connection to a seat
seat          one player: a connection, or a strategy
table         the referee's questions put to seats, with deadlines
listeners     listening sockets
clocks        how long players may take
lag           how late this process itself is
run           running a server until it is done or stopped by a signal
crash_report  a defect of ours: one sentence, and the traceback in a file
"""
