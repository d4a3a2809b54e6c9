"""Converts games that other programs recorded into game logs of ours, and into reports.

Each recorded decision is given to a referee of ours. Where a documented difference shows, the next
turn begins from the position that the other program had: the log has a ``<position>`` there. The
reports are what the other program computed; ``others_games`` compares the two.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classic_oracle import EMPTY, HOTELS, LOOSE, Over, by_hotel, over_by
from others_games import SIGNS, Differs, Report, replaced_again, truncated, with_less
from positions import mask, names, tiles
from revised_oracle import column_first, read_state, start

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import GameLog, MemoryFile
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Ask, Reply
from acquire.admin.refereeing.play.referee import Referee, Segment
from acquire.game.board import lay_out
from acquire.game.placement import Kind, Placement, equal_acquired, hotel_choices, kind_of
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import Player, State, position
from acquire.game.tiles import ROWS, Tile, mask_of, parse_tile
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage

SEATS = "abcdef"
SEED = 0


@dataclass
class Turn:
    """The decisions of a turn; ``first`` are the equal hotels that the placer put first."""

    tile: Tile | None = None
    hotel: int | None = None
    first: list[int] = field(default_factory=list)
    kept: dict[str, dict[int, bool]] = field(default_factory=dict)
    disposed: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    ends: bool = False

    def answer(self, name: str, ask: Ask) -> PlayerMessage:
        """What the player answers to a question of our referee."""
        match ask.message:
            case messages.Keep(hotels):
                return messages.KeepAnswer(tuple(self.kept[name][hotel] for hotel in hotels))
            case messages.Dispose(hotel):
                return messages.DisposeAnswer(*self.disposed[name, hotel])
        match ask.tag:
            case "turn":
                return self._placement(ask.state)
            case "players":
                return messages.Order(self.order, self.ends)
            case _:
                return messages.VOID

    def _placement(self, state: State) -> PlayerMessage:
        if self.tile is None:
            return messages.Pbuy(None, self.order, self.ends)
        board, tile = state.board, self.tile
        choices = hotel_choices(board, tile)
        hotel = choices[0] if len(choices) == 1 else self.hotel
        if kind_of(board, tile) is not Kind.MERGING:
            return messages.Pbuy(Placement(tile, hotel), self.order, self.ends)
        assert hotel is not None
        equal = equal_acquired(board, tile, hotel) if self.first else []
        return messages.Merge(
            Placement(tile, hotel, tuple(sorted(equal, key=[*self.first, *equal].index)))
        )


@dataclass
class Recorded:
    """A recorded game: where it begins, the decisions by turn, and the reports."""

    rulebook: Rulebook
    start: State
    turns: list[Turn]
    reports: list[Report]


# -- the games of `revised` ---------------------------------------------------------------------


def revised_game(game: dict[str, Any]) -> Recorded:
    """Read a game recorded under `revised`."""
    ends = {
        "ending": game["end"],
        "scores": {each["name"]: each["score"] for each in game["score"]},
    }
    return Recorded(
        REVISED,
        start(game),
        [_revised_turn(turn) for turn in game["turns"]],
        [
            {"sheet": _revised_sheet(game["initial"])},
            *(_revised_report(turn) for turn in game["turns"]),
            ends,
        ],
    )


def _revised_turn(turn: Mapping[str, Any]) -> Turn:
    return Turn(
        parse_tile(column_first(turn["tile"])),
        None if turn["hotel"] is None else REVISED.hotel_index(turn["hotel"]),
        kept={
            answer["player"]: {
                REVISED.hotel_index(decision["hotel"]): decision["keep"]
                for decision in answer["keep"]
            }
            for answer in turn["keep"]
        },
        order=tuple(map(REVISED.hotel_index, turn["order"])),
    )


def _revised_report(turn: Mapping[str, Any]) -> Report:
    kind, hotel = turn["kind"].lower(), turn["hotel"]
    if kind == Kind.FOUNDING.value and hotel is None:
        kind = Kind.SINGLETON.value  # all seven are on the board: nothing is founded
    named = {} if hotel is None else {"hotel": hotel}
    merged = {"merged": sorted([hotel, *turn["acquired"]])} if turn["acquired"] else {}
    return {
        "player": turn["player"],
        "tile": column_first(turn["tile"]),
        "kind": kind,
        **named,
        **merged,
        "sheet": _revised_sheet(turn["state"]),
    }


def _revised_sheet(text: str) -> Report:
    told = read_state(text)
    cells = {name[0]: held for name, held in told["hotels"].items()} | {LOOSE: told["loose"]}
    signs = {tile: sign for sign, held in cells.items() for tile in held}
    rows = ["".join(signs.get(f"{column}{row}", EMPTY) for column in range(1, 13)) for row in ROWS]
    players = told["players"]
    return {
        "board": "/".join(rows),
        "cash": {each["name"]: each["cash"] for each in players},
        "shares": {
            each["name"]: [each["shares"].get(hotel.name, 0) for hotel in REVISED.hotels]
            for each in players
        },
        "tiles": {each["name"]: names(mask(" ".join(each["tiles"]))) for each in players},
    }


# -- the games of `classic` ---------------------------------------------------------------------

ENDINGS = {
    Over.DECLARED: "declared",
    Over.ALL_TILES: "all-tiles-placed",
    Over.DEAD_ROUND: "dead-round",
}


def classic_game(game: dict[str, Any]) -> Recorded:
    """Read a game recorded under `classic`."""
    letters, count = game["chains"], game["players"]
    begin, *steps = game["steps"]
    start_sheet = _classic_sheet(begin["after"], letters)
    turns = [Turn()]
    reports: list[Report] = [{"player": SEATS[0]}]
    over = None
    for step in steps:
        _classic_step(step, turns[-1], reports[-1])
        after, over = step["after"], over_by(step["after"]["messages"])
        complete = over is not None
        for message in after["messages"]:
            match message.split():
                case [seat, "ReceivedBonus", chain, hundreds]:
                    bonus = [SEATS[int(seat)], _hotel(chain), 100 * int(hundreds)]
                    reports[-1].setdefault("bonuses", []).append(bonus)
                case [_, "MergedChains", chains]:
                    reports[-1]["merged"] = sorted(map(_hotel, chains.split(",")))
                case [seat, "TurnBegan"]:
                    turns.append(Turn())
                    reports.append({"player": SEATS[int(seat)]})
                    complete = True
        if complete:
            reports[-1 if over else -2]["sheet"] = _classic_sheet(after, letters)
    assert over is not None
    for report in reports:
        report.get("bonuses", []).sort()
    scores = dict(zip(SEATS, steps[-1]["after"]["net"], strict=False))
    end = {"ending": ENDINGS[over], "scores": scores}
    told_bag = " ".join(game["tile_bag"])
    bag = tiles(told_bag)
    board = lay_out(CLASSIC, mask_of(bag[:count]), (0,) * len(SIGNS))
    players = [
        Player(name, cash, (0,) * len(SIGNS), mask(start_sheet["tiles"][name]))
        for name, cash in start_sheet["cash"].items()
    ]
    state = position(CLASSIC, board, players, bag[count + CLASSIC.hand_size * count :])
    said = [message.split() for message in begin["after"]["messages"]]
    drew = [[SEATS[int(words[0])], words[2]] for words in said if words[1] == "DrewPositionTile"]
    deal = {"bag": told_bag, "drew": drew, "sheet": start_sheet}
    return Recorded(CLASSIC, state, turns, [deal, *reports, end])


def _classic_step(step: Mapping[str, Any], turn: Turn, report: Report) -> None:
    """Note what was decided in a step, and what the player could choose from."""
    match step["action"]:
        case "PlayTile":
            turn.tile = parse_tile(step["tile"])
            report |= {"legal": names(mask(" ".join(step["legal"]))), "tile": step["tile"]}
        case "SelectNewChain" | "SelectMergerSurvivor":
            turn.hotel = HOTELS[step["chain"]]
            report["choices"] = sorted(map(_hotel, step["legal"]))
        case "SelectChainToDisposeOfNext":
            turn.first.append(HOTELS[step["chain"]])
        case "DisposeOfShares":
            name, defunct = SEATS[step["player"]], step["defunct"]
            turn.disposed[name, HOTELS[defunct]] = (step["sell"], step["trade"])
            report.setdefault("disposals", []).append(
                [
                    name,
                    _hotel(defunct),
                    _hotel(step["survivor"]),
                    step["owned"],
                    step["survivor_available"],
                ]
            )
        case "PurchaseShares":
            turn.order = tuple(HOTELS[chain] for chain in step["buy"])
            turn.ends = step["end_game"]
            report["can_end"] = step["can_end"]
        case other:
            raise AssertionError(other)


def _hotel(letter: str) -> str:
    return CLASSIC.hotel_name(HOTELS[letter])


def _classic_sheet(after: Mapping[str, Any], letters: str) -> Report:
    to_ours = str.maketrans({letter: SIGNS[hotel] for letter, hotel in HOTELS.items()})
    racks = [names(mask(" ".join(filter(None, rack)))) for rack in after["racks"]]
    shares = [list(by_hotel(held, letters)) for held in after["shares"]]
    return {
        "board": "/".join(after["board"]).translate(to_ours),
        "cash": dict(zip(SEATS, after["cash"], strict=False)),
        "worth": dict(zip(SEATS, after["net"], strict=False)),
        "shares": dict(zip(SEATS, shares, strict=False)),
        "tiles": dict(zip(SEATS, racks, strict=False)),
        "bank": list(by_hotel(after["bank"], letters)),
        "sizes": list(by_hotel(after["size"], letters)),
        "prices": list(by_hotel(after["price"], letters)),
    }


# -- played by our referee ----------------------------------------------------------------------


def header(recorded: Recorded, number: int) -> Header:
    """The header of its log: the bag is one of ours, which the position laid out replaces.

    Where two play there is a third seat, which the position leaves empty: the recorded games have
    no stock market, which would take part at a table for two.
    """
    seats = [SeatRecord(name, "remote") for name in SEATS[: max(3, len(recorded.start.players))]]
    return Header(recorded.rulebook, SEED, number, Dealer(SEED, number).bag, tuple(seats))


def play(recorded: Recorded, number: int, emit: Callable[[Event], None]) -> None:
    """Make all recorded decisions; the reports are completed with the differences that show."""
    told = header(recorded, number)
    paid: list[Event] = []

    def hear(event: Event) -> None:
        if isinstance(event, events.TurnBegan | events.Ended):
            paid.clear()
        paid.append(event)
        emit(event)

    referee = Referee(
        told.rulebook, [seat.name for seat in told.seats], told.bag, Dealer(SEED).shuffle, hear
    )

    def segments() -> Iterator[Segment]:
        state = recorded.start
        for report in recorded.reports[1:-1]:
            yield Segment(state, 1)
            state = as_reported(referee.state, paid, report)

    questions = referee.play_segments(segments())
    asks = next(questions)
    while True:
        turn = recorded.turns[max(referee.turns, 1) - 1]
        try:
            asks = questions.send(
                {name: Reply(turn.answer(name, ask)) for name, ask in asks.items()}
            )
        except StopIteration:
            break
    differs = [Differs.TRUNCATED.value] if truncated(paid) else []
    if recorded.reports[-1]["ending"] in OVER_SOONER:
        differs.append(OVER_SOONER[recorded.reports[-1]["ending"]].value)
    if differs:
        recorded.reports[-1]["differs"] = differs


OVER_SOONER = {"tiles-exhausted": Differs.LAST_TILE, "all-tiles-placed": Differs.ALL_TILES}


def as_reported(state: State, turn: Sequence[Event], report: Report) -> State:
    """The position after a turn as the other program had it; the report notes how it differs."""
    less, again = truncated(turn), state
    if any(isinstance(event, events.SetAside) for event in turn):
        again = replaced_again(state, report["player"])
    differs = [Differs.TRUNCATED.value] if less else []
    differs += [Differs.REPLACED_AGAIN.value] if again != state else []
    if differs:
        report["differs"] = differs
    return with_less(again, less)


def convert(recorded: Recorded, path: Path, number: int) -> None:
    """Play a game and write its log, compressed."""
    file = MemoryFile()
    log = GameLog(path, file, header(recorded, number))
    play(recorded, number, log)
    log.close()
    path.write_bytes(file.compressed())
