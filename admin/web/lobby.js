// Names are shown as text, each in its own writing direction.
function names(list) {
  const made = make("span", undefined, "who");
  list.forEach((name, place) => {
    if (place) made.append(", ");
    made.append(make("bdi", name));
  });
  return made;
}

// Each result is rank, name, score, and whether the player finished.
function standings(results) {
  const made = make("span", undefined, "who");
  results.forEach(([rank, name, score, finished], place) => {
    made.append(`${place ? ", " : ""}${rank}.\u00a0`, make("bdi", name));
    made.append(finished ? ` $${score.toLocaleString("en")}` : " ejected");
  });
  return made;
}

const progress = (match) => (match.turn ? `turn ${match.turn}` : "setting up");

function entry(match) {
  const line = make("li");
  const link = make("a", match.title);
  link.href = `/match/${encodeURIComponent(match.id)}`;
  line.append(link);
  if (match.ending) {
    line.append(match.results.length ? standings(match.results) : names(match.players));
    line.append(make("span", match.ending, "how"));
  } else {
    line.append(names(match.players));
    line.append(make("span", progress(match), "how"));
  }
  return line;
}

// A match keeps its line while it is shown: a reader may be about to click it.
const lines = new Map();

function lineOf(match) {
  const text = JSON.stringify([match.players, match.ending, match.results]);
  const known = lines.get(match.id);
  if (!known || known.text !== text) lines.set(match.id, { text, line: entry(match) });
  const { line } = lines.get(match.id);
  if (!match.ending) line.querySelector(".how").textContent = progress(match);
  return line;
}

function showMatches(id, matches, none) {
  const box = byId(id), wanted = matches.map(lineOf);
  if (!wanted.length) wanted.push(box.querySelector(".none") || make("li", none, "how none"));
  wanted.forEach((line, place) => {
    if (box.children[place] !== line) box.insertBefore(line, box.children[place] || null);
  });
  while (box.children.length > wanted.length) box.lastElementChild.remove();
}

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
function showProgress(lobby) {
  const made = byId("bar");
  made.hidden = !lobby.total;
  made.max = lobby.total || 1;
  made.value = lobby.played;
}

// In a tournament players wait for their next game, elsewhere for a full table.
function showWaiting(lobby) {
  const line = byId("waiting");
  byId("waiting-head").textContent = lobby.total ? "Waiting for a game" : "Waiting for a table";
  byId("waiting-part").hidden = Boolean(lobby.total) && !lobby.waiting.length;
  const who = lobby.waiting.length ? [names(lobby.waiting)] : [];
  if (lobby.closed || !(lobby.seats || who.length)) line.textContent = "None.";
  else if (!lobby.seats) line.replaceChildren(...who);
  else line.replaceChildren(`${lobby.waiting.length} of ${lobby.seats} signed up`, ...(who.length ? [": ", ...who] : []));
}

function show(lobby) {
  byId("title").textContent = lobby.title || "Matches";
  document.title = lobby.title || "Acquire – matches";
  const live = lobby.matches.filter((match) => !match.ending);
  const finished = lobby.matches.filter((match) => match.ending);
  const state = byId("state");
  state.className = "facts";
  const played = lobby.total ? `${lobby.played} of ${lobby.total} games played` : "";
  state.textContent = lobby.closed
    ? `${played}${played && ". "}The server has stopped. Its logs hold all matches.`
    : `${live.length} live, ${played || `${finished.length} finished`}`;
  byId("report").hidden = !lobby.report || lobby.closed;
  byId("report").firstChild.href = lobby.report;
  showProgress(lobby);
  showWaiting(lobby);
  showMatches("live", live, "None.");
  showMatches("finished", finished, "None yet.");
  showStandings(lobby.standings);
}

show(JSON.parse(byId("data").textContent));
const source = new EventSource("/events");
source.onmessage = (message) => {
  const lobby = JSON.parse(message.data);
  show(lobby);
  if (lobby.closed) source.close();
};
source.onerror = () => {
  const state = byId("state");
  state.textContent = "Connection to the server lost. Last known state:";
  state.className = "facts lost";
};
