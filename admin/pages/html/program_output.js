// What programs printed, beside each turn. A player's view has the output of its own program only.
/** @import { Seat } from "./page_data.js" */
import { allIsOpen, current, data, isOwn, seats, steps, view } from "./course.js";
import { go } from "./moving.js";
import { seatNumber } from "./sentences.js";
import { byId, make } from "./text.js";

let printedShown = "";
const shownOutputs = () => Object.entries(data.printed ?? {}).map(([place, printed]) => ({ place: Number(place), ...printed }))
  .filter(({ place }) => allIsOpen() || isOwn(place));

/** @param {{ place: Seat, text: string }} output */
function drawOutput({ place, text }) {
  const title = make("h3"), words = make("pre", text, "output");
  title.append(seatNumber(place), make("bdi", seats[place].name));
  words.tabIndex = 0;
  words.dir = "auto";
  words.setAttribute("role", "group");
  words.setAttribute("aria-label", `Output of ${seats[place].name}`);
  return [title, words];
}

/** @param {1 | -1} direction */
function printedTurn(direction) {
  const turns = shownOutputs().flatMap(({ turns }) => turns.map(([turn]) => turn)).sort((one, other) => direction * (one - other));
  return turns.find((turn) => direction * (turn - steps[current.at].turn) > 0);
}

/** @param {1 | -1} direction */
export function goPrinted(direction) {
  const turn = printedTurn(direction), place = steps.findIndex((step) => step.turn === turn);
  if (place >= 0) go(place);
}

export function drawPrinted() {
  if (!document.getElementById("printed")) return;
  const turn = steps[current.at].turn, key = `${view()} ${turn}`;
  if (key === printedShown) return; // so that a scrolled text stays where it is
  printedShown = key;
  const outputs = shownOutputs(), missing = outputs.some(({ cut, turns }) => cut && turn < (turns[0]?.[0] ?? Infinity));
  const found = outputs.flatMap(({ place, turns }) => turns.filter(([of]) => of === turn).map(([, text]) => ({ place, text })));
  const when = turn ? `in turn ${turn}` : "before the first turn";
  const nothing = make("p", missing ? "Only the end of a long output is kept, and this is before it." : `Nothing ${when}.`, "note");
  byId("outputs").replaceChildren(...(found.length ? found.flatMap(drawOutput) : [nothing]));
  byId("printed-back").disabled = printedTurn(-1) === undefined;
  byId("printed-on").disabled = printedTurn(1) === undefined;
}
