// Reading the plot: what every player has at the place under the pointer, or at this step if the plot has
// the keyboard's focus. Screen readers have the same as the slider's value.
/** @import { PlacedMark } from "./plot.js" */
import { current, seats, steps } from "./course.js";
import { go } from "./moving.js";
import { across, allAnnotations, dotsAt, MARKS, plotted, worthsAt } from "./plot.js";
import { seatNumber, writeSentence } from "./sentences.js";
import { byId, dollars, make, shape } from "./text.js";

const hasFocus = () => byId("plot").matches(":focus-visible");

// The place under the pointer; among the marks, that of the nearest mark.
/** @param {PointerEvent} event */
function placeAt(event) {
  const box = byId("plot").getBoundingClientRect(), x = event.clientX - box.left;
  const place = Math.round(((x - plotted.left) / (plotted.right - plotted.left)) * (steps.length - 1));
  const within = Math.min(Math.max(place, 0), steps.length - 1);
  if (event.clientY - box.top <= plotted.bottom) return within;
  /** @param {number} other */
  const far = (other) => Math.abs(across(other) - x);
  const nearest = allAnnotations().map((each) => each.place).sort((one, other) => far(one) - far(other))[0];
  return nearest !== undefined && far(nearest) < 12 ? nearest : within;
}

/** @param {PlacedMark} mark */
function drawNote({ kind, text, step }) {
  const line = make("p", `${MARKS[kind]} `), words = make("bdi", text);
  if (step) writeSentence(words, step);
  line.append(words);
  return line;
}

/** @param {number} place */
function drawReading(place) {
  const box = byId("reading"), { turn } = steps[place], list = make("ul"), x = across(place);
  const notes = allAnnotations().filter((each) => each.turn === turn && (each.kind !== "ended" || each.place <= place));
  list.append(...worthsAt(place).map(({ player, worth }) => {
    const line = make("li");
    line.append(seatNumber(player), make("bdi", seats[player].name), make("span", dollars(worth), "worth"));
    return line;
  }));
  box.replaceChildren(make("b", turn ? `Turn ${turn}` : "Set-up"), ...notes.map(drawNote), list);
  box.hidden = false;
  const left = x > (plotted.left + plotted.right) / 2 ? x - box.offsetWidth - 12 : x + 12;
  box.style.left = `${Math.max(left, 0)}px`;
  const line = shape("line", { class: "hover", x1: x, x2: x, y1: plotted.top - 6, y2: plotted.bottom });
  byId("hovered").replaceChildren(line, ...(place === current.at ? [] : dotsAt(place)));
}

function hideReading() {
  byId("reading").hidden = true;
  byId("hovered").replaceChildren();
}

export function readFocused() {
  if (hasFocus()) drawReading(current.at);
}

export function beginReading() {
  const plot = byId("plot"), leave = () => (hasFocus() ? readFocused() : hideReading());
  /** @param {PointerEvent} event */
  const scrub = (event) => go(placeAt(event));
  plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); scrub(event); drawReading(current.at); });
  plot.addEventListener("pointermove", (event) => {
    if (!steps.length) return;
    if (plot.hasPointerCapture(event.pointerId)) scrub(event);
    drawReading(placeAt(event));
  });
  for (const end of /** @type {const} */ (["pointerleave", "pointercancel", "blur"])) plot.addEventListener(end, leave);
  plot.addEventListener("pointerup", (event) => { if (event.pointerType !== "mouse") leave(); });
  plot.addEventListener("focus", () => { if (steps.length) readFocused(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideReading(); });
}
