"""The commands: read the options, call a core, show its result. Only this package uses click.

A command ``x`` is two modules: ``x`` declares its options, and ``x_run``, which is imported when
the command runs, does the work. If that is one function, it is in ``x``, and imports what it needs.

main          the group ``acquire``
options       options that several commands share
chosen_player, launched_player
              the player that a command tests
console       errors, and the exit code after them
safe_console  a console for terminals, files and closed pipes; progress bars
check_output  what ``check`` prints
serve_output  what ``serve`` prints: for people, or JSON lines
rerun         a recorded game against a player: ``rerun``, ``debug``, ``shrink``
whatif        ``replay --from``; ``replay_analysis`` is ``replay --analyse``
tournament    the options of its commands, which the other ``tournament_`` modules run
"""
