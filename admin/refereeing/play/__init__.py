"""One game, without sockets, clocks or files.

referee              the game as a generator of questions
questions            questions and replies
judge                asking and ejecting; the committed position
merger_conversation  the conversation of a merger
events               everything that can happen in a game, as values
net_worth            the players' net worth after each event
outcome              how a game ended, and the standings
dealer               the bag and every later shuffle, from a seed
in_process           games played by strategies in this process, or by recorded answers
draw_sync            whether draws still match those of other games with the same bag
"""
