// Help for a first game: the rules, each when it first matters, hints, and what a built-in player would do.
/** @import { Advice, Step } from "../html/page_data.js" */
import { game, sizes, steps, tables } from "../html/course.js";
import { byId, make } from "../html/text.js";
import { button } from "./controls.js";
import { change, emptyDraft, purchaseNow, refuse, seat, settle } from "./draft.js";
import { hints, hintsNow, summary } from "./words.js";

const YEAR = 31536000;
/** @type {Advice | null} */
let advice = null;

// Remembered by a cookie: the page has another port in every game, and cookies do not mind.
/** @param {string} name */
const remembered = (name) => document.cookie.split("; ").find((each) => each.startsWith(`acquire-${name}=`))?.split("=")[1] ?? "";
/** @param {string} name @param {string} value */
function remember(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing on pages without encryption, as this one
  document.cookie = `acquire-${name}=${value}; max-age=${value ? YEAR : 0}; path=/; samesite=strict`;
}

// -- lessons: what happens for the first time is explained beside the board -----------------------------
const told = new Set(remembered("told").split("."));
/** @type {string | null} */
let lesson = null;
/** @type {Record<string, Step["kind"][]>} */
const LESSON_STEPS = { founded: ["founded"], grown: ["grown"], merged: ["merged", "acquiring"], bonus: ["bonus"], ended: ["ended"] };

// What has happened by the step that is shown, or is asked, in the order in which a first game needs it.
/** @param {number} at */
function happening(at) {
  const { question } = seat, kinds = new Set(steps.slice(0, at + 1).map((step) => step.kind)), purchase = purchaseNow();
  /** @type {Record<string, boolean>} */
  const now = {
    turn: question?.kind === "turn",
    disposal: question?.kind === "dispose" || (question?.kind === "keep" && question.hotels.some((one) => one.count > 0)),
    buying: Boolean(purchase?.hotels.length),
    safe: sizes(tables[at]).some((size) => size >= game.safe),
  };
  for (const [key, wanted] of Object.entries(LESSON_STEPS)) now[key] = wanted.some((kind) => kinds.has(kind));
  now.ended ||= Boolean(purchase?.end);
  return Object.keys(now).filter((key) => now[key] && !told.has(key));
}

/** @param {number} at */
export function drawLesson(at) {
  const explains = byId("explain").checked && !seat.over, due = explains ? happening(at) : [];
  if (!lesson || !explains) lesson = due[0] ?? null;
  byId("lesson").hidden = !lesson;
  const section = lesson && document.querySelector(`#intro [data-lesson="${lesson}"]`);
  if (!section) return;
  byId("lesson-head").textContent = section.querySelector("h3")?.textContent ?? "";
  byId("lesson-text").textContent = section.querySelector("p")?.textContent ?? "";
  byId("understood").textContent = due.length > 1 ? "Next" : "Got it";
}

function understand() {
  if (lesson) told.add(lesson);
  remember("told", [...told].filter(Boolean).join("."));
  lesson = null;
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

function adviceInWords() {
  const { draft, question } = seat;
  seat.draft = advisedDraft();
  settle();
  const words = question ? summary(question) : "";
  seat.draft = draft;
  return words;
}

export function drawAdvice() {
  if (advice?.id !== seat.question?.id) advice = null; // it has been answered
  byId("advice").hidden = !advice;
  byId("suggest").disabled = seat.sending || Boolean(advice);
  if (!advice) return;
  const reason = advice.reason ? [make("p", advice.reason, "reason")] : [];
  byId("advice").replaceChildren(make("p", `Suggestion of the built-in player ${advice.by}: ${adviceInWords()}.`), ...reason, button("use", "Choose this", useAdvice));
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
      if (seat.question?.id === asked && found.id === asked) advice = found;
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
  byId("learn").addEventListener("click", introduce);
  byId("close").addEventListener("click", () => intro.close());
  intro.addEventListener("click", (event) => { if (event.target === intro) intro.close(); }); // beside it
  byId("understood").addEventListener("click", understand);
  keepSetting("hints", "hintless");
  keepSetting("explain", "unexplained");
  byId("suggest").addEventListener("click", suggest);
}
