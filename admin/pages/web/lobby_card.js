// A game in the lobby: a small board, and its players with what they are worth.
/** @import { LobbyGame } from "../html/page_data.js" */
import { dollars, make, plural, shape } from "../html/text.js";

const COLUMNS = 12, CELLS = 108, LOOSE = 8;
/** @param {number} cell @param {number} gap */
const square = (cell, gap) => `M${(cell % COLUMNS) + gap} ${Math.floor(cell / COLUMNS) + gap}h${1 - 2 * gap}v${1 - 2 * gap}h${2 * gap - 1}z`;
const EMPTY = Array.from({ length: CELLS }, (_, cell) => square(cell, 0.04)).join("");

/** @param {string} kind */
const path = (kind, d = "") => shape("path", { class: kind, d });

// All tiles of one hotel are one path with one letter, so that a hundred boards are few elements.
function board() {
  /** @type {Map<string, SVGPathElement>} */
  const paths = new Map();
  const made = shape("svg", { viewBox: "0 0 12 9", role: "img" }), halo = path("halo"), last = path("last");
  const names = shape("g", { "text-anchor": "middle" });
  made.append(path("empty", EMPTY), halo, last, names);
  /** @param {string} digits @param {number | null} cell @param {string} letters */
  const draw = (digits, cell, letters) => {
    /** @type {Map<string, string>} */
    const wanted = new Map();
    [...digits].forEach((digit, place) => {
      if (digit !== "0") wanted.set(digit, (wanted.get(digit) ?? "") + square(place, 0));
    });
    for (const digit of new Set([...paths.keys(), ...wanted.keys()])) {
      const tiles = paths.get(digit) ?? path(`cell-${digit}`), d = wanted.get(digit) ?? "";
      if (!paths.has(digit)) halo.before(tiles);
      paths.set(digit, tiles);
      if (tiles.getAttribute("d") !== d) tiles.setAttribute("d", d);
    }
    for (const ring of [halo, last]) ring.setAttribute("d", cell === null ? "" : square(cell, 0.06));
    const tiles = [...digits].filter((digit) => digit !== "0").length;
    const hotels = [...wanted.keys()].filter((digit) => Number(digit) < LOOSE);
    names.replaceChildren(...hotels.map((digit) => {
      const first = digits.indexOf(digit);
      return shape("text", { class: `letter-${digit}`, x: (first % COLUMNS) + 0.5, y: Math.floor(first / COLUMNS) + 0.8 }, letters[Number(digit) - 1]);
    }));
    made.setAttribute("aria-label", `Board: ${plural(tiles, "tile")}, ${plural(hotels.length, "hotel")}`);
  };
  return { made, draw };
}

/** @typedef {{ seat: number, rank: number, what: string }} Standing */
// Each result is rank, name, score, and whether the player finished.
/** @param {LobbyGame} game @returns {Standing[]} */
function standing(game) {
  if (game.results.length)
    return game.results.map(([rank, name, score, finished]) => ({ seat: game.players.indexOf(name), rank, what: finished ? dollars(score) : "ejected" }));
  /** @param {number} place */
  const worth = (place) => {
    const known = game.worths[place];
    return typeof known === "number" ? known : -1;
  };
  const seats = game.players.map((_, place) => place).sort((one, other) => worth(other) - worth(one) || one - other);
  return seats.map((seat) => ({ seat, rank: 0, what: worth(seat) < 0 ? (game.worths[seat] === "out" ? "ejected" : "") : dollars(worth(seat)) }));
}

/** @param {LobbyGame} game @param {Standing} standing */
function playerLine(game, { seat, rank, what }) {
  const line = make("li"), number = game.numbers[seat] ?? seat, chip = make("span", number + 1, "seat"), name = make("bdi", game.players[seat], "name");
  chip.style.background = `var(--seat-${number % 6})`;
  chip.setAttribute("aria-hidden", "true");
  name.title = game.players[seat];
  line.append(...(rank ? [make("span", `${rank}.`, "rank")] : []), chip, name, " ", make("span", what, what === "ejected" ? "worth out" : "worth"));
  return line;
}

// A game keeps its card while it is shown: a reader may be about to click it.
/** @param {LobbyGame} game */
export function card(game) {
  const line = make("li"), text = make("div"), head = make("h3"), link = make("a", game.title);
  const how = make("p", undefined, "how"), players = make("ol"), { made, draw } = board();
  link.href = `/match/${encodeURIComponent(game.id)}`;
  head.append(link);
  text.append(head, how, players);
  line.append(made, text);
  let standings = "";
  /** @param {LobbyGame} now */
  const show = (now) => {
    line.className = now.state;
    how.textContent = now.state === "live" ? (now.turn ? `turn ${now.turn}` : "setting up") : now.ending;
    draw(now.board, now.last, now.letters);
    const places = standing(now), key = JSON.stringify(places);
    if (key !== standings) players.replaceChildren(...places.map((place) => playerLine(now, place)));
    standings = key;
  };
  return { line, link, show };
}
