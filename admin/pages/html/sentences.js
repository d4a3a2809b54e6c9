// Sentences, and the names of players in them.
/** @import { Decision, Hotel, Seat, Step } from "./page_data.js" */
import { game, seats, seesHand } from "./course.js";
import { closed, make, shape } from "./text.js";

const DASHES = ["", "8 3", "2 3", "9 3 2 3", "5 6", "1 4"];

/** @param {Step} step */
export const sentence = (step) => closed(step.secret && seesHand(step.player) ? step.secret.text : step.text);

// A name keeps its own writing direction, the sentence around it the page's.
/** @param {Element} element @param {Step} step */
export function writeSentence(element, step) {
  const text = sentence(step), seat = step.player === undefined ? undefined : seats[step.player];
  if (step.kind === "result" && step.winners.length) return element.replaceChildren(...isolated(text, step.winners));
  const from = /^(Turn \d+: |The table is set\. |\d+\. )?/.exec(text)?.[0].length ?? 0;
  if (!seat?.rawName || !text.startsWith(seat.rawName, from)) element.textContent = text;
  else element.replaceChildren(text.slice(0, from), make("bdi", seat.name), text.slice(from + seat.rawName.length));
}

// The text of a result, which begins with the winners: "a, b and c tie ..".
/** @param {string} text @param {Seat[]} winners */
function isolated(text, winners) {
  /** @type {(string | Node)[]} */
  const parts = [];
  let from = 0;
  winners.forEach((place, index) => {
    const seat = seats[place], between = !index ? "" : index === winners.length - 1 ? " and " : ", ";
    if (between) parts.push(between);
    from += between.length + seat.rawName.length;
    parts.push(make("bdi", seat.name));
  });
  return [...parts, text.slice(from)];
}

/** @param {Hotel} hotel */
export function chip(hotel) {
  const made = make("abbr", game.hotels[hotel].letter, "chip");
  made.style.setProperty("background", game.hotels[hotel].fill);
  made.style.setProperty("color", game.hotels[hotel].ink);
  made.title = game.hotels[hotel].name;
  made.dataset.hotel = String(hotel);
  return made;
}

// A player has the same number, color and dashes on all pages: those of the place in turn order.
/** @param {Seat} place */
export const seatColor = (place) => `var(--seat-${seats[place].number % DASHES.length})`;
/** @param {Seat} place */
export const dashes = (place) => DASHES[seats[place].number % DASHES.length];

/** @param {Seat} place */
export function dash(place) {
  const made = shape("svg", { class: "dash", viewBox: "0 0 40 8", "aria-hidden": "true" });
  const path = shape("path", { d: "M0 4H40", "stroke-dasharray": dashes(place) });
  path.style.stroke = seatColor(place);
  made.append(path);
  return made;
}

/** @param {Seat} place */
export function seatNumber(place, titled = false) {
  const made = make(titled ? "abbr" : "span", String(seats[place].number + 1), "seat");
  made.style.background = seatColor(place);
  if (titled) made.title = seats[place].name;
  else made.setAttribute("aria-hidden", "true");
  return made;
}

/** @param {Seat} place */
export function named(place) {
  const made = make("span");
  made.append(seatNumber(place), make("bdi", seats[place].name));
  return made;
}

// The end of a link that plays a decision again: what was chosen first, for the page to which it leads.
/** @param {Pick<Decision, "recorded" | "options">} decision */
export const triedBefore = ({ recorded, options }) => (recorded ? `#${new URLSearchParams({ chose: options[recorded].text, better: options[0].text })}` : "");
