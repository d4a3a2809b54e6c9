"""A player as a program: one connection, one game.

client        connects, signs up and passes messages between the connection and a player
registry      all players by name: the built-in ones and the misbehaving cast
play_command  ``acquire play``: its options; ``play_run`` plays, or serves people who joined
new_command   ``acquire new``
"""
