// The link to the step that is shown: `#turn=37` and `#step=120` lead to that step, `#turn=0` to the
// set-up; a step that will never come leads to the end.
import { current, steps } from "./course.js";

// `due` is the timer that will write the link, `written` when it was written last, `address` what it was
// then. `isPending` is whether the page was opened at a step that has not come yet.
/** @type {{ due: number | null, written: number, address: string, isPending: boolean }} */
const link = { due: null, written: 0, address: location.hash, isPending: false };

export function linkedStep() {
  const found = /^#(turn|step)=(\d+)$/.exec(location.hash);
  if (!found) return null;
  const number = Number(found[2]), beyond = current.growing ? null : steps.length - 1;
  if (found[1] === "step") return number < steps.length ? number : beyond;
  const place = steps.findIndex((step) => step.turn === number && (step.kind === "turn" || !number));
  return place < 0 ? beyond : place;
}

// The step at which the page opens, if its link leads to one that is there.
export function openingStep() {
  const place = linkedStep();
  link.isPending = place === null && Boolean(location.hash);
  return place;
}

// The step that the page was to open at, once it has come.
export function awaitedStep() {
  const place = link.isPending ? linkedStep() : null;
  if (place !== null) link.isPending = false;
  return place;
}

// Browsers refuse a URL that changes too often.
export function writeLinkSoon() {
  link.due ??= setTimeout(writeLink, Math.max(0, link.written + 400 - Date.now()));
}

// A URL that was just typed is kept.
export function writeLink() {
  link.due = null;
  if (location.hash !== link.address) return;
  link.written = Date.now();
  const { at } = current, turn = !at || steps[at]?.kind === "turn" ? `#turn=${steps[at]?.turn ?? 0}` : `#step=${at}`;
  history.replaceState(null, "", turn);
  link.address = location.hash;
}

// Call back with the step of a link that is followed or typed.
/** @param {(place: number) => void} follow */
export function whenLinked(follow) {
  window.addEventListener("hashchange", () => {
    link.address = location.hash;
    const place = linkedStep();
    if (place !== null && place !== current.at) follow(place);
  });
}
