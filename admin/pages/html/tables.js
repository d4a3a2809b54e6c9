// The tables of players and hotels.
/** @import { Holdings, Hotel, Seat, Table } from "./page_data.js" */
import { cellName, current, game, inTurnOrder, mover, price, seats, seen, seesHand, sizes, steps, tables } from "./course.js";
import { chip, dash, seatNumber } from "./sentences.js";
import { byId, dollars, make } from "./text.js";

/** @param {"td" | "th"} tag @param {(Node | string | number)[]} texts */
export function row(tag, texts) {
  const line = make("tr");
  for (const text of texts) {
    const made = make(tag);
    if (text instanceof Node) made.append(text);
    else made.textContent = String(text);
    line.append(made);
  }
  return line;
}

/** @param {Seat} place @param {Holdings} has */
function nameRow(place, has) {
  const seat = seats[place], line = make("tr"), head = make("th", undefined, "who"), name = make("bdi", seat.name, "name");
  head.colSpan = game.hotels.length + 2;
  head.scope = "rowgroup";
  if (seat.strategy) name.title = seat.strategy;
  const hand = has.hand && seesHand(place) ? has.hand.map(cellName).join(" ") || "no tile" : "hidden";
  const rank = steps.slice(0, current.at + 1).find((step) => step.kind === "ranked" && step.player === place);
  const [first] = steps, start = first.kind === "deal" && !steps[current.at].turn ? first.starts?.[place] : undefined;
  // a person knows that the others' hands are hidden
  const notes = has.out ? ["ejected"] : hand === "hidden" && game.me !== undefined ? [] : [`hand: ${hand}`];
  if (rank?.kind === "ranked") notes.unshift(`rank ${rank.rank}`);
  if (start !== undefined) notes.unshift(`start: ${cellName(start)}`);
  head.append(dash(place), seatNumber(place), name, make("span", notes.join(" · "), "hand"));
  line.append(head);
  return line;
}

/** @param {Seat} place @param {Holdings} has */
function holdingsRow(place, has) {
  const known = seen("shares", place, has);
  const shares = game.hotels.map((_, hotel) => (known ? known[hotel] || "·" : "?"));
  /** @param {"cash" | "worth"} what */
  const amount = (what) => {
    const found = seen(what, place, has);
    return found === undefined ? "hidden" : dollars(found);
  };
  return row("td", [amount("cash"), ...shares, amount("worth")]);
}

/** @param {Table} table */
export function drawPlayers(table) {
  const head = make("thead"), moving = mover();
  head.append(row("th", ["cash", ...game.hotels.map((_, hotel) => chip(hotel)), "worth"]));
  const bodies = inTurnOrder.map((place) => {
    const has = table.players[place], body = make("tbody"), line = nameRow(place, has);
    body.append(line);
    body.dataset.player = String(place);
    if (has.out) body.className = "out";
    else body.append(holdingsRow(place, has));
    if (!has.out && place === moving) {
      body.className = "mover";
      line.cells[0].insertBefore(make("span", "to move", "moving"), line.cells[0].lastChild);
    }
    return body;
  });
  fill(byId("players"), head, ...bodies);
}

// Write a table anew below its caption.
/** @param {HTMLTableElement} table @param {Node[]} parts */
function fill(table, ...parts) {
  table.replaceChildren(...(table.caption ? [table.caption] : []), ...parts);
  dimZeros(table);
}

/** @param {Element} part */
export function dimZeros(part) {
  for (const made of part.querySelectorAll("td")) if (made.textContent === "·") made.classList.add("zero");
}

// Who would be paid which bonus if the hotel were acquired now, the majority first.
/** @param {Table} table @param {Hotel} hotel */
function bonuses(table, hotel) {
  /** @type {Map<number, Seat[]>} */
  const paid = new Map();
  for (const [place, has] of table.players.entries()) {
    if (has.out) continue;
    const known = seen("bonus", place, has);
    if (!known) return "?";
    if (known[hotel]) paid.set(known[hotel], [...(paid.get(known[hotel]) ?? []), place]);
  }
  if (!paid.size) return "·";
  // on a person's page the board can be ahead of the bonuses, while a merger is settled
  if (sizes(table)[hotel] !== sizes(tables[current.at])[hotel]) return make("span", "after the merger", "hand");
  const made = make("span", undefined, "bonuses");
  for (const [amount, places] of [...paid].sort(([one], [other]) => other - one)) {
    const group = make("span");
    group.append(...places.map((place) => seatNumber(place, true)), ` ${dollars(amount)}`);
    made.append(group, " ");
  }
  return made;
}

/** @param {Table} table */
export function drawHotels(table) {
  const head = make("thead"), body = make("tbody");
  head.append(row("th", ["hotel", "tiles", "price", "bank", "bonuses now"]));
  head.rows[0].cells[0].className = "who";
  sizes(table).forEach((size, hotel) => {
    const name = make("span");
    name.append(chip(hotel), ` ${game.hotels[hotel].name}`);
    const safe = size >= game.safe ? `${size} safe` : String(size || "·");
    const cost = price(hotel, size), lowest = game.me === undefined ? 0 : game.hotels[hotel].prices.find(Boolean); // a person plans with it
    const line = row("td", [name, safe, cost ? dollars(cost) : lowest ? `from ${dollars(lowest)}` : "·", String(table.bank[hotel]), size ? bonuses(table, hotel) : "·"]);
    line.cells[0].className = "who";
    body.append(line);
  });
  fill(byId("hotels"), head, body);
}
