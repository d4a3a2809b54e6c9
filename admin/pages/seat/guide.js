// Help for a first game: the rules, each when it first matters, hints, and what a built-in player would do.
/** @import { Advice, Step } from "../html/page_data.js" */
import { game, sizes, steps, tables } from "../html/course.js";
import { chip } from "../html/sentences.js";
import { row } from "../html/tables.js";
import { byId, dollars, make } from "../html/text.js";
import { button } from "./controls.js";
import { change, countOf, emptyDraft, optionNow, purchaseNow, refuse, seat, settle, tileOf } from "./draft.js";
import { remember, remembered } from "./remembering.js";
import { ownLast } from "./since.js";
import { hints, hintsNow, hotelName, summary } from "./words.js";

/** @type {Advice | null} */
let advice = null;
let advisedOn = ""; // what had been chosen then

// -- lessons: what happens for the first time is explained beside the board -----------------------------
const told = new Set(remembered("told").split("."));
/** @type {string | null} */
let lesson = null;
// Those that have been read since the last answer.
/** @type {Set<string>} */
const lessonsShown = new Set();
/** @type {Record<string, Step["kind"][]>} */
const LESSON_STEPS = { founded: ["founded"], grown: ["grown"], merged: ["merged", "acquiring"], bonus: ["bonus"], ended: ["ended"] };
const LESSON_TILES = { founded: "founding", grown: "growing", merged: "merging" };

// What has happened since one's own last tile, or a tile in hand would do, or is asked, in the order in which a first
// game needs it.
// What is asked comes alone where something is to be bought or an acquired hotel's certificates are at stake.
/** @param {number} at */
function happening(at) {
  const { question } = seat, kinds = new Set(steps.slice(Math.max(0, ownLast()), at + 1).map((step) => step.kind)), purchase = purchaseNow();
  /** @type {Record<string, boolean>} */
  const now = {
    turn: question?.kind === "turn",
    disposal: question?.kind === "dispose" || (question?.kind === "keep" && question.hotels.some((one) => one.count > 0)),
    buying: Boolean(purchase?.hotels.some((line) => line.left)),
    safe: sizes(tables[at]).some((size) => size >= game.safe),
  };
  for (const [key, wanted] of Object.entries(LESSON_STEPS)) now[key] = wanted.some((kind) => kinds.has(kind));
  if (question?.kind === "turn") for (const [key, kind] of Object.entries(LESSON_TILES)) now[key] ||= question.tiles.some((tile) => tile.kind === kind);
  now.ended ||= Boolean(purchase?.end || purchase?.stuck || (question?.kind === "turn" && question.stuck));
  const alone = purchase ? ["buying", "ended"] : now.disposal ? ["disposal", "merged", "bonus"] : Object.keys(now);
  return Object.keys(now).filter((key) => now[key] && alone.includes(key) && !told.has(key));
}

/** @param {number} at */
export function drawLesson(at) {
  const explains = byId("explain").checked && !seat.over, due = explains ? happening(at) : [];
  lesson = due[0] ?? null;
  if (lesson && seat.question) lessonsShown.add(lesson);
  byId("lesson").hidden = !lesson;
  const section = lesson && document.querySelector(`#intro [data-lesson="${lesson}"]`);
  if (!section) return;
  byId("lesson-head").textContent = section.querySelector("h3")?.textContent ?? "";
  byId("lesson-text").textContent = section.querySelector("p")?.textContent ?? "";
  byId("understood").textContent = due.length > 1 ? "Next" : "Got it";
}

/** @param {Iterable<string>} over */
function endLessons(over) {
  for (const each of over) told.add(each);
  remember("told", [...told].filter(Boolean).join("."));
  lesson = null;
}

// What was asked beside these lessons is answered.
export function endShownLessons() {
  endLessons(lessonsShown);
  lessonsShown.clear();
}

function understand() {
  if (lesson) endLessons([lesson]);
  seat.draw();
}

export function drawHints() {
  byId("hint").replaceChildren(...(hints() ? hintsNow().map((text) => make("p", text)) : []));
  byId("hint").hidden = !byId("hint").children.length;
}

// The advice as a draft in which the rest is not chosen.
function advisedDraft() {
  const { equals, hotel, ...rest } = advice?.draft ?? {}, made = Object.assign(emptyDraft(), rest, hotel === undefined || hotel === null ? {} : { hotel });
  if (equals) made.equals = equals;
  return made;
}

