"""Games between players that connect: launched programs and remote players.

arena             many games at once, in this process
connected_game    ... one of them
program_end       what the end of a program says about its player
player_files      the files that a launched player sees
prepared_players  the launched players, copied and built
player_door       where one launched player connects
waiting_room      where remote players connect and wait for their games
reservation       a place that is kept for a player
tls               ... TLS connections
"""
