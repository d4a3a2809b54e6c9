"""The commands: options in, a core called, its result shown; nothing else here uses click.

main          the group ``acquire``; what breaks unexpectedly is reported in one line and a file
options       options that several commands share
player_command, recorded_match, whatif_options
              options of the commands that start a player, read a log, play a match on
console       output that survives a closed pipe
serve_output  what ``serve`` prints: for people, or JSON lines
serve, play_on (whatif), check, explain, rerun, shrink, replay, rulebooks, tournament, watch
              one module per command
"""
