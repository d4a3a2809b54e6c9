// The board: its cells, and what is marked on them.
/** @import { Cell, Hotel, Table } from "./page_data.js" */
import { ASIDE, cellName, COLUMNS, current, FREE, game, LOOSE, mover, ROWS, seesHand, sizes, steps, tables, TILES, view } from "./course.js";
import { byId, plural, shape } from "./text.js";

export const CELL = 40;
const MARGIN = 26;

/** @type {{ square: SVGRectElement, text: SVGTextElement }[]} */
export const cells = [];

export function layBoard() {
  const board = byId("board");
  for (let column = 0; column < COLUMNS; column += 1)
    board.append(shape("text", { x: MARGIN + (column + 0.5) * CELL, y: 17, "text-anchor": "middle", class: "edge" }, column + 1));
  for (let row = 0; row < ROWS.length; row += 1)
    board.append(shape("text", { x: 11, y: MARGIN + (row + 0.5) * CELL + 5, "text-anchor": "middle", class: "edge" }, ROWS[row]));
  for (let cell = 0; cell < 108; cell += 1) {
    const { x, y } = corner(cell);
    const square = shape("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 5 });
    const text = shape("text", { x: x + CELL / 2, y: y + CELL / 2, "text-anchor": "middle", "dominant-baseline": "central" });
    board.append(square, text);
    cells.push({ square, text });
  }
  board.append(shape("g", { id: "marks" }));
}

/** @param {Cell} cell */
export const corner = (cell) => ({ x: MARGIN + (cell % COLUMNS) * CELL, y: MARGIN + Math.floor(cell / COLUMNS) * CELL });

/** @param {Cell} cell @param {string} kind @param {number} inset */
export function frame(cell, kind, inset) {
  const { x, y } = corner(cell), side = CELL - 2 * inset;
  return shape("rect", { x: x + inset, y: y + inset, width: side, height: side, rx: 6 - inset, class: kind });
}

// Mark in its corner which acquired hotel a tile belonged to.
/** @param {Cell} cell @param {Hotel} hotel */
export function formerHotel(cell, hotel) {
  const { x, y } = corner(cell);
  const tag = shape("rect", { x: x + 2, y: y + 2, width: 15, height: 15, rx: 3, class: "former" });
  const letter = shape("text", { x: x + 9.5, y: y + 10, "text-anchor": "middle", "dominant-baseline": "central", class: "former" }, game.hotels[hotel].letter);
  tag.style.fill = game.hotels[hotel].fill;
  letter.style.fill = game.hotels[hotel].ink;
  return [frame(cell, "joined", 3), tag, letter];
}

// The tile placed last, by the mover or the market, unless it was taken back.
function lastPlaced() {
  for (let back = current.at; back >= 0 && steps[back].kind !== "undone"; back -= 1) {
    const { kind, tile, board } = steps[back];
    if (tile !== undefined && TILES.has(kind) && board?.some(([cell, what]) => cell === tile && what !== ASIDE)) return tile;
  }
  return null;
}

function handShown() {
  const whose = view() === "all" ? mover() : Number(view());
  const has = whose === null ? null : tables[current.at].players[whose];
  return has && whose !== null && !has.out && has.hand && seesHand(whose) ? has.hand : [];
}

// `below` and `above` are marks of the page's own: below and above that of the tile placed last.
/** @param {Table} table @param {SVGElement[]} below @param {SVGElement[]} above */
function drawMarks(table, below, above) {
  const size = sizes(table), marks = handShown().map((cell) => frame(cell, "own", 4));
  table.board.forEach((what, cell) => {
    if (size[what] >= game.safe) marks.push(frame(cell, "safe", 4));
  });
  const tile = lastPlaced(), last = tile === null || table.board[tile] === FREE ? [] : [frame(tile, "halo", 1), frame(tile, "ring", 1)];
  byId("marks").replaceChildren(...marks, ...below, ...last, ...above);
}

/** @param {number} what */
export const fillOf = (what) => game.hotels[what]?.fill ?? (what === LOOSE ? "var(--loose)" : "var(--cell)");

/** @param {Table} table @param {SVGElement[]} below @param {SVGElement[]} above */
export function drawBoard(table, below = [], above = []) {
  table.board.forEach((what, cell) => {
    const { square, text } = cells[cell];
    const hotel = game.hotels[what];
    square.style.fill = fillOf(what);
    text.textContent = hotel ? hotel.letter : what === ASIDE ? "✕" : cellName(cell);
    text.setAttribute("class", hotel ? "letter" : what === ASIDE ? "name aside" : "name");
    text.style.fill = hotel ? hotel.ink : what === LOOSE ? "var(--paper)" : "";
  });
  drawMarks(table, below, above);
  const words = sizes(table).flatMap((size, hotel) => (size ? [`${game.hotels[hotel].name} with ${plural(size, "tile")}`] : []));
  /** @param {number} kind */
  const lying = (kind) => table.board.filter((what) => what === kind).length;
  const aside = lying(ASIDE) ? `, ${plural(lying(ASIDE), "tile")} set aside` : "";
  byId("board").setAttribute("aria-label", `Board: ${words.join(", ") || "no hotel"}, ${plural(lying(LOOSE), "unincorporated tile")}${aside}`);
}
