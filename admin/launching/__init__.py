"""Programs started here: each runs in a process of its own, within limits, in a sandbox.

    program         what to start: a command, a folder, variables; placeholders, paths in them
    player_folder   the folder of a player: its hash, copies and archives of it
    limits          what a program may use, and how it ended
    sandbox         what keeps programs apart, and which kind works here
    sandbox_files   ... the files that a program sees in it
    system_calls    ... the system calls that it may use
    launch          start a program, clean up after it
    player_process  ... one that was started, and the supervisor beside it; who has connected
    program_work    how much CPU time a program uses, and how long it waits for a processor
    building        copies of players' folders, in which a command may build something
    supervisor      the process beside each program, with only what it needs; one that forks it:
    starting          setting up the sandbox and the limits, and executing the program in them;
                      listening inside a sandbox
    watching          stopping it when it exceeds a limit together with all that it started
    control_groups    ... what the kernel counts for it, where it does
    leftovers         files that a program leaves behind

Only ``launch``, ``player_process``, ``program_work``, ``building`` and the supervisors deal with
processes and time. Nothing here knows what is played.
"""
