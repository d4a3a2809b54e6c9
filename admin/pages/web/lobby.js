// The lobby: all games, who waits, the standings.
/** @import { GameChange, LobbyFields, LobbyGame, LobbyUpdate } from "../html/page_data.js" */
import { hear } from "../html/hearing.js";
import { byId, make, notice } from "../html/text.js";
import { card } from "./lobby_card.js";

const SHOWN = 24;
// The first message of a stream is all of it; then come the fields that have changed.
/** @type {LobbyFields} */
const lobby = {
  title: "", closed: false, report: "", waiting: [], seats: 0, join: 0, played: 0, total: 0, older: 0, standings: { columns: [], rows: [] },
};
/** @type {Map<string, LobbyGame>} */
const games = new Map();
// A game of which nothing has been sent yet; what is sent first is all of it.
/** @type {LobbyGame} */
const UNKNOWN = {
  id: "", title: "", players: [], numbers: [], state: "live", turn: 0, letters: "", board: "", last: null, worths: [], ending: "", results: [],
};
/** @type {Set<string>} */
const stale = new Set();

/** @param {string} before @param {string | number[]} change */
function changedBoard(before, change) {
  if (typeof change === "string") return change;
  const cells = [...before];
  for (let place = 0; place < change.length; place += 2) cells[change[place]] = String(change[place + 1]);
  return cells.join("");
}

/** @param {GameChange} change */
function takeGame({ board, ...fields }) {
  const game = games.get(fields.id) ?? { ...UNKNOWN, id: fields.id };
  if (board !== undefined) game.board = changedBoard(game.board, board);
  games.set(game.id, Object.assign(game, fields));
  stale.add(game.id);
}

/** @param {LobbyUpdate} update */
function take({ whole, dropped = [], matches: changed = [], ...fields }) {
  if (whole) dropped = [...games.keys()].filter((id) => !changed.some((game) => game.id === id));
  for (const id of dropped) {
    games.delete(id);
    cards.delete(id);
  }
  changed.reverse().forEach(takeGame);
  Object.assign(lobby, fields);
}

// -- games --------------------------------------------------------------------------------------
/** @type {Map<string, ReturnType<typeof card>>} */
const cards = new Map();
/** @typedef {"live" | "finished" | "abandoned"} Part */
/** @type {Set<Part>} */
const opened = new Set();

/** @param {LobbyGame} game */
function cardOf(game) {
  const known = cards.get(game.id), made = known ?? card(game);
  if (!known) {
    cards.set(game.id, made);
    stale.add(game.id);
  }
  if (stale.delete(game.id)) made.show(game);
  if (lobby.closed) made.link.removeAttribute("href");
  return made.line;
}

// Of many games only the newest have cards, until a reader asks for all.
/** @param {Part} id @param {number} total */
function showAll(id, total) {
  const line = make("li", undefined, "more"), button = make("button", `Show all ${total}`);
  button.addEventListener("click", () => {
    const first = byId(id).children[SHOWN - 1];
    opened.add(id);
    show();
    first.nextElementSibling?.querySelector("a")?.focus();
  });
  line.append(button);
  return line;
}

/** @param {Part} id @param {LobbyGame[]} found @param {string} none */
function showGames(id, found, none) {
  /** @type {Element[]} */
  const wanted = (opened.has(id) ? found : found.slice(0, SHOWN)).map(cardOf);
  const box = byId(id);
  if (!found.length) wanted.push(box.querySelector(".none") || make("li", none, "how none"));
  if (wanted.length < found.length) {
    const text = `Show all ${found.length}`, known = box.querySelector(".more");
    known?.querySelector("button")?.replaceChildren(text);
    wanted.push(known || showAll(id, found.length));
  }
  wanted.forEach((line, place) => {
    if (box.children[place] !== line) box.insertBefore(line, box.children[place] || null);
  });
  while (box.children.length > wanted.length) box.lastElementChild?.remove();
}

// -- the rest -------------------------------------------------------------------------------------
let shownStandings = "";

/** @param {LobbyFields["standings"]} standings */
function showStandings({ columns, rows }) {
  const text = JSON.stringify([columns, rows]);
  if (text === shownStandings) return;
  shownStandings = text;
  byId("standings-part").hidden = !rows.length;
  const head = make("tr");
  head.append(...columns.map((column) => make(column ? "th" : "td", column)));
  const lines = rows.map((row) => {
    const line = make("tr");
    line.append(...row.map((cell) => {
      const made = make("td");
      made.append(make("bdi", String(cell)));
      return made;
    }));
    return line;
  });
  const thead = make("thead"), tbody = make("tbody");
  thead.append(head);
  tbody.append(...lines);
  byId("standings").replaceChildren(thead, tbody);
}

