"""What is allowed in a tournament file, and is perhaps not intended."""

from collections.abc import Iterator

from admin.tournament.planning.plan import Plan


def plan_warnings(plan: Plan) -> Iterator[str]:
    """Yield user-facing sentences: about players, and about bags that somebody could predict."""
    yield from (f"{name} cannot play and is left out. {why}" for name, why in plan.left_out)
    yield from _roster_warnings(plan)
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


def _roster_warnings(plan: Plan) -> Iterator[str]:
    if not plan.roster:
        return
    expected = dict.fromkeys(student.player for student in plan.roster)
    handed_in = {*plan.names, *(name for name, _ in plan.left_out)}
    if missing := [name for name in expected if name not in handed_in]:
        yield f"Nothing was handed in by {', '.join(missing)}, who are in the roster."
    programs = (player.name for player in plan.players if player.strategy is None)
    if unknown := [name for name in programs if name not in expected]:
        yield (
            f"The roster does not have {', '.join(unknown)}: neither a team nor an id is called so."
        )
