
// Builds the table after each step: all at once, or as a live match goes.
const FREE = -1, LOOSE = 7, ASIDE = 8, COLUMNS = 12, ROWS = "ABCDEFGHI";
const CELL = 40, MARGIN = 26;
const EVENTS = new Set(["founded", "merged", "ejected"]);
const MARKS = { founded: "▲", merged: "◆", ejected: "✕", ended: "■" };
const DASHES = ["", "8 3", "2 3", "9 3 2 3", "5 6", "1 4"];
const PLAY = "M5 3v14l12-7z", PAUSE = "M5 4h4v12H5zM11 4h4v12h-4z";
const TILES = new Set(["placed", "grown", "founded", "merged", "market"]);
const SVG = "http://www.w3.org/2000/svg";

const data = JSON.parse(document.getElementById("data").textContent);
const match = data.match;
const steps = [], tables = [];
match.seats.forEach((seat) => Object.assign(seat, { rawName: seat.name, name: closed(seat.name) }));
let at = 0, timer = null, pendingLink = null, linking = null, linkedAt = 0, address = location.hash;

// -- elements and formats -------------------------------------------------------------------------
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
  const made = make("abbr", match.hotels[hotel].letter, "chip");
  made.style.setProperty("background", match.hotels[hotel].fill);
  made.style.setProperty("color", match.hotels[hotel].ink);
  made.title = match.hotels[hotel].name;
  made.dataset.hotel = hotel;
  return made;
}

// -- the store ------------------------------------------------------------------------------------
// A page that is one of very many has steps with short keys, and each turn's number only once.
function longKeys(step) {
  const long = (fields) => Object.fromEntries(Object.entries(fields).map(([key, value]) => [data.keys[key] ?? key, value]));
  const made = long(step);
  if (made.players) made.players = Object.fromEntries(Object.entries(made.players).map(([place, changed]) => [place, long(changed)]));
  return made;
}

function allSteps() {
  if (!data.keys) return data.steps;
  let turn = 0;
  return data.steps.map(longKeys).map((step) => ({ ...step, turn: (turn = step.turn ?? turn) }));
}

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

function clearSteps() {
  steps.length = tables.length = 0;
  byId("events").replaceChildren();
}

// -- whose view -----------------------------------------------------------------------------------
const view = () => byId("view").value;
const isOwn = (place) => view() === "all" || view() === String(place);
const seesHand = (place) => match.hands === "open" || isOwn(place);
// what: "cash", "shares" or "worth"
const sees = (what, place, has) => has[what] !== undefined && (!match.hidden.includes(what) || isOwn(place));
const sentence = (step) => closed(step.secret && seesHand(step.player) ? step.secret.text : step.text);

// A name keeps its own writing direction, the sentence around it the page's.
function writeSentence(element, step) {
  const text = sentence(step), seat = match.seats[step.player];
  if (step.winners?.length) return element.replaceChildren(...isolated(text, step.winners));
  const from = /^(Turn \d+: |The table is set\. |\d+\. )?/.exec(text)[0].length;
  if (!seat?.rawName || !text.startsWith(seat.rawName, from)) element.textContent = text;
  else element.replaceChildren(text.slice(0, from), make("bdi", seat.name), text.slice(from + seat.rawName.length));
}

// The text of a result, which begins with the winners: "a, b and c tie ..".
function isolated(text, winners) {
  const parts = [];
  let from = 0;
  winners.forEach((place, index) => {
    const seat = match.seats[place], last = index === winners.length - 1;
    if (index) parts.push(last ? " and " : ", ");
    from += (index ? parts[parts.length - 1].length : 0) + seat.rawName.length;
    parts.push(make("bdi", seat.name));
  });
  return [...parts, text.slice(from)];
}

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
  board.append(shape("g", { id: "marks" }));
}

const corner = (cell) => ({ x: MARGIN + (cell % COLUMNS) * CELL, y: MARGIN + Math.floor(cell / COLUMNS) * CELL });

