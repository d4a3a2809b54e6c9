"""A player as a program: one connection, one game.

client        connects, signs up and passes messages between the connection and a player
registry      all players by name: the built-in ones and the misbehaving cast
play_command  ``acquire play``: its options; ``play_run`` plays
giving_up     the end of a command that cannot go on
people        a person's page in a process of its own
new_command   ``acquire new``
"""
