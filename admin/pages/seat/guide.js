// Help for a first game: the introduction, hints, and what a built-in player would do.
const YEAR = 31536000;
let advice = null;

// Remembered by a cookie: the page has another port in every match, and cookies do not mind.
const remembered = (name) => document.cookie.split("; ").includes(`acquire-${name}`);
function remember(name, yes) {
  document.cookie = `acquire-${name}; max-age=${yes ? YEAR : 0}; path=/; samesite=strict`;
}

const hints = () => byId("hints").checked;

function drawHints() {
  byId("hint").replaceChildren(...(hints() ? hintsNow().map((text) => make("p", text)) : []));
  byId("hint").hidden = !byId("hint").children.length;
}

function drawAdvice() {
  byId("advice").hidden = !advice;
  byId("suggest").disabled = sending || Boolean(advice);
  if (!advice) return;
  const reasons = make("ul");
  reasons.append(...advice.reasons.map((text) => make("li", text)));
  byId("advice").replaceChildren(make("p", advice.text), reasons, button("use", "Choose this", useAdvice));
}

async function suggest() {
  const asked = question?.id;
  byId("suggest").disabled = true;
  try {
    const response = await fetch("suggestion");
    if (!response.ok) refuse(await response.text());
    else {
      const found = await response.json();
      if (question?.id === asked && found.id === asked) advice = found;
    }
  } catch {
    refuse("No suggestion came. Is acquire play still running?");
  }
  drawAll();
  if (advice) byId("advice").scrollIntoView({ block: "nearest" });
}

function useAdvice() {
  const { equals, hotel, ...rest } = advice.draft;
  advice = null;
  draft = emptyDraft();
  Object.assign(draft, rest, hotel === undefined || hotel === null ? {} : { hotel });
  if (equals) draft.equals = equals;
  else if (sameHotel().length) draft.equals = sameHotel()[0].equals;
  change({});
}

function introduce() {
  byId("intro").showModal();
  byId("intro").scrollTop = 0; // the focus is at its end
}

function openGuide() {
  const intro = byId("intro");
  byId("learn").addEventListener("click", introduce);
  byId("close").addEventListener("click", () => intro.close());
  intro.addEventListener("close", () => remember("introduced", true));
  intro.addEventListener("click", (event) => event.target === intro && intro.close()); // beside it
  if (!remembered("introduced")) introduce();
  byId("hints").checked = !remembered("hintless");
  byId("hints").addEventListener("change", () => {
    remember("hintless", !hints());
    drawAll();
  });
  byId("suggest").addEventListener("click", suggest);
}
