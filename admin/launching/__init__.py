"""Players that are started here: programs, each a process kept within limits.

    program    what is started: words, a folder, variables; what its placeholders stand for
    limits     what a started program may use
    launch     a program's start, and its end
    supervisor     the process beside each of them (a script that imports nothing of ours)

Only ``launch`` and ``supervisor`` know processes and time; nothing here knows what is played.
"""
