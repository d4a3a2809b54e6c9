"""What Python writes for the pages has the types of ``page_data.d.ts``: ``tsc`` compares them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from analysis.test_why_in_a_browser import analysis
from golden_games import FOLDER

from acquire.admin.pages.html.replay_page import page
from acquire.admin.pages.seat.adviser import suggestion
from acquire.admin.pages.seat.choices import question_fields
from acquire.admin.pages.seat.person import SeatFrames
from acquire.admin.refereeing.log.reader import read
from acquire.admin.studying.analysis.analysis_report import as_json
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.played_games import play_game
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.messages import PlayerMessage, RefereeMessage

CHECKER = Path(__file__).parent / "node_modules" / ".bin" / "tsc"
TYPES = Path(__file__).parents[2] / "admin" / "pages" / "html" / "page_data"
OPTIONS = (
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "es2022",
    "--moduleResolution",
    "bundler",
)


def data_of(html: str) -> Any:
    """The data in a page."""
    return json.loads(html.partition('id="data">')[2].partition("</script>")[0])


def one_of_each(values: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One value of each kind and each set of keys; thousands would say no more."""
    return list({(each.get("kind"), *sorted(each)): each for each in values}.values())


class AtThePage:
    """A player at random, and what its page is sent meanwhile."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self._player = Random(rulebook, seed)
        self._knowledge = Knowledge(rulebook, "me")
        self.wire = SeatFrames(rulebook, "me")
        self.questions: list[dict[str, Any]] = []
        self.advice: list[dict[str, Any]] = []

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer a message, and note what the page would ask."""
        answer = self._player(message)
        if isinstance(message, messages.SignUp):
            return answer
        asked = self._knowledge.hear(message)
        self.wire.take(message, self._knowledge, asked)
        if asked is not None:
            fields = question_fields(asked, self._knowledge.seated)
            if fields["kind"] not in {each["kind"] for each in self.questions}:
                self.advice.append({"id": 1, **suggestion(self._knowledge, asked)})
            self.questions.append({"id": 1, **fields})
            self._knowledge.answered(answer)
            self.wire.heard.answered(asked, answer)
        return answer


def at_the_page(rulebook: Rulebook, seed: int) -> AtThePage:
    """A game in this process with a person."""
    me = AtThePage(rulebook, seed)
    play_game({"ann": "random", "me": lambda *_: me, "bob": "random"}, rulebook, seed)
    return me


def test_page_data_is_of_the_types_that_the_scripts_rely_on(tmp_path: Path) -> None:
    if not CHECKER.exists():
        pytest.skip("needs tsc: make lint-scripts")
    pages = [data_of(page(read(log))) for log in sorted(FOLDER.glob("*.xml"))]
    seats = [at_the_page(rulebook, seed) for rulebook in RULEBOOKS.values() for seed in (3, 4)]
    kinds = {each["kind"] for seat in seats for each in seat.questions}
    assert kinds >= {"turn", "order", "keep", "dispose"}
    samples = {
        "Step[]": one_of_each(
            [step for one in pages for step in one["steps"]]
            + [step for seat in seats for step in seat.wire.frames]
        ),
        "GamePage[]": [one | {"steps": []} for one in pages],
        "Game[]": [seat.wire.fields() for seat in seats],
        "Analysis": as_json(analysis()),
        "Question[]": [each for seat in seats for each in seat.questions],
        "Advice[]": [each for seat in seats for each in seat.advice],
    }
    lines = [f'import type * as data from "{TYPES}.js";']
    lines += [
        f"export const sample{at}: data.{name} = {json.dumps(sample)};"
        for at, (name, sample) in enumerate(samples.items())
    ]
    source = tmp_path / "sample.ts"
    source.write_text("\n".join(lines))
    done = subprocess.run(
        [CHECKER, *OPTIONS, source], capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stdout[:3000]
