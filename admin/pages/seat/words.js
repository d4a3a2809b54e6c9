// The sentences of the panel.
/** @import { Hotel, Question } from "../html/page_data.js" */
import { cellName, current, game, mover, seats, steps, tables } from "../html/course.js";
import { byId, dollars, make, plural } from "../html/text.js";
import { cost, countOf, isBuying, optionNow, optionsNow, purchaseNow, seat, tileOf } from "./draft.js";

export const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** @param {Hotel} hotel */
export const hotelName = (hotel) => game.hotels[hotel].name;

export function task() {
  const { question, draft } = seat, tile = tileOf();
  switch (question?.kind) {
    case "turn":
      if (question.purchase) return "None of your tiles can be placed. You may still buy.";
      if (!tile) return "Your turn. Choose one of your tiles, here or on the board.";
      if (draft.hotel === undefined) return `${cellName(tile.cell)} ${tile.does}. Choose the hotel.`;
      if (draft.equals === undefined) return "Choose the order in which equal hotels are settled.";
      if (!purchaseNow()) return "A merger: send the tile first. You buy after everybody has been paid.";
      return isBuying() ? "Now buy certificates, or none, and send." : "You can buy nothing: send.";
    case "merger": return `The market's tile ${cellName(question.tile)} merges hotels. You decide which survives.`;
    case "order": return `The merger is settled. ${isBuying() ? "Now buy certificates, or none, and send." : "You can buy nothing: send."}`;
    case "keep": return question.hotels.some((one) => one.count) ? `${whoseMerger()}. Keep your certificates, or return them?` : `${whoseMerger()}. There is nothing for you to decide.`;
    case "dispose": return `${hotelName(question.survivor)} acquires ${hotelName(question.hotel)}. Sell, trade or hold your certificates.`;
    case "replace": return "None of your tiles can be placed. You may have a new hand.";
    default: return "";
  }
}

function whoseMerger() {
  const moving = mover();
  return moving === null || moving === seat.me ? "Your merger" : `A merger by ${seats[moving].name}`;
}

export const hints = () => byId("hints").checked;

/** @param {boolean} isBehind */
export function waitingFor(isBehind) {
  const moving = mover();
  if (steps.slice(0, current.at + 1).some(({ kind }) => kind === "ended")) return [make("span", "The game is over. The bonuses are paid.")];
  if (isBehind && moving !== null) return [make("bdi", seats[moving].name), make("span", " moves.")];
  return moving === null || moving === seat.me ? [make("span", "Waiting for the others.")] : [make("span", "Waiting for "), make("bdi", seats[moving].name), make("span", ".")];
}

/** @param {Question} question */
export function summary(question) {
  const { draft } = seat;
  const parts = [];
  if (question.kind === "turn" && draft.cell !== null) parts.push(`place ${cellName(draft.cell)}`);
  if (draft.hotel != null) parts.push(`${hotelName(draft.hotel)} ${purchaseNow() ? "is founded" : "survives"}`);
  const purchase = purchaseNow();
  if (purchase) {
    const bought = [...new Set(draft.order)].map((hotel) => `${countOf(hotel)} ${hotelName(hotel)}`);
    parts.push(bought.length ? `buy ${bought.join(" and ")}, cash left ${dollars(purchase.cash - cost())}` : "buy nothing");
  }
  if (question.kind === "dispose" && draft.sell !== null && draft.trade !== null)
    parts.push(`sell ${draft.sell}, trade ${draft.trade}, hold ${question.count - draft.sell - draft.trade}`);
  if (question.kind === "keep") parts.push(...question.hotels.flatMap(({ hotel, count }, place) =>
    count ? [`${draft.keep[place] ? "keep" : "return"} ${plural(count, `${hotelName(hotel)} certificate`)}`] : []));
  if (question.kind === "replace") parts.push(draft.replace ? "have a new hand" : "keep this hand");
  if (draft.end) parts.push("declare the end");
  return parts.join("; ");
}

// Whether the hotels among which one is chosen are not on the board.
export const isFounding = () => !tables[current.at].board.some((what) => what === optionsNow()[0]?.hotel);

// What the hints say of the decision as it stands.
export function hintsNow() {
  const { question, draft } = seat;
  if (!question) return [];
  const found = [], purchase = purchaseNow(), option = optionNow(), tile = tileOf();
  if (question.kind === "turn" && !tile) found.push(question.hint);
  else if (tile && draft.hotel === undefined && isFounding()) found.push("Expensive hotels pay larger bonuses, but your money buys fewer of their certificates.");
  else if (tile) found.push(`${cellName(tile.cell)}: ${option?.note && !purchase ? option.note : tile.hint}`);
  if (purchase && isBuying()) found.push(purchase.hint);
  if (question.kind === "keep") found.push(...question.hotels.filter((one) => one.count).map((one) => one.hint));
  if (question.kind === "dispose" || question.kind === "replace") found.push(question.hint);
  return found;
}
