// The page of a person's seat: draws what the wire brings, and sends the draft.
/** @import { Cell, PlacementOption, RankedStep, Seat, SeatUpdate, Step, Table } from "../html/page_data.js" */
import { CELL, cells, corner, drawBoard, frame, layBoard } from "../html/board.js";
import { addSteps, clearSteps, current, EVENTS, FREE, game, lastStep, seats, steps, tables, TILES } from "../html/course.js";
import { seatColor, writeSentence } from "../html/sentences.js";
import { drawHotels, drawPlayers, row } from "../html/tables.js";
import { byId, dollars, make, notice, plural, shape } from "../html/text.js";
import { panel } from "./controls.js";
import { asAnswer, chooseTile, emptyDraft, isEmpty, isReady, optionNow, refuse, seat, settle, undo } from "./draft.js";
import { drawAdvice, drawHints, forgetAdvice, openGuide } from "./guide.js";
import { isToldOnly, summary, task, waitingFor } from "./words.js";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
let byKey = false; // whether the focus shall be where the next choice is

/** @param {Step} step */
function listStep(step) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : step.player === seat.me ? "own" : undefined);
  writeSentence(line, step);
  byId("events").append(line);
}

// -- drawing --------------------------------------------------------------------------------------
// The board as it would be after the draft; or as it is after one's own merging tile, of which the wire
// says nothing before the merger is settled.
function preview() {
  const table = tables[current.at], option = optionNow(), merger = mergerNow();
  if (merger) return merger.after(table);
  if (!option) return table;
  const board = table.board.slice();
  if (option) for (const [cell, what] of option.board) board[cell] = what;
  return { ...table, board };
}

// The person's own merger that has been sent.
/** @type {{ cell: Cell, turn: number, after: (table: Table) => Table } | null} */
let merging = null;
// The same until the wire tells of it.
const mergerNow = () => {
  const { at } = current;
  return merging !== null && steps[at].turn === merging.turn && tables[at].board[merging.cell] === FREE ? merging : null;
};

/** @param {PlacementOption} option @param {Cell} cell */
function noteMerger(option, cell) {
  const { turn } = steps[current.at];
  /** @param {Table} table */
  const after = (table) => {
    const board = table.board.slice(), players = table.players.slice(), own = players[seat.me];
    for (const [place, what] of option.board) board[place] = what;
    if (own.hand) players[seat.me] = { ...own, hand: own.hand.filter((tile) => tile !== cell) };
    return { ...table, board, players };
  };
  merging = { cell, turn, after };
}

// Tiles that others have placed since one's own last turn, each with its player.
function placedSince() {
  /** @type {[Cell, Seat | undefined][]} */
  const found = [];
  for (let back = current.at; back >= 0; back -= 1) {
    const { kind, tile, player } = steps[back];
    if (!TILES.has(kind) || tile === undefined) continue;
    if (player === seat.me) break;
    found.push([tile, player]);
  }
  return found;
}

function drawOwnTiles() {
  const { question, draft } = seat;
  const mine = new Set(question?.kind === "turn" ? question.tiles.map((tile) => tile.cell) : []), marks = byId("marks");
  cells.forEach(({ square }, cell) => {
    square.classList.toggle("mine", mine.has(cell) && cell !== draft.cell);
    if (mine.has(cell) && cell !== draft.cell) square.style.fill = "";
  });
  for (const [tile, player] of placedSince()) {
    const ring = frame(tile, "since", 1);
    if (player !== undefined) ring.style.stroke = seatColor(player);
    marks.append(frame(tile, "halo", 1), ring);
  }
  const chosen = mergerNow()?.cell ?? draft.cell;
  if (chosen !== null) marks.append(frame(chosen, "halo", 1), frame(chosen, "chosen", 1));
  if (question?.kind === "turn") for (const { cell } of question.tiles.filter((tile) => !tile.options)) {
    const { x, y } = corner(cell);
    marks.append(shape("text", { class: "barred", x: x + CELL - 5, y: y + 11, "text-anchor": "end" }, "✕"));
  }
}

function markOwnRow() {
  const name = byId("players").tBodies[seat.me]?.querySelector(".name");
  name?.after(make("span", "you", "you"));
}

/** @param {Element | null} element */
const keyOf = (element) => (element instanceof HTMLElement ? element.dataset.key : undefined);

// Controls are made anew; the one with the focus keeps it.
function drawPanel() {
  const { question, over, sending } = seat, focused = keyOf(document.activeElement), asked = Boolean(question) && !sending;
  byId("move").classList.toggle("asked", asked);
  byId("task").textContent = task();
  if (!question && !over) byId("task").replaceChildren(...waitingFor());
  byId("choices").replaceChildren(...panel());
  byId("send-part").hidden = !question;
  if (question) {
    byId("send").disabled = sending || !isReady();
    byId("send").textContent = isToldOnly() ? "Continue" : "Send";
    byId("suggest").hidden = byId("undo").hidden = isToldOnly();
    byId("undo").disabled = sending || isEmpty();
    byId("summary").textContent = isReady() ? summary(question) : "";
  }
  drawHints();
  drawAdvice();
  if (focused) focusControl(focused);
}

/** @param {string} selector @returns {HTMLElement | null} */
const control = (selector) => byId("move").querySelector(selector);

// Focus the control with this key, or the next choice if it has gone.
/** @param {string} key */
function focusControl(key) {
  const again = control(`[data-key="${key}"]:not(:disabled)`) ?? control("#send:not(:disabled), #choices button:not(:disabled)");
  (again ?? byId("events")).focus({ preventScroll: true });
}

