"""A seat for a person: a page in a browser that plays one game, from one player's own wire.

Nothing here has a position that the player was not sent, so nothing hidden can reach the page. What
is legal comes from :mod:`acquire.game`; ``acquire play --browser`` finds
:mod:`acquire.admin.pages.seat.browser` as an entry point.
"""
