// A person's move on the page: chosen piece by piece, shown on the board, and sent at the end.
const me = match.me;
let question = null, over = null, draft = {}, sending = false;

const currentMerger = () => null;
const hotelName = (hotel) => match.hotels[hotel].name;

function listStep(step) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : step.player === me ? "own" : undefined);
  writeSentence(line, step);
  byId("events").append(line);
}

// -- the draft ------------------------------------------------------------------------------------
const tileOf = () => question?.tiles?.find((tile) => tile.cell === draft.cell);
const optionsNow = () => (question?.kind === "merger" ? question.options : tileOf()?.options) ?? [];
const sameHotel = () => optionsNow().filter((option) => option.hotel === draft.hotel);
const optionNow = () => sameHotel().find((option) => String(option.equals) === String(draft.equals)) ?? null;
const purchaseNow = () => (question?.kind === "order" || question?.purchase ? question.purchase : optionNow()?.purchase ?? null);
const countOf = (hotel) => draft.order.filter((other) => other === hotel).length;
const priceOf = (hotel) => purchaseNow().hotels.find((row) => row.hotel === hotel).price;
const cost = () => draft.order.reduce((sum, hotel) => sum + priceOf(hotel), 0);

function emptyDraft() {
  const empty = { cell: null, hotel: undefined, equals: undefined, order: [], end: false, keep: [], sell: 0, trade: 0, replace: null, touched: false };
  if (question?.kind === "merger") Object.assign(empty, { cell: question.tile });
  if (question?.kind === "keep") empty.keep = question.hotels.map(() => null);
  return empty;
}

// Take what is the only choice.
function settle() {
  const hotels = [...new Set(optionsNow().map((option) => option.hotel))];
  if (hotels.length === 1) draft.hotel = hotels[0];
  if (draft.hotel !== undefined && sameHotel().length === 1) draft.equals = sameHotel()[0].equals;
}

function change(changes) {
  Object.assign(draft, { touched: true }, changes);
  settle();
  refuse("");
  drawAll();
}

function chooseTile(cell) {
  const tile = question?.tiles?.find((other) => other.cell === cell);
  if (!tile) return;
  if (!tile.options) return refuse(`${cellName(cell)} cannot be placed. ${tile.why}`);
  if (draft.cell === cell) return;
  draft = emptyDraft();
  change({ cell });
}

function undo() {
  if (draft.end) return change({ end: false });
  if (draft.order.length) return change({ order: draft.order.slice(0, -1) });
  draft = emptyDraft();
  change({ touched: false });
}

const isEmpty = () => !draft.touched;

function isReady() {
  switch (question?.kind) {
    case "turn": return Boolean(optionNow()) || Boolean(question.purchase);
    case "merger": return Boolean(optionNow());
    case "keep": return draft.keep.every((kept) => kept !== null);
    case "replace": return draft.replace !== null;
    default: return Boolean(question);
  }
}

// -- the panel ------------------------------------------------------------------------------------
function button(key, text, does, pressed) {
  const made = make("button", text);
  made.type = "button";
  made.dataset.key = key;
  if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
  made.addEventListener("click", does);
  return made;
}

function part(title, kind, parts) {
  const made = make("div", undefined, kind);
  made.append(...parts);
  return title ? [make("h2", title), made] : [made];
}

function hotelLabel(made, hotel, text = hotelName(hotel)) {
  made.replaceChildren(chip(hotel), ` ${text}`);
  return made;
}

function tileButtons() {
  return part("", "tiles", question.tiles.map((tile) => {
    const made = button(`tile-${tile.cell}`, undefined, () => chooseTile(tile.cell), draft.cell === tile.cell);
    made.append(make("b", cellName(tile.cell)), make("small", tile.options ? tile.does : "not allowed now"));
    if (!tile.options) made.className = "barred";
    return made;
  }));
}

function hotelButtons() {
  const hotels = [...new Set(optionsNow().map((option) => option.hotel))];
  if (hotels.length < 2) return [];
  const founding = !tables[at].board.includes(hotels[0]);
  return part(founding ? "Which hotel do you found?" : "They are equal: which hotel survives?", "options", hotels.map((hotel) =>
    hotelLabel(button(`hotel-${hotel}`, undefined, () => change({ hotel, equals: undefined, order: [], end: false }), draft.hotel === hotel), hotel)));
}

function equalsButtons() {
  if (draft.hotel === undefined || sameHotel().length < 2) return [];
  return part("Equal hotels: which is settled first?", "options", sameHotel().map((option) =>
    button(`equals-${option.equals}`, option.equals.map(hotelName).join(", then "), () => change({ equals: option.equals }), String(option.equals) === String(draft.equals))));
}

