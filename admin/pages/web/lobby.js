const SHOWN = 24;
// -- the lobby ------------------------------------------------------------------------------------
// The first message of a stream is all of it; then come the fields that have changed.
const { number, ...lobby } = JSON.parse(byId("data").textContent);
const matches = new Map(lobby.matches.reverse().map((match) => [match.id, match]));
const stale = new Set(matches.keys());

function takeMatch(changed) {
  const match = matches.get(changed.id) ?? {}, { board } = changed;
  if (Array.isArray(board)) {
    const cells = [...match.board];
    for (let place = 0; place < board.length; place += 2) cells[board[place]] = String(board[place + 1]);
    changed.board = cells.join("");
  }
  matches.set(changed.id, Object.assign(match, changed));
  stale.add(changed.id);
}

function take({ whole, dropped = [], matches: changed = [], ...fields }) {
  if (whole) dropped = [...matches.keys()].filter((id) => !changed.some((match) => match.id === id));
  for (const id of dropped) {
    matches.delete(id);
    cards.delete(id);
  }
  changed.reverse().forEach(takeMatch);
  Object.assign(lobby, fields);
}

// -- matches --------------------------------------------------------------------------------------
const cards = new Map(), opened = new Set();

function cardOf(match) {
  if (!cards.has(match.id)) {
    cards.set(match.id, card(match));
    stale.add(match.id);
  }
  const made = cards.get(match.id);
  if (stale.delete(match.id)) made.show(match);
  if (lobby.closed) made.link.removeAttribute("href");
  return made.line;
}

// Of many matches only the newest have cards, until a reader asks for all.
function showAll(id, total) {
  const line = make("li", undefined, "more"), button = make("button", `Show all ${total}`);
  button.addEventListener("click", () => {
    const first = byId(id).children[SHOWN - 1];
    opened.add(id);
    show();
    first.nextElementSibling?.querySelector("a").focus();
  });
  line.append(button);
  return line;
}

function showMatches(id, found, none) {
  const box = byId(id), wanted = (opened.has(id) ? found : found.slice(0, SHOWN)).map(cardOf);
  if (!found.length) wanted.push(box.querySelector(".none") || make("li", none, "how none"));
  if (wanted.length < found.length) {
    const text = `Show all ${found.length}`, known = box.querySelector(".more");
    if (known) known.firstChild.textContent = text;
    wanted.push(known || showAll(id, found.length));
  }
  wanted.forEach((line, place) => {
    if (box.children[place] !== line) box.insertBefore(line, box.children[place] || null);
  });
  while (box.children.length > wanted.length) box.lastElementChild.remove();
}

// -- the rest -------------------------------------------------------------------------------------
let shownStandings = "";

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
  there.port = lobby.join;
  byId("join").firstChild.href = there.href;
}

// How many matches there are, each a link to its part of the page.
function showCounts(counts) {
  const links = counts.filter(([, , shown]) => shown).map(([text, place]) => {
    const part = make("span"), link = make("a", text);
    link.href = `#${place}-head`;
    part.append(link);
    return part;
  });
  if (lobby.total) links.unshift(make("span", `${lobby.played} of ${lobby.total} games played`));
  byId("counts").replaceChildren(...links.flatMap((link) => [link, " "]));
}

function notice(text) {
  if (byId("notice").textContent === text) return; // announced once
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

let shownCounts = "";

function show() {
  byId("title").textContent = lobby.title || "Matches";
  document.title = lobby.title || "Acquire – matches";
  const newest = [...matches.values()].reverse();
  const of = (state) => newest.filter((match) => match.state === state);
  const live = of("live"), finished = of("finished"), abandoned = of("abandoned");
  const counts = [
    [`${live.length} live`, "live", !lobby.closed],
    [`${finished.length} finished`, "finished", true],
    [`${abandoned.length} abandoned`, "abandoned", abandoned.length],
    ["standings", "standings", lobby.standings.rows.length],
  ];
  const text = JSON.stringify([counts, lobby.played, lobby.total]);
  if (text !== shownCounts) showCounts(counts);
  shownCounts = text;
  byId("report").hidden = !lobby.report || lobby.closed;
  byId("report").firstChild.href = lobby.report;
  byId("live-part").hidden = lobby.closed && !live.length;
  byId("abandoned-part").hidden = !abandoned.length;
  showProgress();
  showWaiting();
  showJoin();
  showMatches("live", live, "None.");
  showMatches("finished", finished, "None yet.");
  showMatches("abandoned", abandoned, "None.");
  showStandings(lobby.standings);
  if (lobby.closed) notice("The server has stopped. Its logs hold all matches.");
}

// -- what changes ---------------------------------------------------------------------------------
// A page that nobody looks at is not drawn.
let drawing = false;

function draw() {
  drawing = false;
  show();
}

show();
const source = new EventSource(`/events?from=${number}`);
source.onmessage = (message) => {
  take(JSON.parse(message.data));
  if (!lobby.closed) notice("");
  else source.close();
  if (!drawing) requestAnimationFrame(draw);
  drawing = true;
};
source.onopen = () => notice("");
source.onerror = () => notice("Connection to the server lost. Last known state:");