// The progress of a tournament.
function showProgress() {
  const made = byId("bar");
  made.hidden = !lobby.total;
  made.max = lobby.total || 1;
  made.value = lobby.played;
}

// Names are shown as text, each in its own writing direction.
/** @param {string[]} list */
function names(list) {
  const made = make("span");
  list.forEach((name, place) => {
    if (place) made.append(", ");
    made.append(make("bdi", name));
  });
  return made;
}

// In a tournament players wait for their next game, elsewhere for a full table.
function showWaiting() {
  const line = byId("waiting");
  byId("waiting-head").textContent = lobby.total ? "Waiting for a game" : "Waiting for a table";
  byId("waiting-part").hidden = lobby.closed || !(lobby.seats || lobby.waiting.length);
  const who = lobby.waiting.length ? [names(lobby.waiting)] : [];
  if (!lobby.seats) line.replaceChildren(...who);
  else line.replaceChildren(`${lobby.waiting.length} of ${lobby.seats} signed up`, ...(who.length ? [": ", ...who] : []));
}

// The page on which people take a seat is at another port of the same host.
function showJoin() {
  byId("join").hidden = lobby.closed || !lobby.join || !lobby.seats;
  const there = new URL("/", location.href);
  there.port = String(lobby.join);
  byId("join").querySelector("a")?.setAttribute("href", there.href);
}

/** @typedef {[text: string, part: string, isShown: boolean]} Count */
// How many games there are, each a link to its part of the page.
/** @param {Count[]} counts */
function showCounts(counts) {
  const links = counts.filter(([, , shown]) => shown).map(([text, place]) => {
    const part = make("span"), link = make("a", text);
    link.href = `#${place}-head`;
    part.append(link);
    return part;
  });
  const all = lobby.total ? `${lobby.played} of ${lobby.total} games played` : lobby.older ? `${games.size + lobby.older} games so far` : "";
  if (all) links.unshift(make("span", all));
  byId("counts").replaceChildren(...links.flatMap((link) => [link, " "]));
}

let shownCounts = "";

function show() {
  byId("lobby").hidden = false;
  byId("title").textContent = lobby.title || "Games";
  document.title = lobby.title || "Acquire – games";
  const newest = [...games.values()].reverse();
  /** @param {Part} state */
  const of = (state) => newest.filter((game) => game.state === state);
  const live = of("live"), finished = of("finished"), abandoned = of("abandoned");
  /** @type {Count[]} */
  const counts = [
    [`${live.length} live`, "live", !lobby.closed],
    [lobby.older ? `last ${finished.length} finished` : `${finished.length} finished`, "finished", true],
    [`${abandoned.length} abandoned`, "abandoned", abandoned.length > 0],
    ["standings", "standings", lobby.standings.rows.length > 0],
  ];
  const text = JSON.stringify([counts, lobby.played, lobby.total, lobby.older]);
  if (text !== shownCounts) showCounts(counts);
  shownCounts = text;
  byId("report").hidden = !lobby.report || lobby.closed;
  byId("report").querySelector("a")?.setAttribute("href", lobby.report);
  byId("live-part").hidden = lobby.closed && !live.length;
  byId("abandoned-part").hidden = !abandoned.length;
  showProgress();
  showWaiting();
  showJoin();
  showGames("live", live, lobby.seats ? "No game is being played. The next one begins when the table is full." : "No game is being played now.");
  showGames("finished", finished, "No game is over yet.");
  showGames("abandoned", abandoned, "");
  showStandings(lobby.standings);
  if (lobby.closed) notice("The referee has stopped. Its logs hold all games.");
}

// -- what changes ---------------------------------------------------------------------------------
// A page that nobody looks at is not drawn.
let drawing = false;

function draw() {
  drawing = false;
  show();
}

const stop = hear("/events", (update) => {
  take(update);
  if (lobby.closed) stop();
  else notice("");
  if (!drawing) requestAnimationFrame(draw);
  drawing = true;
}, () => notice("The server does not answer: it was stopped, or the network is down. This page tries again by itself. Last known state:"));