// What holding so many certificates would mean for the bonuses, as far as the others' are known.
function standing(hotel, count) {
  const others = tables[at].players.filter((has, place) => place !== me && !has.out);
  if (!count) return "";
  if (others.some((has) => !has.shares)) return `you would hold ${count}`;
  const held = others.map((has) => has.shares[hotel]).sort((one, other) => other - one);
  const [most, second] = [held[0] ?? 0, held[1] ?? 0];
  const place = count > most ? "majority" : count === most ? "shared majority" : count > second ? "minority" : count === second ? "shared minority" : "no bonus";
  return `${count} held: ${place}${most && count <= most ? ` (most: ${most})` : ""}`;
}

function canBuy(row) {
  const purchase = purchaseNow();
  const others = !purchase.mixed && draft.order.some((hotel) => hotel !== row.hotel);
  return draft.order.length < purchase.limit && !others && countOf(row.hotel) < row.left && cost() + row.price <= purchase.cash;
}

function counter(key, count, less, more, what) {
  const made = make("span", undefined, "count");
  const minus = button(`${key}-less`, "−", less ?? (() => {})), plus = button(`${key}-more`, "+", more ?? (() => {}));
  minus.setAttribute("aria-label", `One less ${what}`);
  plus.setAttribute("aria-label", `One more ${what}`);
  minus.disabled = !less;
  plus.disabled = !more;
  made.append(minus, make("output", count), plus);
  return made;
}

function purchaseRows() {
  const purchase = purchaseNow();
  if (!purchase) return [];
  const table = make("table"), head = make("thead"), body = make("tbody");
  head.append(row("th", ["hotel", "price", "bank", "buy", "if you buy them"]));
  for (const line of purchase.hotels) {
    const { hotel } = line, count = countOf(hotel), name = make("span");
    name.append(chip(hotel), ` ${hotelName(hotel)}`);
    const less = count ? () => { const order = draft.order.slice(); order.splice(order.lastIndexOf(hotel), 1); change({ order }); } : null;
    const more = canBuy(line) ? () => change({ order: [...draft.order, hotel] }) : null;
    const made = row("td", [name, dollars(line.price), String(line.left), counter(`buy-${hotel}`, count, less, more, hotelName(hotel)), standing(hotel, line.own + count)]);
    made.firstChild.className = "who";
    made.children[2].className = "left";
    made.lastChild.className = "effect";
    body.append(made);
  }
  head.firstChild.firstChild.className = "who";
  head.firstChild.children[2].className = "left";
  head.firstChild.lastChild.className = "effect";
  table.append(head, body);
  const rule = `up to ${purchase.limit}${purchase.mixed ? "" : ", all of one hotel"}`;
  const found = body.children.length
    ? part(`Buy certificates (${rule}): ${dollars(cost())} of ${dollars(purchase.cash)}`, "scroll", [table])
    : [make("p", "Nothing can be bought: no hotel has a price, or the bank is empty.")];
  return [...found, ...endChoice(purchase)];
}

function endChoice(purchase) {
  if (!purchase.end) return [];
  const label = make("label"), box = make("input");
  box.type = "checkbox";
  box.checked = draft.end;
  box.dataset.key = "end";
  box.addEventListener("change", () => change({ end: box.checked }));
  label.append(box, make("span", `Declare the end of the game. ${purchase.end}`));
  return [label];
}

function keepRows() {
  return question.hotels.flatMap((one, place) => {
    const keep = draft.keep, set = (kept) => () => change({ keep: keep.map((was, other) => (other === place ? kept : was)) });
    const certificates = plural(one.count, `${hotelName(one.hotel)} certificate`);
    if (!one.count) return part(`${hotelName(one.hotel)} is acquired; you hold none of it.`, "options", [button(`return-${place}`, "Go on", set(false), keep[place] === false)]);
    return part(`${hotelName(one.hotel)} is acquired. You hold ${certificates}.`, "options", [
      button(`keep-${place}`, `Keep ${one.count === 1 ? "it" : "all"}, in case it is founded again`, set(true), keep[place] === true),
      button(`return-${place}`, `Return for ${dollars(one.count * one.price)}`, set(false), keep[place] === false),
    ]);
  });
}

