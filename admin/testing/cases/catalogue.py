"""All cases under a rulebook, numbered by section, also one of one's own; cases from game logs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import sub
from pathlib import Path

from ....game.board import lay_out
from ....game.drawing import refill
from ....game.market import takes_part
from ....game.placement import free_certificates, legal_placements
from ....game.purchase import legal_orders
from ....game.rulebook import Rulebook
from ....game.rulebooks import RULEBOOKS, is_one_of_the_five
from ....game.state import Player, State, position
from ....game.tiles import Tile, mask_of, tiles_in
from ....game.turn import pay_out, regular_ending
from ....protocol.faults import Reason
from ....protocol.settings_file import InvalidFile, Mistake
from ....protocol.user_error import UserError
from ...refereeing.log.reader import read
from ...refereeing.play.referee import Segment
from ...refereeing.view.plain_text import printable
from ..trial.game_history import DivergentLog, GameHistory
from ..trial.trial import question_name
from .case import Case, CaseSection, CaseSource
from .case_file import CaseFile, CaseRow, is_met, read_case_file
from .position_text import impossible

SECTIONS = (
    *("sign-up", "framing", "set-up", "turn", "founding", "growth", "mergers", "disposal"),
    *("buying", "full-boards", "names", "end", "clocks", "matches"),
)
"""The sections in order, each a file of this name."""


def cases_for(rulebook: Rulebook, own: Sequence[Path] = ()) -> list[Case]:
    """Return the cases under a rulebook, section by section and numbered: ``7.3``.

    Those in files of one's ``own`` come last; ``InvalidFile`` if one has mistakes. Under a rulebook
    that is none of the five the cases are those of the nearest that apply to it.
    """
    usual = rulebook if is_one_of_the_five(rulebook) else with_usual_numbers(rulebook)
    files, slugs = [*map(read_case_file, own)], [*SECTIONS]
    for file in files:
        if file.slug in slugs:
            why = f"{file.slug!r} is the name of another section. Give this one its own name."
            raise InvalidFile(file.path, [Mistake("section", why)])
        slugs.append(file.slug)
    found = [*_built_in_cases(usual)]
    for number, file in enumerate(files, start=len(SECTIONS) + 1):
        found += _cases_of(file, number, usual)
    if usual is not rulebook:
        found = list(adapt(found, rulebook))
    return [
        replace(case, number=f"{section.number}.{number}")
        for section, group in groupby(found, key=lambda case: case.section)
        for number, case in enumerate(group, start=1)
    ]


_read_built_in = cache(read_case_file)


@lru_cache(maxsize=8)
def _built_in_cases(rulebook: Rulebook) -> tuple[Case, ...]:
    files = (_read_built_in(Path(__file__).parent / f"{slug}.toml") for slug in SECTIONS)
    numbered = enumerate(files, start=1)
    return tuple(case for number, file in numbered for case in _cases_of(file, number, rulebook))


def _cases_of(file: CaseFile, number: int, rulebook: Rulebook) -> list[Case]:
    """Return the cases of a file; ``InvalidFile`` with all that are impossible."""
    section = CaseSection(number, file.slug, file.title, file.visibility)
    cases: dict[str, Case] = {}
    mistakes: list[Mistake] = []
    for row in file.rows:
        if not _has(rulebook, row):
            continue
        try:
            case = row.under(rulebook, section)
        except KeyError as error:
            wrong = [f"{error} is unknown: a hotel's letter, or what stands in braces."]
        except ValueError as error:
            wrong = [f"{error}."]
        else:
            segments = case.script.segments if number > len(SECTIONS) else ()
            wrong = [f"the position has {what}." for at, _ in segments for what in impossible(at)]
            wrong += [f"{case.slug!r} is the id of another case."] * (case.slug in cases)
            cases[case.slug] = case
        mistakes += (Mistake(row.place, why) for why in wrong)
    if mistakes:
        raise InvalidFile(file.path, mistakes)
    return [*cases.values()]


def _has(rulebook: Rulebook, row: CaseRow) -> bool:
    """Whether a rulebook has a case, by its condition and by the number of seats at a deal."""
    dealt = row.scenario.deal
    fits = dealt is None or rulebook.min_players <= dealt.seats <= rulebook.max_players
    return fits and is_met(row.when, rulebook)


# -- a rulebook that is none of the five ----------------------------------------------------------
# A case's drawing and sentences are about the numbers of the five rulebooks: prices, safe sizes, 25
# certificates. So the cases are made with the numbers of the nearest rulebook, and each position is
# then laid out under the one to be checked. A case is kept if everything that its sentences can be
# about is the same in both.

NUMBERS = (
    *("cash", "hand_size", "certificates", "founders_certificates", "bonus_multiples"),
    *("rounding", "rounding_step", "safe_size", "final_size", "order_limit", "min_players"),
    *("max_players", "market_for_two"),
)
"""What a case's sentences and drawings take from the rulebook that it is made for."""
FEW = 3  # certificates left in the bank: fewer of them can limit an order or a trade


