
"use strict";
// Steps come in, at once or as a match goes; each is put on the table that the one before it left.
const FREE = -1, LOOSE = 7, ASIDE = 8, COLUMNS = 12, ROWS = "ABCDEFGHI";
const CELL = 40, MARGIN = 26;
const EVENTS = new Set(["founded", "merged", "ejected"]);
const MARKS = { founded: "▲", merged: "◆", ejected: "✕" };
const DASHES = ["", "8 3", "2 3", "9 3 2 3", "5 6", "1 4"];
const SVG = "http://www.w3.org/2000/svg";

const data = JSON.parse(document.getElementById("data").textContent);
const match = data.match;
const byId = (id) => document.getElementById(id);
const steps = [], tables = [];
let at = 0, timer = null, wanted = null;

// -- small things ---------------------------------------------------------------------------------
function make(tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const dollars = (amount) => `$${amount.toLocaleString("en")}`;
const cellName = (cell) => `${(cell % COLUMNS) + 1}${ROWS[Math.floor(cell / COLUMNS)]}`;
const sizes = (table) => match.hotels.map((_, hotel) => table.board.filter((what) => what === hotel).length);
const price = (hotel, size) => match.hotels[hotel].prices[Math.min(size, match.hotels[hotel].prices.length - 1)];

function chip(hotel) {
  const made = make("span", match.hotels[hotel].letter, "chip");
  made.style.setProperty("background", match.hotels[hotel].colour);
  made.style.setProperty("color", match.hotels[hotel].ink);
  made.title = match.hotels[hotel].name;
  return made;
}

// -- the store ------------------------------------------------------------------------------------
function addSteps(fresh) {
  for (const step of fresh) {
    const before = tables[tables.length - 1];
    const table = before
      ? { board: before.board, players: before.players, bank: before.bank, bag: before.bag }
      : { board: new Array(108).fill(FREE), players: match.seats.map(() => ({})), bank: [], bag: 0 };
    if (step.board) {
      table.board = table.board.slice();
      for (const [cell, what] of step.board) table.board[cell] = what;
    }
    if (step.players) {
      table.players = table.players.slice();
      for (const [place, changed] of Object.entries(step.players))
        table.players[place] = { ...table.players[place], ...changed };
    }
    if (step.bank) table.bank = step.bank;
    if (step.bag !== undefined) table.bag = step.bag;
    steps.push(step);
    tables.push(table);
    listStep(step, steps.length - 1);
  }
}

function forget() {
  steps.length = tables.length = 0;
  byId("told").replaceChildren();
}

// -- whose view -----------------------------------------------------------------------------------
const view = () => byId("view").value;
const sees = (place) => match.hands === "open" || view() === "all" || view() === String(place);
const sentence = (step) =>
  step.secret && sees(step.player) ? step.secret.text : step.text;

// -- the board ------------------------------------------------------------------------------------
const cells = [];
function layBoard() {
  const board = byId("board");
  for (let column = 0; column < COLUMNS; column += 1)
    board.append(shape("text", { x: MARGIN + (column + 0.5) * CELL, y: 17, "text-anchor": "middle", class: "edge" }, column + 1));
  for (let row = 0; row < ROWS.length; row += 1)
    board.append(shape("text", { x: 11, y: MARGIN + (row + 0.5) * CELL + 5, "text-anchor": "middle", class: "edge" }, ROWS[row]));
  for (let cell = 0; cell < 108; cell += 1) {
    const x = MARGIN + (cell % COLUMNS) * CELL, y = MARGIN + Math.floor(cell / COLUMNS) * CELL;
    const square = shape("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 5 });
    const text = shape("text", { x: x + CELL / 2, y: y + CELL / 2, "text-anchor": "middle", "dominant-baseline": "central" });
    board.append(square, text);
    cells.push({ square, text });
  }
  board.append(shape("rect", { id: "ring", class: "ring", width: CELL - 2, height: CELL - 2, rx: 5, visibility: "hidden" }));
}

function drawBoard(table, step) {
  table.board.forEach((what, cell) => {
    const { square, text } = cells[cell];
    const hotel = match.hotels[what];
    square.style.fill = hotel ? hotel.colour : what === LOOSE ? "var(--loose)" : "var(--cell)";
    text.textContent = hotel ? hotel.letter : what === ASIDE ? "✕" : cellName(cell);
    text.setAttribute("class", hotel ? "letter" : "name");
    text.style.fill = hotel ? hotel.ink : what === LOOSE ? "var(--paper)" : "";
  });
  const ring = byId("ring");
  const shown = step.tile !== undefined && table.board[step.tile] !== FREE;
  ring.setAttribute("visibility", shown ? "visible" : "hidden");
  if (shown) {
    ring.setAttribute("x", MARGIN + (step.tile % COLUMNS) * CELL + 1);
    ring.setAttribute("y", MARGIN + Math.floor(step.tile / COLUMNS) * CELL + 1);
  }
  const words = sizes(table).flatMap((size, hotel) => (size ? [`${match.hotels[hotel].name} with ${size} tiles`] : []));
  const loose = table.board.filter((what) => what === LOOSE).length;
  byId("board").setAttribute("aria-label", `Board: ${words.join(", ") || "no hotel"}, ${loose} unincorporated tiles`);
}

// -- the tables -----------------------------------------------------------------------------------
function row(tag, texts) {
  const line = make("tr");
  for (const text of texts) {
    const made = make(tag);
    if (text instanceof Node) made.append(text);
    else made.textContent = text;
    line.append(made);
  }
  return line;
}

function mover() {
  for (let back = at; back >= 0; back -= 1)
    if (steps[back].kind === "turn") return steps[back].player;
  return null;
}

function drawPlayers(table) {
  const head = make("thead"), body = make("tbody");
  head.append(row("th", ["player", "cash", ...match.hotels.map((_, hotel) => chip(hotel)), "worth"]));
  head.firstChild.firstChild.className = "who";
  match.seats.forEach((seat, place) => {
    const has = table.players[place];
    const name = make("bdi", seat.name);
    const known = has.cash !== undefined;
    const shares = match.hotels.map((_, hotel) => (known && has.shares ? has.shares[hotel] || "·" : "?"));
    const line = has.out
      ? row("td", [name, "ejected", ...match.hotels.map(() => ""), ""])
      : row("td", [name, known ? dollars(has.cash) : "hidden", ...shares, known ? dollars(has.worth) : "hidden"]);
    line.firstChild.className = "who";
    if (seat.strategy) line.firstChild.title = seat.strategy;
    [...line.children].forEach((made) => made.textContent === "·" && made.classList.add("zero"));
    if (has.out) line.classList.add("out");
    else if (place === mover()) line.classList.add("mover");
    body.append(line);
    if (!has.out) {
      const hand = has.hand && sees(place) ? has.hand.map(cellName).join(" ") || "no tile" : "hidden";
      const under = row("td", [`hand: ${hand}`]);
      under.className = "hand";
      under.firstChild.colSpan = match.hotels.length + 3;
      body.append(under);
    }
  });
  byId("players").replaceChildren(head, body);
}

function drawHotels(table) {
  const head = make("thead"), body = make("tbody");
  head.append(row("th", ["hotel", "tiles", "price", "bank"]));
  head.firstChild.firstChild.className = "who";
  sizes(table).forEach((size, hotel) => {
    const name = make("span");
    name.append(chip(hotel), ` ${match.hotels[hotel].name}`);
    const safe = size >= match.safe ? `${size} safe` : String(size || "·");
    const cost = price(hotel, size);
    const line = row("td", [name, safe, cost ? dollars(cost) : "·", String(table.bank[hotel])]);
    line.firstChild.className = "who";
    [...line.children].forEach((made) => made.textContent === "·" && made.classList.add("zero"));
    body.append(line);
  });
  byId("hotels").replaceChildren(head, body);
}

// -- what happened --------------------------------------------------------------------------------
function listStep(step, place) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : undefined);
  const button = make("button");
  button.append(make("bdi", sentence(step)));
  button.tabIndex = -1;
  button.addEventListener("click", () => go(place));
  line.append(button);
  byId("told").append(line);
}

