"""``acquire replay LOG --from TURN``: a recorded match played on, many times, by whoever is asked.

    variant     who takes a seat: a player of the house, the recorded move, a program
    dealing     the position before the turn, with all that is hidden from a seat dealt anew
    recalling   the recorded move as a player, which a strategy goes on for
    playing     one game among players in this process
    visiting    all games, those of programs by way of a trial
    spread      what the games come to: mean, quartiles, wins, differences game by game
    drawing, json_form
                the spread for a terminal, beside what really happened, and for a program
    options, command
                the command line

The same game has the same deal for every variant of a seat, so that they are compared at the same
luck.
"""
