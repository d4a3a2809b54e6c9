"""What probably went wrong in a player's program, worked out from what it sent.

The referee says which rule was broken; this says which mistake would lead to such an answer:
another encoding, an answer to another question, a tile read with one digit, the price of another
size. The judge and the sign-up ask it once, so `<ejected>`, the log, the pages, `explain` and
`check` give the same hint. Nothing is judged by it, and a log's hint is not compared when the log
is verified, so hints can be improved. XML that is no valid message is explained in the fault
itself, by :mod:`acquire.protocol.invalid_xml`.

diagnose    the entry: the hint on a fault or an illegal move; messages that were not expected
malformed   bytes that are no XML, are not well-formed, or never end
placements  illegal placements
orders      illegal orders, and what a program may believe of its money; answers to ``keep``
"""
