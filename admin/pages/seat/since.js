// What the others have done since one's own last tile, a line for each turn, and who leads now.
/** @import { Hotel, Seat, Step, Table } from "../html/page_data.js" */
import { cellName, current, game, seats, seen, sizes, steps, tables, TILES } from "../html/course.js";
import { named } from "../html/sentences.js";
import { byId, dollars, make } from "../html/text.js";
import { purchaseNow, seat } from "./draft.js";
import { ORDINALS } from "./words.js";

const NEAR = 5; // tiles before the end can come
const listed = new Intl.ListFormat("en-GB");
// The place of one's own last tile; -1 before the first.
export const ownLast = () => steps.slice(0, current.at + 1).findLastIndex(({ kind, player }) => player === seat.me && TILES.has(kind));

// What was bought in one turn, up to the step that is shown; nothing where an earlier step of the same order says it.
/** @param {number} place */
function orderFrom(place) {
  if (steps[place - 1].kind === "bought") return "";
  const end = steps.findIndex(({ kind }, at) => at > place && kind !== "bought"), last = end < 0 ? steps.length : end;
  const bought = steps.slice(place, Math.min(last, current.at + 1)).map(({ hotel = 0 }, at) => {
    const [before, after] = [tables[place + at - 1], tables[place + at]];
    return `${before.bank[hotel] - after.bank[hotel]} ${game.hotels[hotel].name}`;
  });
  return `buys ${listed.format(bought)}`;
}

// Who is paid a bonus, and how much where the cash is seen.
/** @param {number} place @param {Seat} player */
function paid(place, player) {
  const [before, after] = [tables[place - 1], tables[place]].map(({ players }) => seen("cash", player, players[player]));
  const amount = before === undefined || after === undefined ? "a bonus" : dollars(after - before);
  return player === seat.me ? [make("strong", `you get ${amount}`)] : [named(player), ` gets ${amount}`];
}

// A step in few words; nothing of those that matter little.
/** @param {Step} step @param {number} place @returns {string | (string | Node)[]} */
function inShort(step, place) {
  const hotel = step.hotel === undefined ? "" : game.hotels[step.hotel].name, tile = step.tile === undefined ? "" : cellName(step.tile);
  switch (step.kind) {
    case "placed": return tile;
    case "grown": return `${tile}: ${hotel} grows`;
    case "founded": return `${tile} founds ${hotel}`;
    case "merged": return `${tile} merges hotels`;
    case "acquiring": return "merges hotels";
    case "acquired": return `${game.hotels[step.survivor].name} acquires ${hotel}`;
    case "bonus": return step.player === undefined ? "" : paid(place, step.player);
    case "nothing": return "no tile";
    case "ejected": return "is ejected";
    case "aside": return step.player === seat.me ? `${step.text.slice(seats[step.player].rawName.length + 1, -1)}, which can never be placed` : ""; // the board may have shown it before
    case "bought": return orderFrom(place);
    default: return "";
  }
}

// What is said of the others makes way for the purchase once one's own tile is chosen.
const isPlaced = () => Boolean(seat.over) || (seat.question?.kind === "turn" && seat.draft.cell !== null);

// What the players have been paid since the end of the game, as far as it is shown: nothing before, and nothing after.
function payout() {
  const shown = steps.slice(0, current.at + 1), end = shown.findIndex(({ kind }) => kind === "ended");
  if (end < 0 || shown.some(({ kind }) => kind === "ranked")) return [];
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { kind, player, hotel } of shown.slice(end)) {
    if (kind !== "bonus" || player === undefined || hotel === undefined) continue;
    sums.set(player, (sums.get(player) ?? 0) + (tables[end].players[player].bonus?.[hotel] ?? 0));
  }
  return [...sums].sort((one, other) => other[1] - one[1]).map(([player, sum]) => {
    const line = make("li");
    line.append(player === seat.me ? "You get " : named(player), player === seat.me ? "" : " gets ", make("strong", dollars(sum)));
    return line;
  });
}