// Scores, and what they consist of where nothing is hidden.
/** @param {RankedStep[]} ranked */
function scoreTable(ranked) {
  const table = make("table"), head = make("thead"), body = make("tbody");
  const whole = ranked.every((step) => step.made);
  head.append(row("th", ["player", ...(whole ? ["cash", "bonuses", "certificates"] : []), "score"]));
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, ...(whole && step.made ? step.made.map(dollars) : []), make("b", dollars(step.score))]);
    line.cells[0].append(make("bdi", seats[step.player].name));
    if (step.player === seat.me) line.className = "own";
    body.append(line);
  }
  for (const line of [...head.rows, ...body.rows]) line.cells[0].className = "who";
  table.append(head, body);
  return table;
}

function drawResult() {
  const ranked = steps.filter((step) => step.kind === "ranked"), part = byId("result"), { over } = seat;
  byId("move").hidden = Boolean(over);
  part.hidden = !over;
  if (!over) return;
  if (byId("intro").open) byId("intro").close();
  const own = ranked.find((step) => step.player === seat.me), tied = ranked.some((step) => step !== own && step.rank === own?.rank);
  /** @type {Node[]} */
  const made = [make("h2", own ? `You are ${tied ? "tied " : ""}${ORDINALS[own.rank - 1]} of ${ranked.length}.` : "The game has ended.")];
  if (over.text) made.push(make("p", over.text));
  const why = steps.find((step) => step.kind === "ended");
  if (why) made.push(make("p", why.text));
  if (ranked.length) made.push(scoreTable(ranked));
  if (over.replay) {
    const link = make("a", "Watch the replay"), command = make("p", undefined, "note");
    Object.assign(link, { href: "replay", target: "_blank" }); // the game ends with this page
    command.append(link, " in a new tab, while this page is open, or in a terminal: ", make("code", over.replay));
    made.push(command, make("p", "For another game run acquire play --browser again.", "note"));
  }
  part.replaceChildren(...made);
}

function headline() {
  const result = steps.find((step) => step.kind === "result");
  if (result) return result;
  const told = steps.filter((step) => step.kind !== "turn" && step.text);
  const since = told.slice(told.findLastIndex((step) => step.player === seat.me && TILES.has(step.kind)) + 1);
  const event = since.findLast((step) => EVENTS.has(step.kind) || step.kind === "acquiring"); // rather than a purchase after it
  if (event) return event;
  return told[told.length - 1] ?? steps[current.at];
}

function drawAll() {
  if (!steps.length) return;
  current.at = steps.length - 1;
  const table = tables[current.at], { turn } = lastStep();
  writeSentence(byId("sentence"), headline());
  drawBoard(preview());
  drawOwnTiles();
  drawPlayers(mergerNow()?.after(table) ?? table);
  markOwnRow();
  drawHotels(table);
  drawPanel();
  drawResult();
  byId("facts").textContent = `rulebook ${game.rulebook} · turn ${turn} · ${plural(table.bag, "tile")} in the bag`;
  document.title = seat.question ? "Your move – Acquire" : "Acquire – your seat";
}

// -- the wire -------------------------------------------------------------------------------------
/** @param {Event} event */
async function send(event) {
  event.preventDefault();
  const { question, draft } = seat;
  if (!question || seat.sending || !isReady()) return;
  seat.sending = true;
  const asked = question.id, answer = asAnswer(question), option = optionNow();
  if (question.kind === "turn" && option && !option.purchase && draft.cell !== null) noteMerger(option, draft.cell);
  drawPanel();
  try {
    const response = await fetch("answer", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(answer) });
    if (!response.ok) {
      merging = null;
      refuse(await response.text());
    }
  } catch {
    merging = null;
    refuse("The answer could not be sent. Is acquire play still running?");
  }
  seat.sending = false;
  if (seat.question?.id === asked) drawPanel();
}

/** @param {SeatUpdate} update */
function take(update) {
  if (update.from === 0 && steps.length) {
    clearSteps();
    byId("events").replaceChildren();
  }
  addSteps(update.frames);
  update.frames.forEach(listStep);
  const isNew = update.question?.id !== seat.question?.id, focused = document.activeElement === document.body || byId("move").contains(document.activeElement);
  seat.over = update.over;
  seat.question = update.question;
  if (isNew) {
    seat.draft = emptyDraft();
    forgetAdvice();
    settle();
    seat.sending = false;
    refuse("");
  }
  drawAll();
  if (!byId("events").matches(":hover, :focus")) byId("events").scrollTop = byId("events").scrollHeight;
  if (isNew && seat.question && focused && byKey) control("#choices button:not(:disabled), #choices input")?.focus({ preventScroll: true });
}

function begin() {
  seat.draw = drawAll;
  byId("view").value = String(seat.me); // whose hand the board shows
  layBoard();
  for (const [cell, { square }] of cells.entries()) square.addEventListener("click", () => chooseTile(cell));
  byId("move").addEventListener("submit", send);
  byId("undo").addEventListener("click", undo);
  document.addEventListener("pointerdown", () => { byKey = false; });
  document.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Escape" && !byId("intro").open && seat.question && !seat.sending && !isEmpty()) undo();
  });
  openGuide();
  const source = new EventSource("events");
  source.onmessage = (message) => {
    notice("");
    take(JSON.parse(message.data));
    if (seat.over) source.onerror = () => source.close();
  };
  source.onerror = () => notice("The connection to acquire play is lost. Is it still running?");
}

begin();