function frame(cell, kind, inset) {
  const { x, y } = corner(cell), side = CELL - 2 * inset;
  return shape("rect", { x: x + inset, y: y + inset, width: side, height: side, rx: 6 - inset, class: kind });
}

// Mark in its corner which acquired hotel a tile belonged to.
function formerHotel(cell, hotel) {
  const { x, y } = corner(cell);
  const tag = shape("rect", { x: x + 2, y: y + 2, width: 15, height: 15, rx: 3, class: "former" });
  const letter = shape("text", { x: x + 9.5, y: y + 10, "text-anchor": "middle", "dominant-baseline": "central", class: "former" }, match.hotels[hotel].letter);
  tag.style.fill = match.hotels[hotel].fill;
  letter.style.fill = match.hotels[hotel].ink;
  return [frame(cell, "joined", 3), tag, letter];
}

// The tile placed last, by the mover or the market, unless it was taken back.
function lastPlaced() {
  for (let back = at; back >= 0 && steps[back].kind !== "undone"; back -= 1) {
    const { kind, tile, board } = steps[back];
    if (TILES.has(kind) && board?.some(([cell, what]) => cell === tile && what !== ASIDE)) return tile;
  }
  return null;
}

function handShown() {
  const whose = view() === "all" ? mover() : Number(view());
  const has = whose === null ? {} : tables[at].players[whose];
  return !has.out && has.hand && seesHand(whose) ? has.hand : [];
}

// What else is marked on the board: functions that return shapes.
const moreMarks = [];
function drawMarks(table) {
  const size = sizes(table), marks = handShown().map((cell) => frame(cell, "own", 4));
  table.board.forEach((what, cell) => size[what] >= match.safe && marks.push(frame(cell, "safe", 4)));
  const merger = currentMerger();
  if (merger)
    tables[merger.from].board.forEach((what, cell) => {
      if (match.hotels[what] && what !== table.board[cell]) marks.push(...formerHotel(cell, what));
    });
  const tile = lastPlaced();
  if (tile !== null && table.board[tile] !== FREE) marks.push(frame(tile, "halo", 1), frame(tile, "ring", 1));
  byId("marks").replaceChildren(...marks, ...moreMarks.flatMap((draw) => draw()));
}

const fillOf = (what) => match.hotels[what]?.fill ?? (what === LOOSE ? "var(--loose)" : "var(--cell)");

function drawBoard(table) {
  table.board.forEach((what, cell) => {
    const { square, text } = cells[cell];
    const hotel = match.hotels[what];
    square.style.fill = fillOf(what);
    text.textContent = hotel ? hotel.letter : what === ASIDE ? "✕" : cellName(cell);
    text.setAttribute("class", hotel ? "letter" : what === ASIDE ? "name aside" : "name");
    text.style.fill = hotel ? hotel.ink : what === LOOSE ? "var(--paper)" : "";
  });
  drawMarks(table);
  const words = sizes(table).flatMap((size, hotel) => (size ? [`${match.hotels[hotel].name} with ${plural(size, "tile")}`] : []));
  const lying = (kind) => table.board.filter((what) => what === kind).length;
  const aside = lying(ASIDE) ? `, ${plural(lying(ASIDE), "tile")} set aside` : "";
  byId("board").setAttribute("aria-label", `Board: ${words.join(", ") || "no hotel"}, ${plural(lying(LOOSE), "unincorporated tile")}${aside}`);
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
  for (let back = at; back >= 0 && steps[back].kind !== "ended"; back -= 1)
    if (steps[back].kind === "turn") return steps[back].player;
  return null;
}

// A player has the same color and number everywhere, and the same dashes in the plot.
const seatColor = (place) => `var(--seat-${place % DASHES.length})`;

function dash(place) {
  const made = shape("svg", { class: "dash", viewBox: "0 0 40 8", "aria-hidden": "true" });
  const path = shape("path", { d: "M0 4H40", "stroke-dasharray": DASHES[place % DASHES.length] });
  path.style.stroke = seatColor(place);
  made.append(path);
  return made;
}

