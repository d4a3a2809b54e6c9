// The page of a person's seat: draws what the wire brings, and sends the draft.
/** @import { Cell, PlacementOption, Question, Seat, SeatUpdate, Table } from "../html/page_data.js" */
import { CELL, cells, corner, drawBoard, fillOf, frame, layBoard } from "../html/board.js";
import { addSteps, clearSteps, current, data, EVENTS, FREE, game, LOOSE, mover, seats, steps, tables, TILES } from "../html/course.js";
import { hear } from "../html/hearing.js";
import { drawMerger, formerTiles } from "../html/merger.js";
import { seatColor, writeSentence } from "../html/sentences.js";
import { drawHotels, drawPlayers } from "../html/tables.js";
import { byId, make, notice, plural, shape } from "../html/text.js";
import { catching, catchUp, isBehind, skip } from "./catching_up.js";
import { clock, drawClock, setClock } from "./clock.js";
import { panel } from "./controls.js";
import { asAnswer, chooseTile, emptyDraft, isEmpty, isReady, optionNow, refuse, seat, settle, undo } from "./draft.js";
import { drawAdvice, drawHints, drawLesson, endShownLessons, openGuide } from "./guide.js";
import { drawOutcome, inLobby, matchLink, retried } from "./outcome.js";
import { drawNear, drawSince, drawStanding, leaders } from "./since.js";
import { summary, task, waitingFor } from "./words.js";

const SEND_BAR = 90; // pixels that it covers
let byKey = false; // whether the focus shall be where the next choice is

// What is asked once the page has caught up.
/** @type {Question | null} */
let pending = null;

// Whether the list of what happened shall be at its newest line: until somebody scrolls up in it.
const following = { is: true, top: 0 };
function follow() {
  const list = byId("events");
  if (!following.is) return;
  list.scrollTop = list.scrollHeight;
  following.top = list.scrollTop;
}
function noteScroll() {
  const { scrollTop, clientHeight, scrollHeight } = byId("events"), atEnd = scrollTop + clientHeight > scrollHeight - 8;
  following.is = atEnd || (following.is && scrollTop >= following.top);
}

