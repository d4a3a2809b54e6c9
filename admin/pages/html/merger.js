// The merger at this step: who holds what of each acquired hotel, and what it brings.
/** @import { Cell, Hotel, Seat, Step, Table } from "./page_data.js" */
import { formerHotel } from "./board.js";
import { cellName, current, game, inTurnOrder, price, seats, seen, sizes, steps, tables } from "./course.js";
import { chip, named } from "./sentences.js";
import { dimZeros, row } from "./tables.js";
import { byId, dollars, make } from "./text.js";

/** A merger that is known before a step tells of it: its tile, and the board after it.
 * @typedef {{ cell: Cell, board: number[] }} Foreseen */

// The merger of this turn so far, if there is one: its first step, and the acquired hotels.
/** @param {Foreseen | null} foreseen */
function currentMerger(foreseen) {
  let from = current.at, joined = false;
  for (; from > 0 && steps[from].kind !== "turn"; from -= 1) {
    if (["undone", "ended"].includes(steps[from].kind)) return null;
    joined ||= steps[from].kind === "merged" || steps[from].kind === "acquired";
  }
  return joined || foreseen ? { from, acquired: acquiredSince(from, foreseen) } : null;
}

// The hotels that have left the board since, in the order of acquisition.
/** @param {number} from @param {Foreseen | null} foreseen */
function acquiredSince(from, foreseen) {
  const { at } = current, announced = steps.slice(from, at + 1).filter((step) => step.kind === "acquired").map((step) => step.hotel);
  const before = sizes(tables[from]), now = sizes(foreseen ? { ...tables[at], board: foreseen.board } : tables[at]);
  const gone = before.flatMap((size, hotel) => (size && !now[hotel] ? [hotel] : []));
  return [...new Set([...announced, ...gone])];
}

// Who has the majority or minority of an acquired hotel, by seat, and at the end the stock market: once the
// acquisition is announced and the market has drawn, and if all certificates are known.
/** @param {Hotel} hotel @param {Table} before @param {number | null} market @returns {string[]} */
function majorities(hotel, before, market) {
  /** @type {number[]} */
  const held = [];
  for (const count of [...before.players.map((_, place) => certificates(hotel, place, before)), game.market ? market : 0]) {
    if (count === null) return [];
    held.push(count);
  }
  return held.map((count) => {
    const ahead = held.filter((other) => other > count).length, tied = held.filter((other) => other === count).length;
    if (!count || ahead >= game.bonuses) return "";
    return `${tied > 1 ? "shared " : ""}${["majority", "minority"][ahead] ?? `place ${ahead + 1}`}`;
  });
}

/** @param {HTMLElement} name @param {Hotel} hotel @param {Seat | "market"} seat @param {string | undefined} majority */
function holder(name, hotel, seat, majority) {
  if (!majority) return name;
  const badge = make("span", majority, "badge");
  badge.dataset.key = `${hotel} ${seat}`;
  name.append(" ", badge);
  return name;
}

// How many certificates of a hotel a player has, `null` if that is not known.
/** @param {Hotel} hotel @param {Seat} place @param {Table} table */
function certificates(hotel, place, table) {
  const has = table.players[place];
  return has.out ? 0 : seen("shares", place, has)?.[hotel] ?? null;
}

// What a step has brought or cost a player, in dollars or certificates of the hotel.
/** @param {Hotel} hotel @param {number} place @param {Seat} player */
function settled(hotel, place, player) {
  const [was, is] = [tables[place - 1].players[player], tables[place].players[player]];
  if (steps[place].kind === "bonus") {
    const before = seen("cash", player, was);
    return before === undefined ? "yes" : dollars((is.cash ?? 0) - before);
  }
  const before = seen("shares", player, was);
  return before ? before[hotel] - (is.shares?.[hotel] ?? 0) : "yes";
}

/** @typedef {"bonus" | "sold" | "returned" | "traded"} Settling */
/** @type {Record<Settling, true>} */
const SETTLING = { bonus: true, sold: true, returned: true, traded: true };
/** @param {Step["kind"]} kind @returns {kind is Settling} */
const isSettling = (kind) => kind in SETTLING;

/** @param {Hotel} hotel @param {number} from @param {Foreseen | null} foreseen */
function settlement(hotel, from, foreseen) {
  const { at } = current;
  let joined = from + 1;
  while (!foreseen && sizes(tables[joined])[hotel]) joined += 1;
  const before = tables[joined - 1];
  /** @type {Record<Seat, Partial<Record<Settling, string | number>>>} */
  const paid = {};
  const announced = Boolean(foreseen) || steps.slice(from, at + 1).some((step) => step.kind === "acquired" && step.hotel === hotel);
  /** @type {number | null} */
  let market = null;
  for (let place = joined; place <= at; place += 1) {
    const step = steps[place];
    if (step.hotel !== hotel) continue;
    if (step.kind === "market") market = step.count ?? market;
    else if (step.player !== undefined && isSettling(step.kind))
      paid[step.player] = { ...paid[step.player], [step.kind]: settled(hotel, place, step.player) };
  }
  return { before, size: sizes(before)[hotel], paid, market, majority: announced ? majorities(hotel, before, market) : [] };
}

