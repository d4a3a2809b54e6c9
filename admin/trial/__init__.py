"""A trial: one player at the real table, before whatever positions are laid out.

    script     what is to be played: segments of turns, who sits at the table, what the others do
    recorded   a recorded match as a script: the answers of its players, turn by turn
    others     the players of the other seats
    playground what all trials under one rulebook have in common
    wire       between the referee and the player: cuts and dresses messages, writes all down
    trial      the playing of a script against one connection
    door       how the player comes: launched each time, or by itself
    entrance   what the command line says of that

A player cannot tell it from a match: sign-up, table, clocks and judgement are the administrator's
own. ``check``, ``rerun``, ``shrink`` and ``replay --from`` are made of it.
"""
