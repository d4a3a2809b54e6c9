// The page before the game has begun.
/** @import { SeatUpdate } from "../html/page_data.js" */
import { hear } from "../html/hearing.js";
import { byId } from "../html/text.js";

/** @param {string} text */
const say = (text) => { byId("sentence").textContent = text; };
const before = byId("sentence").textContent;

/** @param {SeatUpdate} update */
function take(update) {
  const isBegun = update.frames.length > 0;
  if (isBegun || update.over) stop(); // a message that comes meanwhile must not load the page once more
  say(update.over ? update.over.text : before);
  if (isBegun) location.reload();
}
const stop = hear("events", take, (isGone) => say(isGone ? "This seat is no longer there: the server was started again. Take another seat." : "The server does not answer: it was stopped, or the network is down. This page tries again by itself."));