// List what has happened up to the step that is shown.
function listSteps() {
  const list = byId("events");
  for (const step of steps.slice(list.children.length, current.at + 1)) {
    const line = make("li", undefined, step.kind === "turn" ? "turn" : step.player === seat.me ? "own" : undefined);
    writeSentence(line, step);
    list.append(line);
  }
  follow();
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
  const { turn } = steps[steps.length - 1];
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
function othersTiles() {
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
  if (draft.cell !== null && !optionNow()) { // it is placed, whatever hotel it will belong to
    cells[draft.cell].square.style.fill = fillOf(LOOSE);
    cells[draft.cell].text.style.fill = "var(--paper)";
  }
  for (const [tile, player] of othersTiles()) {
    const ring = frame(tile, "since", 1);
    if (player !== undefined) ring.style.stroke = seatColor(player);
    marks.append(frame(tile, "halo", 1), ring);
  }
  const chosen = mergerNow()?.cell ?? draft.cell;
  if (chosen !== null) {
    marks.append(frame(chosen, "halo", 1), frame(chosen, "chosen", 1));
  }
  if (question?.kind === "turn") for (const { cell } of question.tiles.filter((tile) => !tile.options)) {
    const { x, y } = corner(cell);
    marks.append(shape("text", { class: "barred", x: x + CELL - 5, y: y + 11, "text-anchor": "end" }, "✕"));
  }
}

/** @param {Table} table */
function markOwnRow(table) {
  const name = byId("players").querySelector(`tbody[data-player="${seat.me}"] .name`);
  const { question } = seat, asks = question && question.kind !== "turn" && mover() !== seat.me;
  name?.after(make("span", "you", "you"), ...(asks ? [make("span", "to answer", "moving")] : []));
  if (!seat.over) for (const { player } of leaders(table)) byId("players").querySelector(`tbody[data-player="${player}"] .name`)?.after(make("span", "leads", "moving"));
  if (retried) for (const other of byId("players").querySelectorAll(".name")) if (other !== name) other.after(make("span", `played by ${retried.by}`, "you"));
}

/** @param {Element | null} element */
const keyOf = (element) => (element instanceof HTMLElement ? element.dataset.key : undefined);

// Controls are made anew; the one with the focus keeps it.
function drawPanel() {
  const { question, over, sending } = seat, focused = keyOf(document.activeElement), asked = Boolean(question) && !sending;
  byId("move").classList.toggle("asked", asked);
  byId("task").textContent = task();
  if (!question && (!over || isBehind())) byId("task").replaceChildren(...waitingFor(isBehind()));
  byId("skip").hidden = !isBehind();
  const bought = Boolean(control(".purchase"));
  byId("choices").replaceChildren(...panel());
  byId("hotels").hidden = Boolean(control(".purchase")); // which tells the same, as it will be
  if (!bought && seat.draft.touched && matchMedia("(max-width: 56rem)").matches) control(".purchase")?.scrollIntoView({ block: "nearest" });
  byId("send-part").hidden = !question;
  if (question) {
    byId("send").disabled = sending || !isReady();
    byId("send").textContent = control(".purchase") && !seat.draft.order.length ? "Send without buying" : "Send";
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

function headline() {
  const past = steps.slice(0, current.at + 1), result = past.find((step) => step.kind === "result");
  if (result) return result;
  if (isBehind()) return steps[current.at];
  const happened = past.filter((step) => step.kind !== "turn" && step.text);
  const since = happened.slice(happened.findLastIndex((step) => step.player === seat.me && TILES.has(step.kind)) + 1);
  const event = since.findLast((step) => TILES.has(step.kind) || EVENTS.has(step.kind) || step.kind === "acquiring"); // rather than a purchase after it
  return event ?? happened[happened.length - 1] ?? steps[current.at];
}

// Which turn is played again, and by the end of the address what was chosen first.
function retriedInWords() {
  const tried = new URLSearchParams(location.hash.slice(1)), [chose, better] = [tried.get("chose"), tried.get("better")];
  return retried ? `${retried.turn > 1 ? `retry of turn ${retried.turn}` : "the same tiles again"}${chose && better ? ` (at first “${chose}”; “${better}” promised more)` : ""} · ` : "";
}

function drawAll() {
  if (!steps.length) return;
  const table = tables[current.at], { turn } = steps[current.at], head = headline();
  writeSentence(byId("sentence"), retried && head === steps[0] ? { ...head, text: `Turn ${retried.turn} is played again, with ${retried.by} on the other seats.` } : head);
  const merger = mergerNow(), foreseen = merger && { cell: merger.cell, board: merger.after(table).board };
  drawBoard(preview(), formerTiles(foreseen));
  drawOwnTiles();
  drawPlayers(merger?.after(table) ?? table);
  markOwnRow(table);
  drawMerger([], foreseen, foreseen !== null || (pending ?? seat.question)?.kind === "keep");
  if (seat.over && !isBehind()) byId("merger").hidden = true;
  drawHotels(merger?.after(table) ?? table);
  drawSince();
  drawStanding();
  drawNear();
  drawPanel();
  drawLesson(current.at);
  listSteps();
  byId("facts").textContent = `${retriedInWords()}rulebook ${game.rulebook} · turn ${turn} · ${plural(table.bag, "tile")} in the bag`;
  drawTime();
}

function drawTime() {
  drawClock(Boolean(seat.question ?? pending), Boolean(seat.over));
  const left = clock(), what = seat.question ? "Your move – Acquire" : "Acquire – your seat";
  document.title = left && (seat.question ?? pending) ? `${left} ${what}` : what;
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
    if (response.ok) {
      endShownLessons();
      scrollTo(0, 0); // what the others do now happens on the board
    } else {
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
  const isFirst = !steps.length || update.from === 0;
  if (update.from === 0 && steps.length) {
    clearSteps();
    current.at = 0;
    byId("events").replaceChildren();
    refuse(""); // the connection is there again
  }
  addSteps(update.frames);
  seat.over = update.over;
  setClock(update.time);
  pending = update.question;
  if (pending?.id !== seat.question?.id) {
    seat.question = null;
    seat.draft = emptyDraft(); // it has been answered; the board shows what came of it
  }
  const isShort = Boolean(pending && update.time.absent); // the time for an answer, which is not for watching
  if (steps.length) catchUp(isFirst || isShort);
  else drawTime();
}

// Tiles are chosen on the board; what is chosen below it comes into view.
function showTask() {
  const { question } = seat, onBoard = question?.kind === "turn" && !question.purchase;
  if (question && !onBoard && byId("choices").getBoundingClientRect().bottom > innerHeight - SEND_BAR) byId("task").scrollIntoView();
}

// The page has caught up: ask what is asked now.
function ask() {
  const isNew = pending?.id !== seat.question?.id, focused = document.activeElement === document.body || byId("move").contains(document.activeElement);
  seat.question = pending;
  if (isNew) {
    seat.draft = emptyDraft();
    settle();
    seat.sending = false;
    refuse("");
  }
  drawAll();
  drawOutcome();
  if (isNew) showTask();
  if (isNew && seat.question && focused && byKey) control("#choices button:not(:disabled), #choices input")?.focus({ preventScroll: true });
}

// Nothing comes any more: say why, and where to go on.
/** @param {boolean} isGone */
function lose(isGone) {
  const begin = "To begin a new game, run acquire play --browser in a terminal.", server = data.lobby ? "The server" : "acquire play";
  if (isGone) notice(data.lobby ? "This seat is no longer there: the server was started again, or the game ended a while ago." : `This game is no longer there. ${begin}`);
  else if (seat.over) notice(data.lobby ? "The server was stopped: the links below lead nowhere until it is started again." : `acquire play was stopped: the buttons below do nothing any more. ${begin}`);
  else notice(`${server} does not answer: it was stopped, or the network is down. This page tries again by itself. ${data.lobby ? "After a minute planner moves for you, until you are back." : `If it was stopped, the game is lost. ${begin}`}`);
  if (data.lobby && !seat.over) byId("notice").append(...[["Take another seat", "/"], ["Lobby", inLobby("/")]].flatMap(([text, href]) => {
    const link = make("a", text);
    link.href = href;
    return [" ", link];
  }));
}

async function comeBack() {
  try {
    await fetch("back", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  } catch {
    refuse("The seat could not be taken back. Is acquire play still running?");
  }
}

function begin() {
  seat.draw = drawAll;
  Object.assign(catching, { shows: drawAll, done: ask });
  byId("view").value = String(seat.me); // whose hand the board shows
  byId("players").closest("main")?.style.setProperty("--seats", String(seats.length));
  for (const link of [byId("to-game"), byId("to-lobby")]) link.hidden = !data.lobby;
  if (data.lobby) {
    byId("to-game").href = matchLink();
    byId("to-lobby").href = inLobby("/");
  }
  layBoard();
  for (const [cell, { square }] of cells.entries()) square.addEventListener("click", () => (isBehind() ? skip() : chooseTile(cell)));
  byId("move").addEventListener("submit", send);
  byId("undo").addEventListener("click", undo);
  byId("skip").addEventListener("click", skip);
  byId("events").addEventListener("scroll", noteScroll);
  new ResizeObserver(follow).observe(byId("events")); // what stands above it grows and shrinks
  byId("back").addEventListener("click", comeBack);
  document.addEventListener("pointerdown", () => { byKey = false; });
  document.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Enter" && document.activeElement === document.body && isReady()) byId("move").requestSubmit();
    if (event.key !== "Escape" || byId("intro").open) return;
    if (isBehind()) skip();
    else if (seat.question && !seat.sending && !isEmpty()) undo();
  });
  document.addEventListener("visibilitychange", () => { if (isBehind() && document.hidden) skip(); });
  openGuide();
  setInterval(drawTime, 250);
  const stop = hear("events", (update) => {
    notice("");
    take(update);
  }, (isGone) => {
    if (isGone || seat.over) stop();
    lose(isGone);
  });
}

begin();
