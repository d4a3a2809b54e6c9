// Help for a first game: the introduction, hints, and what a built-in player would do.
/** @import { Advice } from "../html/page_data.js" */
import { byId, make } from "../html/text.js";
import { button } from "./controls.js";
import { change, emptyDraft, refuse, sameHotel, seat } from "./draft.js";
import { hints, hintsNow } from "./words.js";

const YEAR = 31536000;
/** @type {Advice | null} */
let advice = null;

// Remembered by a cookie: the page has another port in every game, and cookies do not mind.
/** @param {string} name */
const remembered = (name) => document.cookie.split("; ").includes(`acquire-${name}`);
/** @param {string} name @param {boolean} yes */
function remember(name, yes) {
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing on pages without encryption, as this one
  document.cookie = `acquire-${name}; max-age=${yes ? YEAR : 0}; path=/; samesite=strict`;
}

export function drawHints() {
  byId("hint").replaceChildren(...(hints() ? hintsNow().map((text) => make("p", text)) : []));
  byId("hint").hidden = !byId("hint").children.length;
}

export function forgetAdvice() {
  advice = null;
}

export function drawAdvice() {
  byId("advice").hidden = !advice;
  byId("suggest").disabled = seat.sending || Boolean(advice);
  if (!advice) return;
  const reasons = make("ul");
  reasons.append(...advice.reasons.map((text) => make("li", text)));
  byId("advice").replaceChildren(make("p", advice.text), reasons, button("use", "Choose this", useAdvice));
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
  const { equals, hotel, ...rest } = advice.draft;
  advice = null;
  seat.draft = emptyDraft();
  Object.assign(seat.draft, rest, hotel === undefined || hotel === null ? {} : { hotel });
  if (equals) seat.draft.equals = equals;
  else if (sameHotel().length) seat.draft.equals = sameHotel()[0].equals;
  change({});
}

function introduce() {
  byId("intro").showModal();
  byId("intro").scrollTop = 0; // the focus is at its end
}

export function openGuide() {
  const intro = byId("intro");
  byId("learn").addEventListener("click", introduce);
  byId("close").addEventListener("click", () => intro.close());
  intro.addEventListener("close", () => remember("introduced", true));
  intro.addEventListener("click", (event) => { if (event.target === intro) intro.close(); }); // beside it
  if (!remembered("introduced")) introduce();
  byId("hints").checked = !remembered("hintless");
  byId("hints").addEventListener("change", () => {
    remember("hintless", !hints());
    seat.draw();
  });
  byId("suggest").addEventListener("click", suggest);
}
