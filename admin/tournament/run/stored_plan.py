"""The plan that a store belongs to: whether it is still the same, and who plays now.

A store belongs to the settings that its games were played with. Players may change, and there may
be more games than before.
"""

import json
from collections.abc import Collection, Iterable
from pathlib import Path

from ....protocol.rulebook_file import to_json, up_to_date
from ...refereeing.play.dealer import new_seed
from ..games.entries import Changes, Entries, number_in
from ..planning.facts import Format, PlayerAndKind, TournamentFacts
from ..planning.game_seeds import Series, store_series, stored_series
from ..planning.plan import Plan
from ..planning.roster import roster_text
from ..planning.schedule import new_schedule
from ..store.secret_file import TournamentSecret
from ..store.store import Store
from ..store.store_reader import StoreError

LANGUAGES = {"python": "Python", "pypy": "Python", "node": "JavaScript", "java": "Java"}
"""The language of a program by the beginning of the name of what runs it."""


def resume(plan: Plan, store: Store, secret: TournamentSecret) -> tuple[TournamentFacts, int]:
    """Return the tournament's facts and its seed; store both, and the plan if the store is new.

    Whether bags are secret is decided here, once for all games of the store. ``StoreError`` if the
    games in it were played with other settings.
    """
    facts, current = facts_of(plan), plan.result_settings()
    stored, seed = store.about("plan"), store.about("seed")
    wanted = plan.tournament.seed
    if stored is None or seed is None:
        chosen = new_seed() if wanted is None else wanted
        series = (Series(1, 1, secret.commitment(1)),) if plan.secret_bags else ()
        new = {"plan": json.dumps(current, sort_keys=True), "seed": str(chosen)}
        store_series(store, series, **new, shown=facts.text())
        return facts, chosen
    before = json.loads(stored)
    general = before["tournament"]
    general["rulebook"] = json.loads(up_to_date(json.dumps(general["rulebook"])))
    changed = _differences(before, current)
    built_in = all(entry.kind.startswith("strategy") for entry in store.entries().current)
    if plan.secret_bags and built_in and not stored_series(store):
        changed.append("players (so far all were built in, and bags follow from the seed)")
    if wanted is not None and wanted != int(seed):
        changed.append("tournament.seed")
    if changed:
        raise StoreError(
            f"{store.path} has games that were played with other settings; changed since: "
            f"{', '.join(changed)}.",
            "Change the file back, or start over with --fresh or another --store.",
        )
    store.note(shown=facts.text())
    return facts, int(seed)


def update_entries(plan: Plan, store: Store, retried: Collection[str] = ()) -> Changes:
    """Store the entries of the players as they are now; return what has changed.

    The games that the ``retried`` players have had do not count any more. ``StoreError`` if that is
    impossible, in a Swiss tournament.
    """
    stored, series = store.entries(), stored_series(store)
    if not stored.all:
        entries, changes = Entries.of(plan.participants), Changes()
    else:
        ladder = plan.tournament.format is Format.LADDER
        rounds = (number_in(game, "r") for game in (store.finished() if ladder else ()))
        entries, changes = stored.updated(
            plan.participants,
            series=series[-1].number + (series[-1].secret is not None) if series else 0,
            ladder=ladder,
            started=max(rounds, default=0),
            retried=retried,
        )
    changed = [name for names in changes for name in names]
    if changed and plan.tournament.format is Format.SWISS:
        raise StoreError(
            f"{store.path} has rounds that were played with other players; changed since: "
            f"{', '.join(changed)}. In a Swiss tournament all rounds have the same players and "
            'programs. Change them back, start over with --fresh, or use format = "ladder".'
        )
    store.note(entries=entries.written(), roster=roster_text(plan.roster))
    return changes


def verify_not_reduced(plan: Plan, store: Store, finished: Iterable[str]) -> None:
    """Verify that no game was played beyond those that the plan has now; ``StoreError``."""
    for letter, setting in (("d", "deals"), ("r", "rounds")):
        planned = getattr(plan.tournament, setting)
        played = max((number_in(game, letter) for game in finished), default=0)
        if planned is not None and played > planned:
            raise StoreError(
                f"{store.path} has games of {played} {setting}, but tournament.{setting} is now "
                f"{planned}.",
                f"Set it to {played} or more, or start over with --fresh or another --store.",
            )


def facts_of(plan: Plan) -> TournamentFacts:
    """Return what is stored about a plan for readers that have the store only."""
    general = plan.tournament
    return TournamentFacts(
        **dict(plan.schedule_rules),
        name=general.name,
        total=new_schedule(plan).total,
        players=tuple(PlayerAndKind(player.name, player.kind) for player in plan.players),
        left_out=tuple(name for name, _ in plan.left_out),
        rulebook=general.rulebook.id,
        rulebook_json=to_json(general.rulebook_value()),
        **plan.table_clocks._asdict(),
        languages={
            player.name: language
            for player in plan.players
            for start, language in LANGUAGES.items()
            if player.command and Path(player.command[0]).name.startswith(start)
        },
    )


def _differences(old: object, new: object, place: str = "") -> list[str]:
    """Return the places where two plans differ, such as ``tournament.points[2]``."""
    if old == new:
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted(old.keys() | new.keys())
        inside = [(f".{key}", old.get(key), new.get(key)) for key in keys]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True), 1)
        inside = [(f"[{number}]", one, other) for number, (one, other) in pairs]
    else:
        return [place.removeprefix(".")]
    return [each for step, a, b in inside for each in _differences(a, b, f"{place}{step}")]
