"""A seat for a person: a page in a browser that plays one game, from one player's own wire.

Nothing here has a position that the player was not sent, so nothing hidden can reach the page. What
is legal comes from :mod:`acquire.game`; ``acquire play --browser`` finds
:mod:`acquire.admin.pages.seat.browser` as an entry point.

browser, person       the player: its page is opened, and sent what the player is sent
choices, choice_hints a question as the page asks it, and hints for a first game
adviser               what a built-in player would do in the person's place
home_table            a referee with one seat for the person, as a process
seat_door, seat_site  the page where people take seats, and the page of each of them
"""
