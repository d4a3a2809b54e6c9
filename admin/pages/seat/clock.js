// The clock of a person's seat, and who plays when it is over.
/** @import { SeatTime } from "../html/page_data.js" */
import { byId } from "../html/text.js";

const LOW = 15; // seconds
/** @type {SeatTime & { until: number }} */
const time = { left: null, of: null, absent: "", by: "", until: 0 };

/** @param {SeatTime} found */
export function setClock(found) {
  Object.assign(time, found, { until: performance.now() + (found.left ?? 0) * 1000 });
}

const seconds = () => Math.max(0, Math.ceil((time.until - performance.now()) / 1000));
/** @param {number} count */
const minutes = (count) => `${Math.floor(count / 60)}:${String(count % 60).padStart(2, "0")}`;
export const clock = () => (time.left === null ? "" : minutes(seconds()));

export function drawClock() {
  const text = clock(), { absent, by } = time;
  byId("clock").hidden = !text || Boolean(absent);
  byId("clock").textContent = text && `${text} left`;
  byId("clock").classList.toggle("low", seconds() <= LOW);
  byId("absent").hidden = !absent;
  const why = absent === "late" ? "Your time was out" : "Your page was closed";
  if (absent) byId("absent-why").textContent = `${why}: the built-in player ${by} plays for you. `;
}