function markStep() {
  const told = byId("told");
  told.querySelector(".now")?.classList.remove("now");
  const line = told.children[at];
  if (!line) return;
  line.classList.add("now");
  const top = line.offsetTop - told.offsetTop;
  if (top < told.scrollTop || top + line.offsetHeight > told.scrollTop + told.clientHeight)
    told.scrollTop = top - told.clientHeight / 2;
}

function retell() {
  [...byId("told").children].forEach((line, place) => {
    line.querySelector("bdi").textContent = sentence(steps[place]);
  });
}

// -- the plot -------------------------------------------------------------------------------------
const PLOT = { left: 50, right: 540, top: 12, bottom: 158 };
const across = (place) => PLOT.left + ((PLOT.right - PLOT.left) * place) / Math.max(steps.length - 1, 1);

function drawPlot() {
  const plot = byId("plot");
  const worths = tables.map((table) => table.players.map((has) => (has.out ? null : has.worth)));
  const most = Math.max(1000, ...worths.flat().filter((worth) => worth != null));
  const up = (worth) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * worth) / most;
  const unit = 10 ** Math.floor(Math.log10(most));
  const tick = most / unit < 2 ? unit / 2 : most / unit < 5 ? unit : unit * 2;
  const parts = [];
  for (let worth = 0; worth <= most; worth += tick) {
    parts.push(shape("line", { class: "grid", x1: PLOT.left, x2: PLOT.right, y1: up(worth), y2: up(worth) }));
    parts.push(shape("text", { x: PLOT.left - 5, y: up(worth) + 4, "text-anchor": "end" }, `$${worth / 1000}k`));
  }
  const ends = [];
  match.seats.forEach((seat, player) => {
    let path = "", end = null;
    worths.forEach((worth, place) => {
      if (worth[player] == null) return;
      path += `${path ? "L" : "M"}${across(place).toFixed(1)} ${up(worth[player]).toFixed(1)}`;
      end = up(worth[player]);
    });
    if (!path) return;
    parts.push(shape("path", { d: path, "stroke-dasharray": DASHES[player % DASHES.length] }));
    ends.push({ end, name: seat.name });
  });
  ends.sort((one, other) => one.end - other.end);
  let low = 0;
  for (const { end, name } of ends) {
    low = Math.max(end + 4, low + 12);
    const short = [...name].length > 14 ? `${[...name].slice(0, 13).join("")}…` : name;
    parts.push(shape("text", { x: PLOT.right + 6, y: low, "unicode-bidi": "isolate" }, short));
  }
  steps.forEach((step, place) => {
    if (MARKS[step.kind])
      parts.push(shape("text", { class: "mark", x: across(place), y: PLOT.bottom + 16, "text-anchor": "middle" }, MARKS[step.kind]));
  });
  parts.push(shape("text", { x: PLOT.left, y: PLOT.bottom + 30 }, "▲ founded   ◆ merged   ✕ ejected"));
  parts.push(shape("line", { id: "place", class: "place", y1: PLOT.top - 6, y2: PLOT.bottom }));
  plot.replaceChildren(...parts);
  plot.setAttribute("aria-valuemax", Math.max(steps.length - 1, 0));
}

