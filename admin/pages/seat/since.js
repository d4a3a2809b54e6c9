// What the others have done since one's own last tile, a line for each turn, and who leads now.
/** @import { Seat, Step, Table } from "../html/page_data.js" */
import { cellName, current, game, seen, sizes, steps, tables, TILES } from "../html/course.js";
import { named } from "../html/sentences.js";
import { byId, dollars, make } from "../html/text.js";
import { seat } from "./draft.js";
import { ORDINALS } from "./words.js";

const NEAR = 5; // tiles before the end can come
// The place of one's own last tile; -1 before the first.
export const ownLast = () => steps.slice(0, current.at + 1).findLastIndex(({ kind, player }) => player === seat.me && TILES.has(kind));

// A step in few words; nothing of those that matter little.
/** @param {Step} step @param {number} place */
function inShort(step, place) {
  const hotel = step.hotel === undefined ? "" : game.hotels[step.hotel].name, tile = step.tile === undefined ? "" : cellName(step.tile);
  switch (step.kind) {
    case "placed": return tile;
    case "grown": return `${tile}: ${hotel} grows`;
    case "founded": return `${tile} founds ${hotel}`;
    case "merged": return `${tile} merges hotels`;
    case "acquiring": return "merges hotels";
    case "acquired": return `${game.hotels[step.survivor].name} acquires ${hotel}`;
    case "nothing": return "no tile";
    case "ejected": return "is ejected";
    case "bought": return `buys ${tables[place - 1].bank[step.hotel ?? 0] - tables[place].bank[step.hotel ?? 0]} ${hotel}`;
    default: return "";
  }
}

// What is said of the others makes way for the purchase once one's own tile is chosen.
const isPlaced = () => Boolean(seat.over) || (seat.question?.kind === "turn" && seat.draft.cell !== null);

export function drawSince() {
  const list = byId("since"), from = ownLast() + 1;
  /** @type {[player: number, words: string[]][]} */
  const turns = [];
  steps.slice(from, current.at + 1).forEach((step, index) => {
    if (step.kind === "turn" && step.player !== seat.me) turns.push([step.player, []]);
    const words = turns.length && step.player !== seat.me ? inShort(step, from + index) : "", said = turns[turns.length - 1]?.[1] ?? [];
    if (step.kind === "merged") said.splice(0, said.length, ...said.filter((one) => one !== "merges hotels"));
    if (words) said.push(words);
  });
  list.replaceChildren(...turns.filter(([, words]) => words.length).map(([player, words]) => {
    const line = make("li");
    line.append(named(player), ` ${words.join("; ")}`);
    return line;
  }));
  list.hidden = !list.children.length || isPlaced();
}

// Everybody by worth, the richest first; nobody where a worth is hidden, or all have the same.
/** @param {Table} table */
function ranked(table) {
  /** @type {{ player: Seat, worth: number }[]} */
  const found = [];
  for (const [player, has] of table.players.entries()) {
    const worth = seen("worth", player, has);
    if (worth === undefined) return [];
    if (!has.out) found.push({ player, worth });
  }
  found.sort((one, other) => other.worth - one.worth);
  return found[0]?.worth === found[found.length - 1]?.worth ? [] : found;
}

/** @param {Table} table */
export const leaders = (table) => ranked(table).filter(({ worth }, _, [first]) => worth === first.worth);

// The person's place, how far the best of the others is from it, and what the others' turns have changed.
export function drawStanding() {
  const found = ranked(tables[current.at]), own = found.find(({ player }) => player === seat.me), rival = found.find((one) => one !== own), line = byId("standing");
  line.hidden = !own || !rival || isPlaced();
  if (!own || !rival) return;
  const lead = own.worth - rival.worth, place = ORDINALS[found.findIndex(({ worth }) => worth === own.worth)];
  const before = tables[Math.max(0, ownLast())].players[seat.me].worth ?? own.worth, change = own.worth - before;
  line.replaceChildren(
    lead > 0 ? `You lead, ${dollars(lead)} ahead of ` : lead ? `You are ${place}, ${dollars(-lead)} behind ` : "You share the lead with ",
    named(rival.player),
    change ? `. Your worth: ${change < 0 ? "−" : "+"}${dollars(Math.abs(change))} since your last tile.` : ".",
  );
}

// Why the game can be ended in this position, in figures; empty if it cannot.
/** @param {Table} table */
export function endingFigures(table) {
  const found = sizes(table), largest = Math.max(...found), named = found.flatMap((size, hotel) => (size ? [`${game.hotels[hotel].name} ${size}`] : []));
  if (largest >= game.final) return `${game.hotels[found.indexOf(largest)].name} has ${largest} tiles; ${game.final} are enough.`;
  return named.length && found.every((size) => !size || size >= game.safe) ? `All hotels are safe: ${named.join(", ")} tiles.` : "";
}

// A warning before the end can come: a hotel that is nearly large enough, or the last one that is not safe.
export function drawNear() {
  const table = tables[current.at], found = sizes(table), largest = Math.max(...found), small = found.flatMap((size, hotel) => (size && size < game.safe ? [hotel] : []));
  /** @param {number} hotel */
  const told = (hotel) => `${game.hotels[hotel].name} has ${found[hotel]}`;
  let text = endingFigures(table) && `The game can end in any turn now. ${endingFigures(table)}`;
  if (!text && largest >= game.final - NEAR) text = `The end is near: ${told(found.indexOf(largest))} of the ${game.final} tiles with which a game can end.`;
  if (!text && largest >= game.safe && small.length === 1 && found[small[0]] >= game.safe - NEAR) text = `The end is near: it can come once all hotels are safe, and only one is not. ${told(small[0])} of ${game.safe} tiles.`;
  byId("near").textContent = text;
  byId("near").hidden = !text || Boolean(seat.over);
}
