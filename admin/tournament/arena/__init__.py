"""Games between players that connect: launched programs and remote players.

arena             many games at once, in this process
connected_game    ... one of them
player_files      the programs of the launched players, copied and built, and the files they see
waiting_room      where they connect and wait for their games
"""