export function drawSince() {
  const list = byId("since"), from = ownLast() + 1, paidOut = payout(), end = steps.findIndex(({ kind }) => kind === "ended");
  /** @type {{ player: Seat, said: { kind: Step["kind"], words: string | (string | Node)[] }[] }[]} */
  const turns = [];
  steps.slice(from, end < 0 ? current.at + 1 : Math.min(end, current.at + 1)).forEach((step, index) => { // the pay-out changes no cash
    const { kind, player } = step, told = player !== seat.me || kind === "bonus" || kind === "aside";
    if (player !== undefined && (kind === "turn" ? player !== seat.me : kind === "aside" && player === seat.me)) turns.push({ player, said: [] });
    const { player: mover, said } = turns[turns.length - 1] ?? { player: seat.me, said: [] }, short = turns.length && told ? inShort(step, from + index) : "";
    if (!short) return;
    const announced = kind === "merged" ? said.find((one) => one.kind === "acquiring") : undefined; // the tile is known only now
    const words = kind === "bought" && said.some((one) => one.kind === "bonus") ? [named(mover), ` ${short}`] : short; // others have been named
    if (announced) announced.words = words;
    else said.push({ kind, words });
  });
  list.replaceChildren(...turns.filter(({ said }) => said.length).map(({ player, said }) => {
    const line = make("li");
    line.append(named(player), ...said.flatMap(({ words }, place) => [place ? "; " : " ", ...[words].flat()]));
    return line;
  }));
  if (paidOut.length) list.replaceChildren(...paidOut);
  list.hidden = !list.children.length || (isPlaced() && !paidOut.length);
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

// The table as the person's last turn left it.
function ownTable() {
  const place = ownLast(), next = steps.findIndex(({ kind }, at) => at > place && kind === "turn");
  return tables[place < 0 || next < 0 || next > current.at ? current.at : next - 1];
}

// Who has drawn level with the person in a hotel since then, or passed: two at most, those first that cost most.
/** @param {Table} before @param {Table} now */
function passedBy(before, now) {
  /** @param {Table} table @param {Seat} player @param {Hotel} hotel */
  const held = ({ players }, player, hotel) => seen("shares", player, players[player])?.[hotel] ?? 0;
  const found = game.hotels.flatMap((_, hotel) => now.players.flatMap((_, player) => {
    const was = held(before, player, hotel) - held(before, seat.me, hotel), is = held(now, player, hotel) - held(now, seat.me, hotel);
    const fell = (before.players[seat.me].bonus?.[hotel] ?? 0) - (now.players[seat.me].bonus?.[hotel] ?? 0);
    return held(now, seat.me, hotel) && is > was && was <= 0 && is >= 0 ? [{ player, hotel, fell, how: is ? "passed you" : "drew level with you" }] : [];
  }));
  return found.sort((one, other) => other.fell - one.fell).slice(0, 2);
}

// The person's place, how far the best of the others is from it, and who has passed the person where.
export function drawStanding() {
  const found = ranked(tables[current.at]), own = found.find(({ player }) => player === seat.me), rival = found.find((one) => one !== own), line = byId("standing");
  line.hidden = !own || !rival || isPlaced();
  if (!own || !rival) return;
  const lead = own.worth - rival.worth, place = ORDINALS[found.findIndex(({ worth }) => worth === own.worth)];
  const passed = passedBy(ownTable(), tables[current.at]);
  line.replaceChildren(
    lead > 0 ? `You lead, ${dollars(lead)} ahead of ` : lead ? `You are ${place}, ${dollars(-lead)} behind ` : "You share the lead with ",
    named(rival.player), ".",
    ...passed.flatMap(({ player, hotel, how }) => [" ", named(player), ` ${how} in ${game.hotels[hotel].name}.`]),
  );
}

// Why the game can be ended in this position, in figures; empty if it cannot.
/** @param {Table} table */
export function endingFigures(table) {
  const found = sizes(table), largest = Math.max(...found), named = found.flatMap((size, hotel) => (size ? [`${game.hotels[hotel].name} ${size}`] : []));
  if (largest >= game.final) return `${game.hotels[found.indexOf(largest)].name} has ${largest} tiles; ${game.final} are enough.`;
  return named.length && found.every((size) => !size || size >= game.safe) ? `All hotels are safe: ${named.join(", ")} tiles.` : "";
}

// Why the game ends after the person's turn, by the tile that is chosen, or the position; empty if it goes on.
function lastTurn() {
  const { question } = seat, purchase = purchaseNow();
  if (purchase) return purchase.last && `This is your last turn: the game ends after it. ${purchase.last}`;
  return question?.kind === "turn" && question.last ? `This is your last turn, unless your tile changes that. ${question.last}` : "";
}

// A warning before the end can come: a hotel that is nearly large enough, or the last one that is not safe.
export function drawNear() {
  const table = tables[current.at], found = sizes(table), largest = Math.max(...found), small = found.flatMap((size, hotel) => (size && size < game.safe ? [hotel] : []));
  /** @param {number} hotel */
  const told = (hotel) => `${game.hotels[hotel].name} has ${found[hotel]}`;
  const last = lastTurn();
  let text = last || endingFigures(table) && `The game can end in any turn now. ${endingFigures(table)}`;
  if (!text && largest >= game.final - NEAR) text = `The end is near: ${told(found.indexOf(largest))} of the ${game.final} tiles with which a game can end.`;
  if (!text && largest >= game.safe && small.length === 1 && found[small[0]] >= game.safe - NEAR) text = `The end is near: it can come once all hotels are safe, and only one is not. ${told(small[0])} of ${game.safe} tiles.`;
  const { question } = seat, stuck = purchaseNow()?.stuck ?? (question?.kind === "turn" ? question.stuck : "");
  text = last || [text, stuck].filter(Boolean).join(" ");
  byId("near").classList.toggle("last", Boolean(last));
  byId("near").textContent = text;
  byId("near").hidden = !text || Boolean(seat.over);
}