// Whether the step that is shown is about this hotel, and settles something with this player.
/** @param {Hotel} hotel @param {Seat} place */
function isSettledNow(hotel, place) {
  const step = steps[current.at];
  return step.hotel === hotel && step.player === place && isSettling(step.kind);
}

/** @param {Hotel} hotel @param {Hotel} survivor @param {number} size */
function mergerCaption(hotel, survivor, size) {
  const caption = make("caption");
  caption.append(chip(survivor), ` ${game.hotels[survivor].name} acquires `, chip(hotel), ` ${game.hotels[hotel].name}: ${size} tiles at ${dollars(price(hotel, size))}`);
  return caption;
}

// What stands for certificates that nobody has returned: until all have answered it is not known.
/** @param {number} from @param {boolean} asking */
function unreturned(from, asking) {
  const since = steps.slice(from, current.at + 1);
  if (asking) return "not yet";
  return game.me !== undefined || since.some(({ kind }) => kind === "bought" || kind === "drew") ? "none" : "·";
}

/** @param {Hotel} hotel @param {number} from @param {Foreseen | null} foreseen @param {boolean} asking */
function mergerTable(hotel, from, foreseen, asking) {
  const { at } = current, open = game.trades ? "·" : unreturned(from, asking);
  const { before, size, paid, market, majority } = settlement(hotel, from, foreseen);
  const body = make("tbody"), head = make("thead"), table = make("table");
  head.append(row("th", ["holder", "had", "bonus", ...(game.trades ? ["sold", "traded"] : ["returned"]), "holds"]));
  head.rows[0].cells[0].className = "who";
  inTurnOrder.forEach((place) => {
    const had = certificates(hotel, place, before), got = paid[place] ?? {};
    if (before.players[place].out || (had === 0 && !paid[place])) return;
    /** @param {number | null} count */
    const shown = (count) => (count === null ? "?" : count || "·");
    const line = row("td", [holder(named(place), hotel, place, majority[place]), shown(had), got.bonus ?? "·", got.sold ?? got.returned ?? (had ? open : "·"), ...(game.trades ? [got.traded ?? "·"] : []), shown(certificates(hotel, place, tables[at]))]);
    line.cells[0].className = "who";
    if (isSettledNow(hotel, place)) line.className = "now";
    body.append(line);
  });
  if (market) {
    const line = row("td", [holder(make("span", "stock market"), hotel, "market", majority[seats.length]), market, "·", "·", ...(game.trades ? ["·"] : []), "·"]);
    line.cells[0].className = "who";
    if (steps[at].kind === "market" && steps[at].hotel === hotel) line.className = "now";
    body.append(line);
  }
  table.append(mergerCaption(hotel, (foreseen?.board ?? tables[at].board)[tables[from].board.indexOf(hotel)], size));
  if (!body.children.length) return [table, make("p", "Nobody holds its certificates.", "note")];
  table.append(head, body);
  return [table];
}

// The tiles of hotels that this merger has acquired, each with the mark of its hotel.
/** @param {Foreseen | null} [foreseen] */
export function formerTiles(foreseen = null) {
  const merger = currentMerger(foreseen), now = foreseen?.board ?? tables[current.at].board;
  if (!merger) return [];
  return tables[merger.from].board.flatMap((what, cell) => (game.hotels[what] && what !== now[cell] ? formerHotel(cell, what) : []));
}

// Without a merger `otherwise` is shown.
/** @param {HTMLElement[]} otherwise @param {Foreseen | null} foreseen @param {boolean} asking whether holders are asked what to do with their certificates */
export function drawMerger(otherwise = [], foreseen = null, asking = false) {
  const merger = currentMerger(foreseen), part = byId("merger"), head = make("h2");
  if (merger) {
    const joining = steps.slice(merger.from, current.at + 1).find((step) => step.kind === "merged"), tile = joining?.tile ?? foreseen?.cell;
    head.textContent = tile !== undefined ? `Merger by ${cellName(tile)}` : "Merger";
    part.replaceChildren(head, ...merger.acquired.flatMap((hotel) => mergerTable(hotel, merger.from, foreseen, asking)));
  } else part.replaceChildren(...otherwise);
  dimZeros(part);
  part.hidden = !part.children.length;
}
