"""What is allowed in a tournament file, but lets players know more than the rules do."""

from collections.abc import Iterator

from admin.tournament.planning.plan import Plan


def plan_warnings(plan: Plan) -> Iterator[str]:
    """Yield user-facing sentences; none where only built-in players take part."""
    if plan.built_in_only:
        return
    if plan.tournament.seed is not None:
        yield (
            "tournament.seed is set: whoever reads it knows every bag. Remove it, unless the run "
            "must be reproducible."
        )
    if plan.duplicate:
        yield (
            "tournament.duplicate is true: a player that remembers the tiles of one game can "
            "predict the draws of all other games of its block. Remove it, unless you trust all "
            "players."
        )