// The advice in words, and what the hints say of its tile and of each hotel that it buys.
function adviceInWords() {
  const { draft, question } = seat;
  seat.draft = advisedDraft();
  settle();
  const tile = tileOf(), purchase = purchaseNow(), words = question ? summary(question) : "";
  const bought = [...new Set(seat.draft.order)].map((hotel) => `${hotelName(hotel)}, ${purchase?.hotels.find((line) => line.hotel === hotel)?.effects[countOf(hotel)]}.`);
  const facts = [...(tile ? [`${optionNow()?.note ?? tile.hint}`.replace(/([^.])$/, "$1.")] : []), ...bought];
  seat.draft = draft;
  return { words, facts: facts.join(" ") };
}

export function drawAdvice() {
  if (advice?.id !== seat.question?.id || JSON.stringify(seat.draft) !== advisedOn) advice = null; // something was chosen
  byId("advice").hidden = !advice;
  byId("suggest").disabled = seat.sending || Boolean(advice);
  if (!advice) return;
  const { words, facts } = adviceInWords();
  const reasons = [facts, advice.reason].filter(Boolean).map((text) => make("p", text, "reason"));
  byId("advice").replaceChildren(make("p", `Suggestion: ${words}.`), ...reasons, button("use", "Choose this", useAdvice));
}

async function suggest() {
  const asked = seat.question?.id;
  byId("suggest").disabled = true;
  try {
    const response = await fetch("suggestion");
    if (!response.ok) refuse(await response.text());
    else {
      /** @type {Advice} */
      const found = await response.json();
      if (seat.question?.id === asked && found.id === asked) {
        advice = found;
        advisedOn = JSON.stringify(seat.draft);
      }
    }
  } catch {
    refuse("No suggestion came. Is acquire play still running?");
  }
  seat.draw();
  if (advice) byId("advice").scrollIntoView({ block: "nearest" });
}

function useAdvice() {
  if (!advice) return;
  seat.draft = advisedDraft();
  advice = null;
  change({});
}

// One column for hotels of the same prices, one line for sizes of the same.
function drawPrices() {
  /** @type {Map<string, number[]>} */
  const tiers = new Map();
  game.hotels.forEach(({ prices }, hotel) => { tiers.set(String(prices), [...(tiers.get(String(prices)) ?? []), hotel]); });
  const columns = [...tiers.values()], head = make("thead"), body = make("tbody"), longest = Math.max(...game.hotels.map(({ prices }) => prices.length));
  head.append(row("th", ["tiles", ...columns.map((hotels) => { const made = make("span"); for (const hotel of hotels) made.append(chip(hotel), " "); return made; })]));
  /** @param {number} size */
  const at = (size) => columns.map(([hotel]) => { const { prices } = game.hotels[hotel]; return prices[Math.min(size, prices.length - 1)]; });
  for (let size = 0, next = 0; size < longest; size = next) {
    for (next = size + 1; next < longest && String(at(next)) === String(at(size));) next += 1;
    if (size !== 1 && at(size).some(Boolean)) body.append(row("td", [size === 0 ? "not founded" : next === longest ? `${size} or more` : next - size === 1 ? size : `${size} to ${next - 1}`, ...at(size).map((each) => (each ? dollars(each) : "·"))]));
  }
  byId("prices").append(head, body);
}

function introduce() {
  byId("intro").showModal();
  byId("intro").scrollTop = 0; // the focus is at its end
}

/** @param {"hints" | "explain"} box @param {string} off */
function keepSetting(box, off) {
  byId(box).checked = !remembered(off);
  byId(box).addEventListener("change", () => {
    remember(off, byId(box).checked ? "" : "1");
    seat.draw();
  });
}

export function openGuide() {
  const intro = byId("intro");
  drawPrices();
  byId("learn").addEventListener("click", introduce);
  byId("close").addEventListener("click", () => intro.close());
  intro.addEventListener("click", (event) => { if (event.target === intro) intro.close(); }); // beside it
  byId("understood").addEventListener("click", understand);
  keepSetting("hints", "hintless");
  keepSetting("explain", "unexplained");
  byId("suggest").addEventListener("click", suggest);
}
