// The course of the game: its steps, the table after each, and the place that is shown.
/** @import { Asset, Cell, GamePage, Holdings, Hotel, Seat, Step, Table } from "./page_data.js" */
import { byId, closed } from "./text.js";

export const FREE = -1, LOOSE = 7, ASIDE = 8, COLUMNS = 12, ROWS = "ABCDEFGHI";

/** @type {GamePage} */
export const data = JSON.parse(byId("data").textContent);
export const game = data.match;
// Kinds of steps that lay a tile, and those that the line of the game marks.
export const TILES = new Set(game.laying);
/** @type {Set<Step["kind"]>} */
export const EVENTS = new Set(["founded", "merged", "ejected"]);
// A name as the sentences have it, and as it is shown beside other text.
export const seats = game.seats.map((seat) => ({ ...seat, rawName: seat.name, name: closed(seat.name) }));
// The places of the seats in the order of their numbers.
export const inTurnOrder = seats.map((_, place) => place).sort((one, other) => seats[one].number - seats[other].number);

// What has come of the game so far; changed by `addSteps` and `clearSteps` alone.
/** @type {Step[]} */
export const steps = [];
/** @type {Table[]} */
export const tables = [];
// The step that is shown, and whether more steps will come.
export const current = { at: 0, growing: Boolean(data.events) };

/** @param {Cell} cell */
export const cellName = (cell) => `${(cell % COLUMNS) + 1}${ROWS[Math.floor(cell / COLUMNS)]}`;
/** @param {Table} table */
export const sizes = (table) => game.hotels.map((_, hotel) => table.board.filter((what) => what === hotel).length);
/** @param {Hotel} hotel @param {number} size */
export const price = (hotel, size) => game.hotels[hotel].prices[Math.min(size, game.hotels[hotel].prices.length - 1)];
export const lastStep = () => steps[steps.length - 1];

// -- the store ------------------------------------------------------------------------------------
/** @returns {Table} */
const emptyTable = () => ({ board: new Array(108).fill(FREE), players: seats.map(() => ({})), bank: [], bag: 0 });

/** @param {Step[]} fresh */
export function addSteps(fresh) {
  for (const step of fresh) {
    const table = { ...(tables[tables.length - 1] ?? emptyTable()) };
    if (step.board) {
      table.board = table.board.slice();
      for (const [cell, what] of step.board) table.board[cell] = what;
    }
    if (step.players) {
      table.players = table.players.slice();
      for (const [place, changed] of Object.entries(step.players))
        table.players[Number(place)] = { ...table.players[Number(place)], ...changed };
    }
    if (step.bank) table.bank = step.bank;
    if (step.bag !== undefined) table.bag = step.bag;
    steps.push(step);
    tables.push(table);
  }
}

export function clearSteps() {
  steps.length = tables.length = 0;
}

export function mover() {
  for (let back = current.at; back >= 0; back -= 1) {
    const step = steps[back];
    if (step.kind === "ended") break;
    if (step.kind === "turn") return step.player;
  }
  return null;
}

// -- whose view -----------------------------------------------------------------------------------
export const view = () => byId("view").value;
/** @param {Seat | undefined} place */
export const isOwn = (place) => view() === "all" || view() === String(place);
export const allIsOpen = () => view() === "all" || (game.hands === "open" && !game.hidden.length);
/** @param {Seat | undefined} place */
export const seesHand = (place) => game.hands === "open" || isOwn(place);

// The cash, certificates, bonuses or worth of a player, if they are known in this view.
/** @template {Asset} What @param {What} what @param {Seat} place @param {Holdings} has @returns {Holdings[What] | undefined} */
export const seen = (what, place, has) => (!game.hidden.includes(what) || isOwn(place) ? has[what] : undefined);