function markPlot() {
  const line = byId("place");
  line.setAttribute("x1", across(at));
  line.setAttribute("x2", across(at));
  byId("plot").setAttribute("aria-valuenow", at);
  byId("plot").setAttribute("aria-valuetext", sentence(steps[at]));
}

function scrub(event) {
  const box = byId("plot").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * 640;
  go(Math.round(((x - PLOT.left) / (PLOT.right - PLOT.left)) * (steps.length - 1)));
}

// -- moving ---------------------------------------------------------------------------------------
function show() {
  if (!steps.length) return;
  const step = steps[at], table = tables[at];
  byId("sentence").textContent = sentence(step);
  drawBoard(table, step);
  drawPlayers(table);
  drawHotels(table);
  markStep();
  markPlot();
  byId("facts").textContent =
    `rulebook ${match.rulebook} · seed ${match.seed} · turn ${step.turn} of ${steps[steps.length - 1].turn} · ` +
    `step ${at + 1} of ${steps.length} · ${table.bag} tiles in the bag`;
}

function go(place) {
  at = Math.min(Math.max(place, 0), steps.length - 1);
  show();
  const turn = steps[at] && steps[at].kind === "turn" ? `#turn=${steps[at].turn}` : `#step=${at}`;
  history.replaceState(null, "", turn);
}