function seatNumber(place, titled = false) {
  const made = make(titled ? "abbr" : "span", String(place + 1), "seat");
  made.style.background = seatColor(place);
  if (titled) made.title = match.seats[place].name;
  else made.setAttribute("aria-hidden", "true");
  return made;
}

function named(place) {
  const made = make("span");
  made.append(seatNumber(place), make("bdi", match.seats[place].name));
  return made;
}

function nameRow(seat, place, has) {
  const line = make("tr"), head = make("th", undefined, "who"), name = make("bdi", seat.name, "name");
  head.colSpan = match.hotels.length + 2;
  head.scope = "rowgroup";
  if (seat.strategy) name.title = seat.strategy;
  const hand = has.hand && seesHand(place) ? has.hand.map(cellName).join(" ") || "no tile" : "hidden";
  const rank = steps.slice(0, at + 1).find((step) => step.kind === "ranked" && step.player === place)?.rank;
  const start = steps[at].turn ? undefined : steps[0].starts?.[place];
  const notes = [has.out ? "ejected" : `hand: ${hand}`];
  if (rank) notes.unshift(`rank ${rank}`);
  if (start !== undefined) notes.unshift(`start: ${cellName(start)}`);
  head.append(dash(place), seatNumber(place), name, make("span", notes.join(" · "), "hand"));
  line.append(head);
  return line;
}

function drawPlayers(table) {
  const head = make("thead"), bodies = [], moving = mover();
  head.append(row("th", ["cash", ...match.hotels.map((_, hotel) => chip(hotel)), "worth"]));
  match.seats.forEach((seat, place) => {
    const has = table.players[place], body = make("tbody"), line = nameRow(seat, place, has);
    body.append(line);
    if (has.out) body.className = "out";
    else {
      const known = sees("shares", place, has);
      const shares = match.hotels.map((_, hotel) => (known ? has.shares[hotel] || "·" : "?"));
      const amount = (what) => (sees(what, place, has) ? dollars(has[what]) : "hidden");
      body.append(row("td", [amount("cash"), ...shares, amount("worth")]));
      if (place === moving) {
        body.className = "mover";
        line.firstChild.insertBefore(make("span", "to move", "moving"), line.firstChild.lastChild);
      }
    }
    bodies.push(body);
  });
  byId("players").replaceChildren(byId("players").caption, head, ...bodies);
  dimZeros("players");
}

function dimZeros(id) {
  byId(id).querySelectorAll("td").forEach((made) => made.textContent === "·" && made.classList.add("zero"));
}

// Who would be paid which bonus if the hotel were acquired now, the majority first.
function bonuses(table, hotel) {
  const made = make("span", undefined, "bonuses"), paid = new Map();
  table.players.forEach((has, place) => {
    if (!has.out && !sees("bonus", place, has)) made.hidden = true;
    else if (!has.out && has.bonus[hotel]) paid.set(has.bonus[hotel], [...(paid.get(has.bonus[hotel]) ?? []), place]);
  });
  if (made.hidden) return "?";
  if (!paid.size) return "·";
  [...paid.keys()].sort((one, other) => other - one).forEach((amount) => {
    const group = make("span");
    group.append(...paid.get(amount).map((place) => seatNumber(place, true)), ` ${dollars(amount)}`);
    made.append(group, " ");
  });
  return made;
}

function drawHotels(table) {
  const head = make("thead"), body = make("tbody");
  head.append(row("th", ["hotel", "tiles", "price", "bank", "bonuses now"]));
  head.firstChild.firstChild.className = "who";
  sizes(table).forEach((size, hotel) => {
    const name = make("span");
    name.append(chip(hotel), ` ${match.hotels[hotel].name}`);
    const safe = size >= match.safe ? `${size} safe` : String(size || "·");
    const cost = price(hotel, size);
    const line = row("td", [name, safe, cost ? dollars(cost) : "·", String(table.bank[hotel]), bonuses(table, hotel)]);
    line.firstChild.className = "who";
    body.append(line);
  });
  byId("hotels").replaceChildren(byId("hotels").caption, head, body);
  dimZeros("hotels");
}
