"""The commands: read the options, call a core, show its result. Only this package uses click.

main          the group ``acquire``
options       options that several commands share
player_options, rerun_options, whatif_options
              options of the commands that start a player, read a log, play a game on
log_file      the game log that a command is given
console       errors, and the exit code after them
safe_console  a console for terminals, files and closed pipes
check_output  what ``check`` prints
progress_bars progress of a check, and of games that are played on
tournament_store
              options and errors of the commands that read a tournament's store
serve_output  what ``serve`` prints: for people, or JSON lines
serve, whatif, check, explain, rerun, shrink, replay, rulebooks, tournament, watch
              one module per command; ``whatif`` is ``replay --from``, and ``tournament_results``
              has the commands of ``tournament`` that read a store
"""