def with_usual_numbers(rulebook: Rulebook) -> Rulebook:
    """Return a rulebook with the choices and hotel names of this one, but the nearest's numbers.

    The hotels have the price tiers of the nearest, too, unless as many are in each tier here.
    """
    nearest = max(RULEBOOKS.values(), key=lambda known: _likeness(known, rulebook))
    hotels = rulebook.hotels
    if Counter(hotel.tier for hotel in hotels) != Counter(hotel.tier for hotel in nearest.hotels):
        hotels = tuple(
            hotel._replace(tier=usual.tier)
            for hotel, usual in zip(hotels, nearest.hotels, strict=True)
        )
    by_tier = dict(zip([hotel.tier for hotel in nearest.hotels], nearest.prices, strict=True))
    prices = tuple(by_tier[hotel.tier] for hotel in hotels)
    numbers = {name: getattr(nearest, name) for name in NUMBERS}
    return replace(rulebook, hotels=hotels, prices=prices, **numbers)


def _likeness(known: Rulebook, rulebook: Rulebook) -> tuple[bool, int]:
    """Rate how alike two rulebooks are: first by the mergers that they forbid, as drawings are."""
    agreed = [
        getattr(known, field.name) == getattr(rulebook, field.name) for field in fields(known)
    ]
    return known.forbidden_merger is rulebook.forbidden_merger, sum(agreed)


