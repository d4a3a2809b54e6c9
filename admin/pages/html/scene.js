// The scene: a step forward moves. The tile drops, its hotel's color spreads, badges appear, money travels.
// What is drawn is always the picture after it, so a scene can be cut at any moment, and left out where
// motion is not wanted.
/** @import { Cell } from "./page_data.js" */
import { CELL, cells, fillOf } from "./board.js";
import { ASIDE, COLUMNS, current, FREE, game, seats, seen, steps, tables, TILES } from "./course.js";
import { byId, dollars, make } from "./text.js";

export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

// What moves now, and what the reader has seen: the step, and badges by their keys.
/** @type {Animation[]} */
let moves = [];
/** @type {number | null} */
let shown = null;
/** @type {Set<string | undefined>} */
let badgesShown = new Set();

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} timing */
function move(element, frames, timing) {
  const made = element.animate(frames, { fill: "backwards", easing: "ease-out", ...timing });
  moves.push(made);
  return made;
}

function endScene() {
  for (const each of moves) each.cancel();
  moves = [];
  byId("flying").replaceChildren();
}

/** @param {number} from */
function placedSince(from) {
  for (let place = current.at; place > from; place -= 1) {
    const { kind, tile, board } = steps[place];
    if (tile !== undefined && TILES.has(kind) && board?.some(([cell]) => cell === tile)) return tile;
  }
  return null;
}

// The tile drops first; then each tile changes its color the later the farther it is away.
/** @param {number} from @param {number} time */
function spread(from, time) {
  const tile = placedSince(from), before = tables[from].board, now = tables[current.at].board;
  if (tile === null || [ASIDE, FREE].includes(now[tile])) return;
  /** @param {Cell} cell */
  const away = (cell) => Math.abs((cell % COLUMNS) - (tile % COLUMNS)) + Math.abs(Math.floor(cell / COLUMNS) - Math.floor(tile / COLUMNS));
  const joined = now.flatMap((what, cell) => (cell !== tile && game.hotels[what] && what !== before[cell] ? [cell] : []));
  const farthest = Math.max(1, ...joined.map(away));
  for (const part of Object.values(cells[tile]))
    move(part, [{ transform: `translateY(-${CELL}px)`, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 0.35 * time, easing: "cubic-bezier(0.5, 0, 0.6, 1.3)" });
  for (const ring of byId("marks").querySelectorAll(".halo, .ring")) move(ring, [{ opacity: 0 }, { opacity: 1 }], { delay: 0.3 * time, duration: 0.1 * time });
  for (const cell of joined) {
    const timing = { delay: time * (0.3 + (0.4 * away(cell)) / farthest), duration: 0.3 * time }, { square, text } = cells[cell];
    move(square, [{ fill: fillOf(before[cell]) }, { fill: fillOf(now[cell]) }], timing);
    move(text, [{ opacity: 0 }, { opacity: 1 }], timing);
  }
}

/** @returns {HTMLElement[]} */
const badges = () => [...byId("merger").querySelectorAll("span")].filter((made) => made.classList.contains("badge"));

/** @param {number} time */
function popBadges(time) {
  for (const badge of badges())
    if (!badgesShown.has(badge.dataset.key)) move(badge, [{ transform: "scale(0)" }, { transform: "scale(1.25)", offset: 0.7 }, { transform: "none" }], { duration: 0.5 * time });
}

// What a player's cash has gained or lost in this step stands beside the name.
function showGains() {
  const { at } = current;
  if (!at) return;
  seats.forEach((_, place) => {
    const was = seen("cash", place, tables[at - 1].players[place]), has = tables[at].players[place], is = seen("cash", place, has);
    if (has.out || was === undefined || is === undefined || was === is) return;
    const gain = make("span", `${is > was ? "+" : "−"}${dollars(Math.abs(is - was))}`, "gain");
    gain.dataset.player = String(place);
    byId("players").querySelector(`tbody[data-player="${place}"] .hand`)?.before(gain);
  });
}

// What the bank pays in a merger flies from the acquired hotel to the player, or to the player's line in
// the merger if the table of players is not on the screen.
/** @param {number} time */
function payOut(time) {
  const { kind, player, hotel } = steps[current.at];
  const gain = byId("players").querySelector(`.gain[data-player="${player}"]`), line = byId("merger").querySelector("tr.now");
  if (!["bonus", "sold", "returned"].includes(kind) || !gain || !line) return;
  /** @param {DOMRect} box */
  const isSeen = ({ top, bottom }) => top >= 0 && bottom <= innerHeight;
  const from = line.closest("table")?.querySelector(`caption .chip[data-hotel="${hotel}"]`)?.getBoundingClientRect();
  const to = [gain, line].map((element) => element.getBoundingClientRect()).find(isSeen);
  if (!to || !from || !isSeen(from)) return;
  const flying = make("span", gain.textContent, "gain");
  byId("flying").append(flying);
  /** @param {DOMRect} box @param {number} size */
  const over = ({ left, top }, size) => ({ transform: `translate(${left}px, ${top}px) scale(${size})` });
  const flight = move(flying, [{ ...over(from, 1), opacity: 0 }, { ...over(from, 1.3), opacity: 1, offset: 0.2 }, { ...over(to, 1), opacity: 1 }], { duration: 0.8 * time, easing: "ease-in-out", fill: "both" });
  flight.onfinish = () => flying.remove();
  move(gain, [{ opacity: 0 }, { opacity: 1 }], { delay: 0.75 * time, duration: 0.15 * time });
}

// Called when the step is drawn, with the milliseconds that it may take. Far jumps and steps back are still.
/** @param {number} given @param {boolean} [isNear] */
export function playScene(given, isNear = steps[current.at].turn - (steps[shown ?? 0]?.turn ?? 0) <= 1) {
  const { at } = current;
  const from = shown, time = stillness.matches ? 0 : given;
  if (from === at) return;
  endScene();
  shown = at;
  showGains();
  if (from !== null && from < at && isNear && time) {
    spread(from, time);
    popBadges(time);
    if (at === from + 1) payOut(time);
  }
  badgesShown = new Set(badges().map((badge) => badge.dataset.key));
}
