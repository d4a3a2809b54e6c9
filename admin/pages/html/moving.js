// Moving through the steps, one at a time or by playing them.
/** @import { Step } from "./page_data.js" */
import { current, EVENTS, steps } from "./course.js";
import { writeLinkSoon } from "./link.js";
import { byId } from "./text.js";

const PLAY = "M5 3v14l12-7z", PAUSE = "M5 4h4v12H5zM11 4h4v12h-4z";

// `timer` is that of the next step, `null` if nothing is played; `draw` draws the step that is shown.
/** @type {{ timer: number | null, draw: () => void }} */
export const playing = { timer: null, draw: () => {} };
export const isPlaying = () => playing.timer !== null;
// The time of a step, in milliseconds.
export const stepTime = () => Number(byId("speed").value);

/** @param {number} place */
export function go(place) {
  current.at = Math.min(Math.max(place, 0), steps.length - 1);
  playing.draw();
  writeLinkSoon();
}

/** @param {1 | -1} direction @param {(step: Step) => boolean} isWanted */
export function seek(direction, isWanted) {
  for (let place = current.at + direction; place >= 0 && place < steps.length; place += direction)
    if (isWanted(steps[place])) return place;
  return direction < 0 ? 0 : steps.length - 1;
}

/** @param {Step} step */
export const isTurn = (step) => step.kind === "turn" || step.kind === "ended";
/** @param {Step} step */
export const isEvent = (step) => EVENTS.has(step.kind);

/** @param {string} label @param {string} icon */
function labelPlayButton(label, icon) {
  byId("play").setAttribute("aria-label", label);
  byId("play").querySelector("path")?.setAttribute("d", icon);
  byId("play").querySelector("span")?.replaceChildren(label.toLowerCase());
}

function stop() {
  if (playing.timer !== null) clearInterval(playing.timer);
  playing.timer = null;
  labelPlayButton("Play", PLAY);
  playing.draw();
}

export function playOrStop() {
  if (isPlaying()) return stop();
  if (current.at === steps.length - 1) go(0);
  labelPlayButton("Pause", PAUSE);
  playing.timer = setInterval(playOn, stepTime());
}

// A game that goes on is waited for.
function playOn() {
  if (current.at < steps.length - 1) go(current.at + 1);
  else if (!current.growing) stop();
}

export function changeSpeed() {
  if (!isPlaying()) return;
  stop();
  playOrStop();
}
