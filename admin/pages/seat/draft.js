// What the person has chosen of the question so far. Nothing of it is sent before the end.
/** @import { Cell, Hotel, Over, PurchaseRow, Question } from "../html/page_data.js" */
import { cellName, data } from "../html/course.js";
import { byId } from "../html/text.js";

// `hotel` and `equals` are undefined until they are chosen; a hotel is `null` where none is named.
/** @typedef {{
 *   cell: Cell | null, hotel: Hotel | null | undefined, equals: Hotel[] | undefined, order: Hotel[], end: boolean,
 *   keep: (boolean | null)[], sell: number | null, trade: number | null, replace: boolean | null, touched: boolean,
 * }} Draft */

// The person's place, what is asked, how it ended, the draft, whether it is being sent, and what draws the page.
/** @type {{ me: number, question: Question | null, over: Over | null, draft: Draft, sending: boolean, draw: () => void }} */
export const seat = {
  me: data.match.me ?? 0,
  question: null,
  over: null,
  draft: { cell: null, hotel: undefined, equals: undefined, order: [], end: false, keep: [], sell: null, trade: null, replace: null, touched: false },
  sending: false,
  draw: () => {},
};

/** @param {string} text */
export function refuse(text) {
  byId("refusal").hidden = !text;
  byId("refusal").textContent = text;
}

/** @param {Cell | null} cell */
const handTile = (cell) => (seat.question?.kind === "turn" ? seat.question.tiles.find((tile) => tile.cell === cell) : undefined);
export const tileOf = () => handTile(seat.draft.cell);
export const optionsNow = () => (seat.question?.kind === "merger" ? seat.question.options : tileOf()?.options) ?? [];
export const sameHotel = () => optionsNow().filter((option) => option.hotel === seat.draft.hotel);
export const optionNow = () => sameHotel().find((option) => String(option.equals) === String(seat.draft.equals)) ?? null;
export function purchaseNow() {
  const { question } = seat, asked = question?.kind === "order" || question?.kind === "turn" ? question.purchase : undefined;
  return asked ?? optionNow()?.purchase ?? null;
}

/** @param {Hotel} hotel */
export const countOf = (hotel) => seat.draft.order.filter((other) => other === hotel).length;
/** @param {Hotel} hotel */
const priceOf = (hotel) => purchaseNow()?.hotels.find((row) => row.hotel === hotel)?.price ?? 0;
export const cost = () => seat.draft.order.reduce((sum, hotel) => sum + priceOf(hotel), 0);

/** @returns {Draft} */
export function emptyDraft() {
  const { question } = seat;
  /** @type {Draft} */
  const empty = { cell: null, hotel: undefined, equals: undefined, order: [], end: false, keep: [], sell: null, trade: null, replace: null, touched: false };
  if (question?.kind === "merger") empty.cell = question.tile;
  if (question?.kind === "keep") empty.keep = question.hotels.map((one) => (one.count ? null : false));
  return empty;
}

// Take what is the only choice.
export function settle() {
  const hotels = [...new Set(optionsNow().map((option) => option.hotel))];
  if (hotels.length === 1) seat.draft.hotel = hotels[0];
  if (seat.draft.hotel !== undefined && sameHotel().length === 1) seat.draft.equals = sameHotel()[0].equals;
}

/** @param {PurchaseRow} row */
export function canBuy(row) {
  const purchase = purchaseNow(), { draft } = seat;
  if (!purchase) return false;
  const others = !purchase.mixed && draft.order.some((hotel) => hotel !== row.hotel);
  return draft.order.length < purchase.limit && !others && countOf(row.hotel) < row.left && cost() + row.price <= purchase.cash;
}

export const isBuying = () => Boolean(seat.draft.order.length || purchaseNow()?.hotels.some(canBuy));

/** @param {Partial<Draft>} changes */
export function change(changes) {
  Object.assign(seat.draft, { touched: true }, changes);
  settle();
  refuse("");
  seat.draw();
}

/** @param {Cell} cell */
export function chooseTile(cell) {
  const tile = handTile(cell);
  if (!tile) return seat.question?.kind === "turn" ? refuse(`${cellName(cell)} is not in your hand.`) : undefined;
  if (!tile.options) return refuse(`${cellName(cell)} cannot be placed. ${tile.why}`);
  if (seat.draft.cell === cell) return;
  seat.draft = emptyDraft();
  change({ cell });
}

export function undo() {
  const { draft } = seat;
  if (draft.end) return change({ end: false });
  if (draft.order.length) return change({ order: draft.order.slice(0, -1) });
  seat.draft = emptyDraft();
  change({ touched: false });
}

export const isEmpty = () => !seat.draft.touched;

export function isReady() {
  const { question, draft } = seat;
  switch (question?.kind) {
    case "turn": return Boolean(optionNow()) || Boolean(question.purchase);
    case "merger": return Boolean(optionNow());
    case "keep": return draft.keep.every((kept) => kept !== null);
    case "dispose": return draft.sell !== null && draft.trade !== null;
    case "replace": return draft.replace !== null;
    default: return Boolean(question);
  }
}

/** @param {Question} question */
export function asAnswer(question) {
  const { draft } = seat, equals = sameHotel().length > 1 ? draft.equals : [];
  const { order, end, keep, sell, trade, replace } = draft;
  return { id: question.id, tile: question.kind === "turn" ? draft.cell : null, hotel: draft.hotel ?? null, equals, order, end, keep, sell, trade, replace };
}
