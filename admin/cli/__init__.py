"""The commands: read the options, call a core, show its result. Only this package uses click.

main          the group ``acquire``
options       options that several commands share
player_command, recorded_match, whatif_options
              options of the commands that start a player, read a log, play a match on
log_file      the match log that a command is given
console       errors, and the exit code after them
safe_console  a console for terminals, files and closed pipes
serve_output  what ``serve`` prints: for people, or JSON lines
serve, whatif, check, explain, rerun, shrink, replay, rulebooks, tournament, watch
              one module per command; ``whatif`` is ``replay --from``
"""
