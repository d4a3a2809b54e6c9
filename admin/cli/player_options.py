"""The options that say how the player connects: a command to launch, or a port to listen on."""

import click

from .declared import argument, option, option_group
from .options import LOCALHOST, PORT, LimitOptions, Seconds, sandbox_option

CONNECT_TIMEOUT = 10.0
"""Seconds that a player has to connect."""
FIRST_CONNECT_TIMEOUT = 120.0
"""Seconds that a person has to start a player that connects by itself."""


@option_group
class PlayerOptions:
    """How the player connects; times are in seconds."""

    connect_timeout: float | None = option(
        f"Seconds to connect.  [default: {CONNECT_TIMEOUT:g}; with --listen "
        f"{FIRST_CONNECT_TIMEOUT:g} for the first connection]",
        type=Seconds(),
    )
    limits: LimitOptions
    sandbox: str | None = sandbox_option(
        None,
        "What keeps the player away from everything but its folder, which is the current one: "
        "bubblewrap, a user of its own, or nothing.  [default: auto if you are root, else "
        "none]",
    )
    """``None`` is ``auto`` for root, who is not to trust what others have handed in."""
    listen: int | None = option(
        "Wait for the player to connect to PORT each time, instead of launching it.",
        type=PORT,
        metavar="PORT",
    )
    host: str = option("Address for --listen.", default=LOCALHOST)
    command: tuple[str, ...] = argument(nargs=-1, type=click.UNPROCESSED)

    @classmethod
    def of_command(
        cls, command: tuple[str, ...], connect_timeout: float | None, limits: LimitOptions
    ) -> "PlayerOptions":
        """Return the options of a trusted command."""
        return cls(
            connect_timeout=connect_timeout,
            limits=limits,
            sandbox="none",
            listen=None,
            host=LOCALHOST,
            command=command,
        )
