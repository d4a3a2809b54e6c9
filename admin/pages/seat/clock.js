// The clock of a person's seat, and which moves a built-in player has made instead of the person.
/** @import { SeatTime } from "../html/page_data.js" */
import { byId } from "../html/text.js";

const LOW = 15; // seconds
/** @type {SeatTime & { until: number }} */
const time = { left: null, absent: "", by: "", missed: 0, stoodIn: 0, answered: 0, until: 0 };

/** @param {SeatTime} found */
export function setClock(found) {
  Object.assign(time, found, { until: performance.now() + (found.left ?? 0) * 1000 });
}

const seconds = () => Math.max(0, Math.ceil((time.until - performance.now()) / 1000));
/** @param {number} count */
const minutes = (count) => `${Math.floor(count / 60)}:${String(count % 60).padStart(2, "0")}`;
export const clock = () => (time.left === null ? "" : minutes(seconds()));

// How many moves were not the person's; empty if all were.
export function standIns() {
  const { by, stoodIn, answered } = time, all = answered === 1 ? "your first move" : `all your ${answered} moves`;
  return stoodIn ? `${by} made ${stoodIn === answered ? all : `${stoodIn} of your ${answered} moves`}` : "";
}

// Whether at least half of the moves were the person's own.
export const isOwnGame = () => 2 * time.stoodIn <= time.answered;

/** @param {boolean} isAsked @param {boolean} isOver */
export function drawClock(isAsked, isOver) {
  const text = clock(), { absent, by, missed, left } = time;
  byId("clock").hidden = !text;
  byId("clock").textContent = text && `${text} left`;
  byId("clock").classList.toggle("low", seconds() <= LOW);
  byId("absent").hidden = !absent || isOver;
  if (byId("absent").hidden) return;
  const why = absent === "late" ? "Your time was out" : "Your page was closed";
  const made = standIns() ? `${why}: ${standIns()}.` : `${why}.`;
  const again = missed ? `You are asked again: ${by} makes this move in ${text} if you are not there.` : "You play again.";
  const now = !isAsked ? "The next move is yours." : left === 0 ? `${by} is making this move.` : again;
  byId("absent-why").textContent = `${made} ${now} `;
  byId("back").textContent = missed ? "I am here" : "OK";
}