function disposalRows() {
  const { hotel, survivor, count, left, price: each } = question, { sell, trade } = draft;
  const free = count - sell - trade, table = make("table"), body = make("tbody");
  body.append(
    row("td", [`sell at ${dollars(each)}`, counter("sell", sell, sell ? () => change({ sell: sell - 1 }) : null, free ? () => change({ sell: sell + 1 }) : null, "to sell"), `you get ${dollars(sell * each)}`]),
    row("td", [`trade 2 for 1 ${hotelName(survivor)}`, counter("trade", trade, trade ? () => change({ trade: trade - 2 }) : null, free >= 2 && trade / 2 < left ? () => change({ trade: trade + 2 }) : null, "pair to trade"), standing(survivor, tables[at].players[me].shares[survivor] + trade / 2) || "you get none"]),
    row("td", ["keep", String(free), "in case it is founded again"]),
  );
  for (const line of body.children) { line.firstChild.className = "who"; line.lastChild.className = "effect"; }
  table.append(body);
  return part(`You hold ${plural(count, `${hotelName(hotel)} certificate`)}; the bank has ${left} of ${hotelName(survivor)}.`, "scroll", [table]);
}

function replaceButtons() {
  return part("", "options", [
    button("replace-yes", "Replace the whole hand", () => change({ replace: true }), draft.replace === true),
    button("replace-no", "Keep this hand", () => change({ replace: false }), draft.replace === false),
  ]);
}

function panel() {
  switch (question?.kind) {
    case "turn": return [...tileButtons(), ...hotelButtons(), ...equalsButtons(), ...purchaseRows()];
    case "merger": return [...hotelButtons(), ...equalsButtons()];
    case "order": return purchaseRows();
    case "keep": return keepRows();
    case "dispose": return disposalRows();
    case "replace": return replaceButtons();
    default: return [];
  }
}

// -- words ----------------------------------------------------------------------------------------
function task() {
  if (over) return over.text || "The game is over.";
  switch (question?.kind) {
    case "turn":
      if (question.purchase) return "None of your tiles can be placed. You may still buy.";
      if (!tileOf()) return "Your turn. Choose one of your tiles, here or on the board (dashed squares).";
      if (draft.hotel === undefined) return `${cellName(draft.cell)} ${tileOf().does}. Choose the hotel.`;
      if (draft.equals === undefined) return "Choose the order in which equal hotels are settled.";
      if (!purchaseNow()) return "A merger: send the tile first. You buy after everybody has been paid.";
      return "Now buy certificates, or none, and send.";
    case "merger": return `The market's tile ${cellName(question.tile)} merges hotels. You decide which survives.`;
    case "order": return "The merger is settled. Now buy certificates, or none, and send.";
    case "keep": return "A merger. Bonuses are paid by the bank; decide what happens to your certificates.";
    case "dispose": return `${hotelName(question.survivor)} acquires ${hotelName(question.hotel)}. Sell, trade or keep your certificates.`;
    case "replace": return "None of your tiles can be placed. You may have a new hand.";
    default: return "";
  }
}

function waitingFor() {
  const moving = mover();
  return moving === null || moving === me ? [make("span", "Waiting for the others.")] : [make("span", "Waiting for "), make("bdi", match.seats[moving].name), make("span", ".")];
}

function summary() {
  const parts = [];
  if (question.kind === "turn" && draft.cell !== null) parts.push(`place ${cellName(draft.cell)}`);
  if (draft.hotel != null) parts.push(`${hotelName(draft.hotel)} ${purchaseNow() ? "is founded" : "survives"}`);
  const purchase = purchaseNow();
  if (purchase) {
    const bought = [...new Set(draft.order)].map((hotel) => `${countOf(hotel)} ${hotelName(hotel)}`);
    parts.push(bought.length ? `buy ${bought.join(" and ")}, cash left ${dollars(purchase.cash - cost())}` : "buy nothing");
  }
  if (question.kind === "dispose") parts.push(`sell ${draft.sell}, trade ${draft.trade}, keep ${question.count - draft.sell - draft.trade}`);
  if (draft.end) parts.push("end the game");
  return parts.join("; ");
}

function refuse(text) {
  byId("refusal").hidden = !text;
  byId("refusal").textContent = text;
}

// -- drawing --------------------------------------------------------------------------------------
// The board as it would be after the draft.
function preview() {
  const table = tables[at], option = optionNow();
  if (!option && draft.cell == null) return table;
  const board = table.board.slice();
  if (option) for (const [cell, what] of option.board) board[cell] = what;
  return { ...table, board };
}

function drawOwnTiles() {
  const mine = new Set(question?.kind === "turn" ? question.tiles.map((tile) => tile.cell) : []);
  cells.forEach(({ square }, cell) => {
    square.classList.toggle("mine", mine.has(cell) && cell !== draft.cell);
    if (mine.has(cell) && cell !== draft.cell) square.style.fill = "";
  });
  if (draft.cell != null) byId("marks").append(frame(draft.cell, "halo", 1), frame(draft.cell, "ring", 1));
}