def adapt(cases: Iterable[Case], rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases that apply to a rulebook, laid out under it."""
    for case in cases:
        seats, usual = len(case.script.seats), case.script.rulebook
        target = rulebook
        if usual.assets is not rulebook.assets:  # in a case about hidden assets
            target = replace(rulebook, assets=usual.assets)
        if not rulebook.min_players <= seats <= rulebook.max_players:
            continue
        if takes_part(target, seats) is not takes_part(usual, seats):
            continue
        segments = [_laid_out(segment, target) for segment in case.script.segments]
        kept = [segment for segment in segments if segment is not None]
        texts = f"{case.title} {case.expected} {case.hint}"
        facts = partial(_facts, about_money=case.section.slug == "buying" or "$" in texts)
        if len(kept) == len(segments) and all(
            segment.turns is None or facts(segment) == facts(drawn)
            for segment, drawn in zip(kept, case.script.segments, strict=True)
        ):
            script = replace(case.script, rulebook=target, segments=tuple(kept))
            yield replace(case, script=script)


def _laid_out(segment: Segment, rulebook: Rulebook) -> Segment | None:
    """Lay out a position under another rulebook; ``None`` if that is impossible.

    Hands keep their tiles, since a case is about them. In a game that is played to its end they
    are filled or cut to the size of the rulebook.
    """
    state, turns = segment
    players, bag = state.players, state.bag
    if turns is None and state.rulebook.hand_size != rulebook.hand_size:
        players, bag = _with_hands_of(rulebook.hand_size, state)
    board = lay_out(rulebook, state.board.loose, state.board.hotels)
    try:
        laid = position(rulebook, board, players, bag)
    except ValueError:  # the players hold more certificates than there are
        return None
    if any(player.hand.bit_count() > rulebook.hand_size for player in players):
        return None
    return Segment(laid._replace(aside=state.aside, idle=state.idle), turns)


def _with_hands_of(size: int, state: State) -> tuple[tuple[Player, ...], tuple[Tile, ...]]:
    """Return the players with hands of this size, as far as the bag goes, and the bag."""
    players, bag = [], list(state.bag)
    for player in state.players:
        tiles = [*tiles_in(player.hand)]
        missing = max(size - len(tiles), 0)
        tiles, bag = [*tiles, *bag[:missing]], [*bag[missing:], *tiles[size:]]
        players.append(player._replace(hand=mask_of(tiles[:size])))
    return tuple(players), tuple(bag)


def _facts(segment: Segment, *, about_money: bool) -> object:
    """Return what the sentences of a case can be about: what is legal, safe, sold out or over."""
    state, turns = segment
    rulebook, sizes, cash = state.rulebook, state.board.sizes, state.mover.cash
    prices = [state.price(hotel) for hotel in range(len(sizes))]
    money: object = [0 < price <= cash for price in prices]
    if about_money:
        money = prices, legal_orders(state), pay_out(state).bonuses
    placements, hand = legal_placements(state), state.mover.hand
    if placements:
        hand &= hand - 1  # one tile is placed
    new = {each.hotel for each in placements if each.hotel is not None and not sizes[each.hotel]}
    free = [free_certificates(state, hotel) if hotel in new else 0 for hotel in range(len(sizes))]
    played = state._replace(players=(state.mover._replace(hand=hand), *state.players[1:]))
    most = sum(sizes) + state.board.loose.bit_count() + (turns or 0)
    return (
        placements,
        [size >= rulebook.safe_size for size in sizes],
        [min(left, FEW) for left in state.bank],
        [min(left, FEW) for left in map(sub, state.bank, free)],  # to be bought
        len(refill(played).tiles),
        regular_ending(state),
        most >= rulebook.final_size,  # a hotel might end the game in these turns
        money,
    )


# -- cases from logs ------------------------------------------------------------------------------

SAVED = CaseSection(0, "saved", "Saved cases")


def saved_cases(paths: Sequence[Path], seat: str | None = None) -> list[Case]:
    """Load the cases in some logs and number them.

    The player of a case is ``seat``, or else the only one that was ejected. All turns up to the
    ejection are played, each from its recorded position, and the opponents give their recorded
    answers. ``UserError`` if a file is not a log, or several were ejected.
    """
    return [_saved_case(path, number, seat) for number, path in enumerate(paths, start=1)]


def _saved_case(path: Path, number: int, seat: str | None) -> Case:
    try:
        recorded = GameHistory(read(path))
    except DivergentLog as error:
        raise UserError(f"{path}: {error}") from error
    ejected = [*recorded.ejected]
    if not ejected:
        raise UserError(f"{path}: no player was ejected in this game, so it is not a case.")
    subject = ejected[0] if seat is None and len(ejected) == 1 else seat
    if subject not in ejected:
        names = ", ".join(map(repr, ejected))
        raise UserError(f"{path}: choose a player with --seat. Ejected: {names}.")
    left = recorded.ejected[subject]
    asked = sum(len(recorded.responses(turn, subject)) for turn in [0, *recorded.positions])
    what = "A player with any of these faults is **ejected**"
    if left.reason is Reason.ILLEGAL:
        what = "expected and valid, but against the rules of the game"
    return Case(
        section=SAVED,
        slug=f"{number}-{printable(path.stem)}",
        title=f"A conversation in which {printable(subject)} was ejected ({left.rule.value})",
        source=CaseSource("On the socket", what),
        expected=f"A legal answer to <{left.question}>. In the game: {printable(left.detail)}",
        hint="",
        tested=frozenset({question_name(left.question, is_first=asked <= 1)}),
        script=recorded.script(subject, recorded.turns_of(subject)),
        name=subject,
        number=f"{SAVED.number}.{number}",
    )
