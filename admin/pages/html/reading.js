// -- reading the plot ------------------------------------------------------------------------------
// What every player has at the place under the pointer, or at this step if the plot has the keyboard's
// focus. Screen readers have the same as the slider's value.
const hasFocus = () => byId("plot").matches(":focus-visible");

// The players whose net worth is known, the richest first.
function worthsAt(place) {
  const known = match.seats.map((_, player) => ({ player, worth: worthOf(tables[place], player) }));
  return known.filter(({ worth }) => worth != null).sort((one, other) => other.worth - one.worth);
}

// The place under the pointer; among the marks, that of the nearest mark.
function placeAt(event) {
  const box = byId("plot").getBoundingClientRect(), x = event.clientX - box.left;
  const place = Math.round(((x - plotted.left) / (plotted.right - plotted.left)) * (steps.length - 1));
  const within = Math.min(Math.max(place, 0), steps.length - 1);
  if (event.clientY - box.top <= plotted.bottom) return within;
  const far = (other) => Math.abs(across(other) - x);
  const nearest = allAnnotations().map((each) => each.place).sort((one, other) => far(one) - far(other))[0];
  return nearest !== undefined && far(nearest) < 12 ? nearest : within;
}

function drawNote({ kind, text, step }) {
  const line = make("p", `${MARKS[kind]} `), words = make("bdi", text);
  if (step) writeSentence(words, step);
  line.append(words);
  return line;
}

function drawReading(place) {
  const box = byId("reading"), { turn } = steps[place], list = make("ul"), x = across(place);
  const notes = allAnnotations().filter((each) => each.turn === turn && (each.kind !== "ended" || each.place <= place));
  list.append(...worthsAt(place).map(({ player, worth }) => {
    const line = make("li");
    line.append(seatNumber(player), make("bdi", match.seats[player].name), make("span", dollars(worth), "worth"));
    return line;
  }));
  box.replaceChildren(make("b", turn ? `Turn ${turn}` : "Set-up"), ...notes.map(drawNote), list);
  box.hidden = false;
  const left = x > (plotted.left + plotted.right) / 2 ? x - box.offsetWidth - 12 : x + 12;
  box.style.left = `${Math.max(left, 0)}px`;
  const line = shape("line", { class: "hover", x1: x, x2: x, y1: plotted.top - 6, y2: plotted.bottom });
  byId("hovered").replaceChildren(line, ...(place === at ? [] : dotsAt(place)));
}

function hideReading() {
  byId("reading").hidden = true;
  byId("hovered").replaceChildren();
}

const readFocused = () => (hasFocus() ? drawReading(at) : undefined);

function beginReading() {
  const plot = byId("plot"), scrub = (event) => go(placeAt(event)), leave = () => (hasFocus() ? drawReading(at) : hideReading());
  plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); scrub(event); drawReading(at); });
  plot.addEventListener("pointermove", (event) => {
    if (!steps.length) return;
    if (plot.hasPointerCapture(event.pointerId)) scrub(event);
    drawReading(placeAt(event));
  });
  for (const end of ["pointerleave", "pointercancel", "blur"]) plot.addEventListener(end, leave);
  plot.addEventListener("pointerup", (event) => event.pointerType === "mouse" || leave());
  plot.addEventListener("focus", () => steps.length && readFocused());
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideReading());
}