// Controls are made anew; the one with the focus keeps it.
function drawPanel() {
  const focused = document.activeElement?.dataset?.key, asked = Boolean(question) && !sending;
  byId("move").classList.toggle("asked", asked);
  byId("task").textContent = task();
  if (!question && !over) byId("task").replaceChildren(...waitingFor());
  byId("choices").replaceChildren(...panel());
  byId("send-part").hidden = !question;
  if (question) {
    byId("send").disabled = sending || !isReady();
    byId("undo").disabled = sending || isEmpty();
    byId("summary").textContent = isReady() ? summary() : "";
  }
  const again = focused && byId("move").querySelector(`[data-key="${focused}"]`);
  if (again && !again.disabled) again.focus({ preventScroll: true });
  else if (focused) (byId("move").querySelector("#send:not(:disabled), #choices button:not(:disabled)") ?? byId("events")).focus({ preventScroll: true });
}

function drawResult() {
  const ranked = steps.filter((step) => step.kind === "ranked"), part = byId("result");
  part.hidden = !over;
  if (!over) return;
  const made = [make("h2", ranked.length ? "Result" : "The match has ended")];
  const table = make("table"), body = make("tbody");
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, dollars(step.score)]);
    line.firstChild.append(make("bdi", match.seats[step.player].name));
    line.firstChild.className = "who";
    body.append(line);
  }
  table.append(body);
  if (ranked.length) made.push(table);
  if (over.replay) {
    const link = make("a", "Watch the replay"), command = make("p", "In a terminal: ");
    link.href = "replay";
    command.append(make("code", over.replay));
    made.push(link, command);
  }
  part.replaceChildren(...made);
}

function headline() {
  const result = steps.find((step) => step.kind === "result");
  if (result) return result;
  const told = steps.filter((step) => !["turn", "hand"].includes(step.kind) && step.text);
  return told[told.length - 1] ?? steps[at];
}

function drawAll() {
  if (!steps.length) return;
  at = steps.length - 1;
  writeSentence(byId("sentence"), headline());
  drawBoard(preview());
  drawOwnTiles();
  drawPlayers(tables[at]);
  drawHotels(tables[at]);
  drawPanel();
  drawResult();
  byId("facts").textContent = `rulebook ${match.rulebook} · turn ${steps[at].turn} · ${plural(tables[at].bag, "tile")} in the bag`;
  document.title = question ? "Your move – Acquire" : "Acquire – your seat";
}

// -- the wire -------------------------------------------------------------------------------------
async function send(event) {
  event.preventDefault();
  if (!question || sending || !isReady()) return;
  sending = true;
  const asked = question.id, answer = { id: asked, tile: question.tiles ? draft.cell : null, hotel: draft.hotel ?? null, equals: sameHotel().length > 1 ? draft.equals : [], order: draft.order, end: draft.end, keep: draft.keep, sell: draft.sell, trade: draft.trade, replace: draft.replace };
  drawPanel();
  try {
    const response = await fetch("answer", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(answer) });
    if (!response.ok) refuse(await response.text());
  } catch {
    refuse("The answer could not be sent. Is acquire play still running?");
  }
  sending = false;
  if (question?.id === asked) drawPanel();
}

function notice(text) {
  if (byId("notice").textContent === text) return;
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

function take(update) {
  if (update.from === 0 && steps.length) {
    steps.length = tables.length = 0;
    byId("events").replaceChildren();
  }
  addSteps(update.frames);
  const isNew = update.question?.id !== question?.id, focused = document.activeElement === document.body || byId("move").contains(document.activeElement);
  over = update.over;
  question = update.question;
  if (isNew) {
    draft = emptyDraft();
    settle();
    sending = false;
    refuse("");
  }
  drawAll();
  if (!byId("events").matches(":hover, :focus")) byId("events").scrollTop = byId("events").scrollHeight;
  if (isNew && question && focused) byId("choices").querySelector("button:not(:disabled), input")?.focus({ preventScroll: true });
}

function begin() {
  byId("view").value = String(me); // whose hand the board shows
  layBoard();
  cells.forEach(({ square }, cell) => square.addEventListener("click", () => chooseTile(cell)));
  byId("move").addEventListener("submit", send);
  byId("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && question && !sending && !isEmpty()) undo();
  });
  const source = new EventSource("events");
  source.onmessage = (message) => {
    notice("");
    take(JSON.parse(message.data));
    if (over) source.onerror = () => source.close();
  };
  source.onerror = () => notice("The connection to acquire play is lost. Is it still running?");
}

draft = emptyDraft();
begin();
