"""What probably went wrong in a player's program, worked out from what it sent.

The referee says which rule was broken; this says which mistake would lead to such an answer. It is
asked by the judge, the sign-up and the check, so all of them give the same hint.
XML that is no valid message is explained by :mod:`acquire.protocol.invalid_xml`.

diagnose        the entry: the hint on a fault or an illegal move
not_xml         bytes that are no XML: another encoding, a length before the message, JSON, HTTP
broken_xml      XML that is not well-formed, or that never ends
wrong_moment    a message that was not expected
placements      illegal placements: which tile or neighbour was misread
orders          illegal orders and answers to ``keep``: which price or number was miscounted
"""
