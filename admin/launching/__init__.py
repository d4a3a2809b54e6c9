"""Programs started here: each runs in a process of its own, within limits.

    program      what to start: a command, a folder, variables, and the placeholders in them
    limits       what a program may use
    launch       start a program, wait for its end, clean up
    supervisor   the process beside each program (a script that imports nothing of this project)

Only ``launch`` and ``supervisor`` deal with processes and time. Nothing here knows what is played.
"""
