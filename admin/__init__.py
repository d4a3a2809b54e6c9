"""The judge: the referee, the table that it sits at, and what it leaves behind.

    deal       the bag's order and every later shuffle, from a seed
    events     everything that can happen in a match, as values
    judge      who is asked and who has to leave; the committed position
    merging    the conversation of a merger
    referee    the one story of a match: a generator of questions
    outcome    how a match ended, and the standings
    local      the story told to strategies in this process
    seat       one player at a table: a connection, or a strategy
    table      the story told to seats, with deadlines
    signup     from a connection to a seat
    listening  where players connect
    server     filling tables, playing matches side by side
    log        a match log as it is written
    record     a match log as it is read
    replay     the story told to a recorded log, and compared
    retelling  the same, from a log that is still being written
    following  in which position each question was answered, from the events
    trial, check, rerun, explaining, launching, tournament
               rooms of their own
    board      a position drawn for the terminal
    picture    a position as SVG
    progress   what a person, or a program, is told of matches
    lag        how late this process itself is
    run        running a server until it is done or told to stop
    defect     what is said of a defect of our own
    rulebook_rows, rulebook_tables
               what the rulebooks say, row by row, and how it is shown
    commands   the command line; its commands are serve_command, replay_command and
               rulebooks_command

Rooms of their own, each with a table of contents like this one:

    launching  programs started within limits, and nothing left of them
    explaining why a player was ejected
    trial      one player at the real table, before laid-out positions
    check      trials as cases, with verdicts and reports
    rerun      trials of recorded matches: compared, and made short
    viewing    a match as steps, for eyes
    web        matches live, for spectators
    whatif     recorded matches played on, from a turn
    tournament many matches between many programs

Only ``seat``, ``table``, ``signup``, ``server``, ``listening``, ``lag`` and ``run`` know sockets
and time. Nothing here imports :mod:`player`: strategies come in as arguments.
"""
