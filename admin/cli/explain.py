"""``acquire explain``: the options. :mod:`acquire.admin.cli.explain_run` explains."""

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from .options import AnyPath, CountFromZero, Name

GAMES = 16  # games for each option of a decision in a stage, if no other number is given


@option_group
class ExplainOptions:
    """Explain why a player was ejected or lost, from the game log.

    The game is replayed from its log. For each ejected player, or only for NAME, this prints the
    turn and the position, the answer received, the rule it broke and where that is written, the
    legal answers, and one correct answer.

    If NAME was not ejected, this says what decided the game for it: the decisive turn, what its
    own decisions cost, and luck. The game is played on many times for that, which takes half a
    minute or more; Ctrl-C keeps what is known. It needs the extra `tournament`. Net worth, the
    largest swing and missed bonuses need neither.

    \b
        acquire explain game.xml
        acquire explain game.xml --seat alice
        acquire explain game.xml --seat alice --games 0

    Exit codes: 0 an ejection or a result was explained; 1 no player was ejected and no NAME given,
    or the log diverges from the rules and is explained up to there; 2 the file is not a game log,
    or has no player of this name; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM.
    """

    log: AnyPath = argument()
    seat: Name | None = option(
        "Explain only the ejection of this player, or else what decided the game for it."
    )
    games: CountFromZero = option(
        "Games for each option of a decision, at most, in each of three stages; 0 plays none.",
        default=GAMES,
    )
    as_json: bool = option("Write JSON.", "--json")


explain = DeclaredCommand("explain", ExplainOptions, "explain_run:run")