function seek(direction, holds) {
  for (let place = at + direction; place >= 0 && place < steps.length; place += direction)
    if (holds(steps[place])) return place;
  return direction < 0 ? 0 : steps.length - 1;
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "▶ play";
  byId("play").setAttribute("aria-label", "Play");
}

function play() {
  if (timer !== null) return stop();
  if (at === steps.length - 1) go(0);
  byId("play").textContent = "❚❚ pause";
  byId("play").setAttribute("aria-label", "Pause");
  timer = setInterval(() => (at < steps.length - 1 ? go(at + 1) : data.events || stop()), Number(byId("speed").value));
}

const isTurn = (step) => step.kind === "turn" || step.kind === "ended";
const isEvent = (step) => EVENTS.has(step.kind);
const DO = {
  first: () => go(0),
  last: () => go(steps.length - 1),
  back: () => go(at - 1),
  on: () => go(at + 1),
  turnBack: () => go(seek(-1, isTurn)),
  turnOn: () => go(seek(1, isTurn)),
  event: () => go(seek(1, isEvent)),
  eventBack: () => go(seek(-1, isEvent)),
  play,
  help: () => { byId("keys").hidden = !byId("keys").hidden; },
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", PageUp: "turnBack", PageDown: "turnOn", Home: "first", End: "last",
  n: "event", p: "eventBack", " ": "play", "?": "help",
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  if ("1234".includes(event.key)) {
    byId("speed").selectedIndex = Number(event.key) - 1;
    if (timer !== null) { stop(); play(); }
    return;
  }
  let what = KEYS[event.key];
  if (event.shiftKey && what === "back") what = "turnBack";
  if (event.shiftKey && what === "on") what = "turnOn";
  if (!what) return;
  event.preventDefault();
  DO[what]();
}

// `#turn=37` and `#step=120` lead to the very place.
function linked() {
  const found = /^#(turn|step)=(\d+)$/.exec(location.hash);
  if (!found) return null;
  const number = Number(found[2]);
  if (found[1] === "step") return number < steps.length ? number : null;
  const place = steps.findIndex((step) => step.kind === "turn" && step.turn === number);
  return place < 0 ? null : place;
}

// -- a match under way ----------------------------------------------------------------------------
function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

function follow(address) {
  const source = new EventSource(address);
  source.onmessage = (message) => {
    const told = JSON.parse(message.data);
    const atEnd = at >= steps.length - 1;
    if (told.reveal) {
      forget();
      addSteps(told.reveal);
      at = Math.min(at, steps.length - 1);
    }
    if (told.steps) addSteps(told.steps);
    if (told.over) {
      source.close();
      data.events = "";
      notice("");
    } else notice("Live.");
    if (!steps.length) return;
    drawPlot();
    const place = wanted === null ? null : linked();
    if (place !== null) { wanted = null; go(place); } else if (atEnd) { at = steps.length - 1; show(); } else show();
  };
  source.onerror = () => notice("The server cannot be reached. What has been heard so far is here.");
}

// -- the beginning --------------------------------------------------------------------------------
function begin() {
  match.seats.forEach((seat, place) => {
    if (place) byId("names").append(", ");
    byId("names").append(make("bdi", seat.name));
  });
  const choice = byId("view");
  choice.append(new Option("all", "all"));
  match.seats.forEach((seat, place) => choice.append(new Option(`as ${seat.name} sees it`, place)));
  byId("view-part").hidden = match.hands === "open";
  notice(data.notice);
  layBoard();
  addSteps(data.steps);
  drawPlot();
  document.addEventListener("keydown", pressed);
  document.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => DO[button.dataset.do]()));
  byId("view").addEventListener("change", () => { retell(); show(); });
  byId("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
  const plot = byId("plot");
  plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); scrub(event); });
  plot.addEventListener("pointermove", (event) => { if (plot.hasPointerCapture(event.pointerId)) scrub(event); });
  window.addEventListener("hashchange", () => { const place = linked(); if (place !== null && place !== at) go(place); });
  const place = linked();
  if (place !== null) at = place;
  else if (location.hash) wanted = location.hash;
  show();
  if (data.events) follow(data.events);
}

begin();
