"""``acquire explain``: the options. :mod:`acquire.admin.cli.explain_run` explains."""

from pathlib import Path

from .declared import DeclaredCommand, argument, option, option_group
from .options import ANY_PATH


@option_group
class ExplainOptions:
    """Explain why a player was ejected, from the game log.

    The game is replayed from its log. For each ejected player, or only for NAME, this prints the
    turn and the position, the answer received, the rule it broke and where that is written, the
    legal answers, and one correct answer.

    \b
        acquire explain matches/revised-seed7-game1.xml
        acquire explain matches/revised-seed7-game1.xml --seat alice

    Exit codes: 0 an ejection was explained; 1 nobody, or not this player, was ejected, or the log
    diverges from the rules and is explained as far as it holds; 2 the file is not a game log, or
    has no player of this name.
    """

    log: Path = argument(type=ANY_PATH)
    seat: str | None = option("Explain only the ejection of this player.", metavar="NAME")
    as_json: bool = option("Write JSON.", "--json")


explain = DeclaredCommand("explain", ExplainOptions, "explain_run:run")
