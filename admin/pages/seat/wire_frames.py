"""Frames of a game from one player's messages, for the script that draws replays.

They are those of :mod:`acquire.admin.refereeing.view.frames`, as far as the player knows: what is
hidden is absent.
"""

from collections.abc import Sequence
from typing import Any

from ....game.market import takes_part
from ....game.placement import playable
from ....game.rulebook import EmptyBag, Rulebook, StuckHand
from ....game.tiles import tile_name, tile_names
from ....game.turn import Ending, pay_out, regular_ending
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.known import Known
from ....protocol.messages import RefereeMessage
from ....protocol.question import Question
from ...refereeing.log.writer import Header, SeatRecord
from ...refereeing.view.frames import FREE, Frame, board_cells, bonuses_now, cells_of
from ...refereeing.view.sentences import dollars
from ..html.replay_page import game_fields
from .narration import (
    Settled,
    Told,
    acquired,
    bonuses,
    certificates,
    listed,
    placed,
    tell,
)


class WireFrames:
    """The frames so far of a player's game. ``take`` every message, in order."""

    def __init__(self, rulebook: Rulebook, name: str) -> None:
        self._rulebook = rulebook
        self._name = name
        self.frames: list[Frame] = []
        self.names: list[str] = []
        """All players in turn order, once the game has begun."""
        self._known: Known | None = None
        self._settled = Settled()
        self._turn = 0
        self._drawn: list[str] = []
        self._board: list[int] = []
        self._players: dict[str, Frame] = {}

    def fields(self) -> dict[str, Any]:
        """Return what the page has to know of the game beside its frames."""
        seats = tuple(SeatRecord(name, "remote") for name in self.names)
        fields = game_fields(Header(self._rulebook, 0, 1, (), seats))
        del fields["seed"]  # which the player is not sent
        return fields | {"me": self.names.index(self._name)}

    def take(self, message: RefereeMessage, knowledge: Knowledge, asked: Question | None) -> None:
        """Take a message, what is known with it, and what it asks."""
        known = knowledge.known if asked is None else asked.known
        match message:
            case messages.State() | messages.StateView():
                assert known is not None
                self._committed(known)
            case messages.Turn() | messages.TurnView():
                assert known is not None
                if self._changed(known):
                    self._add("hand", f"{self._name} has a new hand.", known, self._name)
            case messages.Keep(hotels):
                self._begin_merger(hotels)
            case messages.Dispose(hotel=hotel, survivor=survivor):
                assert known is not None
                self._merged(known)
                name = self._rulebook.hotel_name
                self._add("acquiring", f"{name(survivor)} acquires {name(hotel)}.", known)
            case messages.Holders(hotel, counts):
                held = ", ".join(f"{name} {count}" for name, count in counts) or "nobody"
                self._note(f"Holders of {self._rulebook.hotel_name(hotel)}: {held}.")
            case messages.MarketTile(hotel, tile, count):
                drawn = "nothing" if tile is None else tile_name(tile)
                held = certificates(count, self._rulebook.hotel_name(hotel))
                self._note(f"The market draws {drawn}: it holds {held}.")
            case messages.Players() | messages.PlayersView():
                assert known is not None
                self._add("settled", "The merger is paid out.", known)
            case messages.NewTile(tile):
                self._drawn.append(tile_name(tile))
            case messages.Score(results=results) | messages.ScoreView(results=results):
                assert known is not None
                self._ended(results, known)

    def closed(self, text: str) -> None:
        """Take why the game went on without the player, or not at all."""
        if self.names:
            self._note(text)

    # -- positions ------------------------------------------------------------------------------

    def _committed(self, known: Known) -> None:
        """Take the position after the setup or after a turn."""
        mover = known.state.mover.name
        if self._known is None:
            self.names = [seat.name for seat in known.seats]
            self._add("deal", f"The table is set. {mover} moves first.", known, mover)
        else:
            self._tell(known)
        if self._drawn:
            self._note(f"{self._name} draws {' and '.join(self._drawn)}.", self._name)
            self._drawn.clear()
        self._known = known
        self._turn += 1
        self._add("turn", f"Turn {self._turn}: {mover}", known, mover)

    def _begin_merger(self, hotels: Sequence[int]) -> None:
        """Tell which hotels are acquired, and pay bonuses; by which tile is heard at its end."""
        assert self._known is not None
        mover, names = self._known.state.mover.name, map(self._rulebook.hotel_name, hotels)
        verb = "is" if len(hotels) == 1 else "are"
        self._note(
            f"{mover} merges hotels: {listed([*names])} {verb} acquired.", mover, "acquiring"
        )
        for told in bonuses(self._known, hotels, market=self._market):
            self._note(told.text, told.player)
            holds = self._players.get(told.player or "", {})
            if "cash" in holds and told.player is not None:
                paid = {**holds, "cash": holds["cash"] + told.amount}
                self._players[told.player] = paid
                self.frames[-1]["players"] = {str(self.names.index(told.player)): paid}
        self._settled = Settled(bonuses=True)

    def _merged(self, known: Known) -> None:
        """Take the position in which a merger is settled, the first time."""
        before = self._known
        assert before is not None
        if self._settled.placed or not (gone := acquired(before, known)):
            return
        self._settled = Settled(placed=True, bonuses=True)
        mover = before.state.mover.name
        self._show(placed(before, known, mover), known)
        for told in bonuses(before, gone, market=self._market):
            self._show(told, known)

    def _tell(self, known: Known) -> None:
        assert self._known is not None
        for told in tell(self._known, known, self._settled, market=self._market):
            self._show(told, known)
        self._settled = Settled()

    def _show(self, told: Told, known: Known) -> None:
        self._add(told.kind, told.text, known, told.player)
        if told.tile is not None:
            self.frames[-1]["tile"] = cells_of(1 << told.tile)[0]

    @property
    def _market(self) -> bool:
        return takes_part(self._rulebook, len(self.names))

    def _ended(self, results: tuple[tuple[str, int], ...], known: Known) -> None:
        if self._changed(known):
            self._tell(known)
        why = "" if (ending := self._ending(known)) is None else ending.sentence
        if ending is Ending.NOTHING_PLACEABLE:
            mover = known.state.mover
            why += f" {mover.name} could place none of {tile_names(mover.hand)}."
        self._add("ended", f"The game is over. {why}".strip(), known)
        best = results[0][1] if results else 0
        winners = [name for name, score in results if score == best]
        made = self._made(known)
        for name, score in results:
            rank = 1 + sum(other > score for _, other in results)
            self._note(f"{rank}. {name}, {dollars(score)}.", name, "ranked")
            self.frames[-1] |= {"rank": rank, "score": score, "finished": True}
            if "worth" in self._players.get(name, {}):  # which does not count the stock market
                self.frames[-1]["players"] = {str(self.names.index(name)): {"worth": score}}
            if sum(made.get(name, ())) == score:
                self.frames[-1]["made"] = made[name]
        tie = "tie for first place with" if len(winners) > 1 else "wins with"
        self._note(
            f"{listed(winners)} {tie} {dollars(best)}{' each' if winners[1:] else ''}.",
            None,
            "result",
        )
        self.frames[-1]["winners"] = [self.names.index(name) for name in winners]

    def _ending(self, known: Known) -> Ending | None:
        """Return why the game is over, as far as the player can tell."""
        state = known.state
        if (found := regular_ending(state)) is not None:
            return found
        stuck = state.rulebook.stuck_hand is StuckHand.ENDS_GAME
        if stuck and state.mover.hand and not playable(state):
            return Ending.NOTHING_PLACEABLE
        empty = state.rulebook.empty_bag is EmptyBag.ENDS_GAME
        return Ending.BAG_EMPTY if empty and not known.bag else None

    def _made(self, known: Known) -> dict[str, list[int]]:
        """Return of what each score consists: cash, bonuses, certificates; nothing if hidden."""
        if any(seat.cash is None or seat.shares is None for seat in known.seats):
            return {}
        paid, scores = pay_out(known.state)
        made = {}
        for name, score in scores:
            cash = known.state.player(name).cash
            bonus = sum(one.amount for one in paid if one.name == name)
            made[name] = [cash, bonus, score - cash - bonus]
        return made

    # -- frames ---------------------------------------------------------------------------------

    def _note(self, text: str, player: str | None = None, kind: str = "note") -> None:
        frame: Frame = {"turn": self._turn, "kind": kind, "text": text}
        if player is not None:
            frame["player"] = self.names.index(player)
        self.frames.append(frame)

    def _add(self, kind: str, text: str, known: Known, player: str | None = None) -> None:
        """Add a frame, with what the position changes."""
        self._note(text, player, kind)
        frame, state = self.frames[-1], known.state
        board = board_cells(state)
        before = self._board or [FREE] * len(board)
        if changed := [[cell, what] for cell, what in enumerate(board) if what != before[cell]]:
            frame["board"] = changed
        self._board = board
        frame |= {"bank": list(state.bank), "bag": known.bag}
        now = self._holdings(known)
        frame["players"] = {
            str(self.names.index(name)): holds
            for name, holds in now.items()
            if holds != self._players.get(name)
        }
        self._players = now

    def _changed(self, known: Known) -> bool:
        return board_cells(known.state) != self._board or self._holdings(known) != self._players

    def _holdings(self, known: Known) -> dict[str, Frame]:
        """Return what the player knows of everybody, by name."""
        found: dict[str, Frame] = {name: {"out": True} for name in self.names}
        shares_known = all(seat.shares is not None for seat in known.seats)
        bonuses = bonuses_now(known.state) if shares_known else {}
        worths = dict(pay_out(known.state).scores) if shares_known else {}
        for seat in known.seats:
            holds: Frame = {"out": False}
            if seat.cash is not None:
                holds["cash"] = seat.cash
            if seat.shares is not None:
                holds["shares"] = list(seat.shares)
            if seat.hand or not seat.tiles:
                holds["hand"] = cells_of(seat.hand)
            if shares_known:
                holds["bonus"] = bonuses[seat.name]
                if seat.cash is not None:
                    holds["worth"] = worths[seat.name]
            found[seat.name] = holds
        return found
