// What the others did is shown turn after turn, until the page has caught up with the game.
/** @import { Step } from "../html/page_data.js" */
import { current, steps, TILES } from "../html/course.js";
import { playScene, stillness } from "../html/scene.js";
import { seat } from "./draft.js";

const BEAT = 550;
/** @type {Set<Step["kind"]>} */
const BEATS = new Set(["acquiring", "acquired", "bonus", "sold", "returned", "traded", "settled", "ejected", "ended"]);
// `timer` is that of the next beat; `shows` draws a step, and `done` what is asked.
/** @type {{ timer: number | null, shows: () => void, done: () => void }} */
export const catching = { timer: null, shows: () => {}, done: () => {} };
export const isBehind = () => catching.timer !== null;

/** @param {Step} step */
const isBeat = ({ kind, player }) => BEATS.has(kind) || (TILES.has(kind) && player !== seat.me);

// The next step to stop at.
function nextBeat() {
  const next = steps.findIndex((step, place) => place > current.at && isBeat(step));
  return next < 0 ? steps.length - 1 : next;
}

// The bonuses of the end are paid twice as fast: there are many.
const length = () => (steps.slice(0, current.at + 1).some((step) => step.kind === "ended") ? BEAT / 2 : BEAT);

function beat() {
  catching.timer = null;
  if (current.at >= steps.length - 1) return catching.done();
  current.at = nextBeat();
  if (current.at < steps.length - 1 || isBeat(steps[current.at])) catching.timer = setTimeout(beat, length());
  catching.shows();
  playScene(0.9 * length(), true);
  if (!isBehind()) catching.done();
}

export function skip() {
  if (catching.timer !== null) clearTimeout(catching.timer);
  catching.timer = null;
  current.at = steps.length - 1;
  catching.shows();
  playScene(0);
  catching.done();
}

// Steps have come. A page that is not looked at, or is to be still, shows the last one.
/** @param {boolean} atOnce */
export function catchUp(atOnce) {
  if (atOnce || stillness.matches || document.hidden) return skip();
  if (!isBehind()) beat();
}
