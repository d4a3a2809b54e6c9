// The result: a card with how the game ended, shown at its end, and at any step when it is asked for.
/** @import { RankedStep, Seat, Step, Table } from "./page_data.js" */
import { fillOf } from "./board.js";
import { allIsOpen, COLUMNS, current, data, game, lastStep, seats, steps, tables } from "./course.js";
import { plotted, worthOf } from "./plot.js";
import { dashes, named, seatColor, seatNumber, sentence } from "./sentences.js";
import { row } from "./tables.js";
import { byId, dollars, make, plural, shape } from "./text.js";

let resultAsked = false;
/** @param {Step} step */
const isInterrupted = (step) => step.kind === "ended" && step.ending === "interrupted";
export const resultPlace = () => steps.findIndex((step) => step.kind === "result" || isInterrupted(step));
export const resultShown = () => resultPlace() >= 0 && (resultAsked || current.at >= resultPlace());

// What decided the game for each player, if the page has an analysis and it follows from nothing hidden in this view.
function whatDecided() {
  const decided = allIsOpen() ? data.analysis?.decided ?? [] : [];
  return decided.map(({ player, turn, sentences }) => {
    const part = make("details"), head = make("summary"), told = make("p"), link = make("a", `Show turn ${turn}`);
    head.append(named(player));
    link.href = `#turn=${turn}`;
    told.append(...sentences.flatMap((text) => [make("bdi", text), " "]), link, ".");
    part.append(head, told);
    part.open = decided.length === 1;
    return part;
  });
}

/** @param {Seat[]} places */
function isolatedNames(places) {
  return places.flatMap((place, index) => {
    const between = !index ? [] : [index === places.length - 1 ? " and " : ", "];
    return [...between, make("bdi", seats[place].name)];
  });
}

/** @param {RankedStep[]} ranked */
function resultHead(ranked) {
  const head = make("h2"), result = steps[resultPlace()], winners = result.kind === "result" ? result.winners : [];
  const rest = ranked.find((step) => step.finished && !winners.includes(step.player));
  const first = ranked[0]?.score ?? 0;
  head.id = "outcome-head";
  if (isInterrupted(result)) head.append("The game was interrupted");
  else if (!winners.length) head.append("No player finished");
  else if (winners.length > 1) head.append(...isolatedNames(winners), ` tie with ${dollars(first)} each`);
  else head.append(...isolatedNames(winners), rest ? ` wins by ${dollars(first - rest.score)}` : " is the only player to finish");
  return head;
}

// When and why a player was ejected, if it was before the end; the reason is a code in the sentence.
/** @param {Seat} player */
function ejection(player) {
  const step = steps.find((each) => each.kind === "ejected" && each.player === player);
  if (!step) return "ejected";
  const reason = /^ is ejected \(([\w-]+)\)/.exec(step.text.slice(seats[player].rawName.length));
  return `ejected ${step.turn ? `in turn ${step.turn}` : "at the set-up"}${reason ? `: ${reason[1]}` : ""}`;
}

/** @param {RankedStep} step */
function placeLine({ player, rank, score, finished }) {
  const { name, strategy } = seats[player];
  const line = row("td", [`${rank}.`, "", finished ? dollars(score) : "·"]);
  const cell = line.cells[1];
  cell.append(seatNumber(player), make("bdi", name, "name"));
  if (!finished) cell.append(" ", make("span", ejection(player), "fall"));
  else if (strategy && strategy !== name) cell.append(" ", make("span", strategy, "fall"));
  cell.className = "who";
  if (rank === 1 && finished) line.className = "winner";
  return line;
}

// Pictures of the last board and of the way to it; both are on the page at full size.
/** @param {Table} table */
function boardPicture(table) {
  const picture = shape("svg", { viewBox: "0 0 120 90", "aria-hidden": "true" });
  table.board.forEach((what, cell) => {
    const tile = shape("rect", { x: (cell % COLUMNS) * 10 + 0.5, y: Math.floor(cell / COLUMNS) * 10 + 0.5, width: 9, height: 9, rx: 1.5 });
    tile.style.fill = fillOf(what);
    picture.append(tile);
    const hotel = game.hotels[what];
    if (!hotel) return;
    const letter = shape("text", { x: (cell % COLUMNS) * 10 + 5, y: Math.floor(cell / COLUMNS) * 10 + 7.8, "text-anchor": "middle" }, hotel.letter);
    letter.style.fill = hotel.ink;
    picture.append(letter);
  });
  return picture;
}

function worthPicture() {
  const picture = shape("svg", { viewBox: "0 0 120 90", preserveAspectRatio: "none", "aria-hidden": "true" }), last = steps.length - 1;
  seats.forEach((_, player) => {
    const points = tables.flatMap((table, place) => {
      const worth = steps[place].kind === "turn" || place === last ? worthOf(table, player) : null;
      return worth === null ? [] : [`${((119 * place) / last).toFixed(1)} ${(88 - (86 * worth) / plotted.most).toFixed(1)}`];
    });
    if (!points.length) return;
    const line = shape("path", { d: `M${points.join("L")}`, "stroke-dasharray": dashes(player) });
    line.style.stroke = seatColor(player);
    picture.append(line);
  });
  return picture;
}

/** @param {string} date */
const dateWords = (date) => (date ? ` · ${new Date(date).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" })}` : "");

/** @returns {NodeListOf<HTMLButtonElement>} */
const resultButtons = () => document.querySelectorAll("[data-do=result]");

export function drawResult() {
  const card = byId("outcome"), isShown = resultShown();
  card.hidden = !isShown;
  for (const button of resultButtons()) {
    button.hidden = resultPlace() < 0;
    button.setAttribute("aria-expanded", String(isShown));
  }
  if (!isShown) return;
  const ranked = steps.filter((step) => step.kind === "ranked"), ended = steps.find((step) => step.kind === "ended");
  const places = make("table"), body = make("tbody"), pictures = make("div", undefined, "pictures"), decided = whatDecided();
  body.append(...ranked.map(placeLine));
  places.append(make("caption", "Final standings", "unseen"), body);
  pictures.append(boardPicture(tables[resultPlace()]), worthPicture());
  const how = ended ? sentence(ended).replace("The game is over. ", "") : "";
  const last = lastStep().turn;
  const facts = `Acquire${dateWords(game.date)} · rulebook ${game.rulebook} · ${plural(last, "turn")} · ${ended?.regular === false ? "irregular" : "regular"} ending · seed ${game.seed}`;
  card.replaceChildren(resultHead(ranked), ...(ranked.length ? [places] : []), pictures, ...(decided.length ? [make("h3", "What decided it for"), ...decided] : []), make("p", how, "how"), make("p", facts, "note"));
}

// The ranks so far, while the card is not shown.
export function ranksSoFar() {
  const ranked = resultShown() ? [] : steps.slice(0, current.at + 1).filter((step) => step.kind === "ranked");
  if (!ranked.length) return [];
  const table = make("table"), head = make("thead"), body = make("tbody");
  head.append(row("th", ["player", "score"]));
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, step.finished ? dollars(step.score) : "ejected"]);
    line.cells[0].append(named(step.player));
    body.append(line);
  }
  for (const line of [...head.rows, ...body.rows]) line.cells[0].className = "who";
  table.append(head, body);
  return [make("h2", "Standings"), table];
}

// Show the result, or show it no more.
export function askResult() {
  resultAsked = current.at >= resultPlace() || !resultAsked;
}
