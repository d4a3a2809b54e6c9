// -- what happened --------------------------------------------------------------------------------
function listStep(step, place) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : undefined);
  const button = make("button"), words = make("span");
  const mark = MARKS[step.kind] && make("span", `${MARKS[step.kind]}\u00a0`, "mark");
  if (mark) mark.setAttribute("aria-hidden", "true");
  writeSentence(words, step);
  button.append(...(mark ? [mark] : []), words);
  button.tabIndex = -1;
  button.addEventListener("click", () => go(place));
  line.append(button);
  byId("events").append(line);
}

// Only the current line can be reached by Tab; the arrow keys lead to the others.
function markStep() {
  const list = byId("events"), before = list.querySelector(".now"), line = list.children[at];
  if (!line) return;
  const focused = before?.contains(document.activeElement);
  before?.classList.remove("now");
  before?.firstChild.removeAttribute("aria-current");
  if (before) before.firstChild.tabIndex = -1;
  line.classList.add("now");
  line.firstChild.setAttribute("aria-current", "step");
  line.firstChild.tabIndex = 0;
  if (focused) line.firstChild.focus({ preventScroll: true });
  const top = line.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

function rewriteList() {
  [...byId("events").children].forEach((line, place) => writeSentence(line.firstChild.lastChild, steps[place]));
}

// -- moving ---------------------------------------------------------------------------------------
// The last step's headline is the result, even if somebody is ejected after it.
function headlineStep() {
  return (at === steps.length - 1 && steps.find((step) => step.kind === "result")) || steps[at];
}

function show() {
  if (!steps.length) return;
  const step = steps[at], table = tables[at], headline = byId("sentence");
  // Screen readers do not announce every step of fast playback, nor twice what the slider announces.
  const quick = timer !== null && Number(byId("speed").value) < 1000;
  headline.setAttribute("aria-live", quick || document.activeElement === byId("plot") ? "off" : "polite");
  writeSentence(headline, headlineStep());
  drawBoard(table);
  drawPlayers(table);
  drawMerger();
  drawResult();
  drawHotels(table);
  playScene();
  drawWhy();
  drawPrinted();
  markStep();
  markPlot();
  byId("facts").textContent =
    `rulebook ${match.rulebook} · seed ${match.seed} · turn ${step.turn} of ${steps[steps.length - 1].turn} · ` +
    `step ${at + 1} of ${steps.length} · ${plural(table.bag, "tile")} in the bag`;
  document.dispatchEvent(new Event("step"));
}

function go(place) {
  at = Math.min(Math.max(place, 0), steps.length - 1);
  show();
  if (linking === null) linking = setTimeout(writeLink, Math.max(0, linkedAt + 400 - Date.now()));
}

// Browsers refuse a URL that changes too often. A URL that was just typed is kept.
function writeLink() {
  linking = null;
  if (location.hash !== address) return;
  linkedAt = Date.now();
  const turn = !at || steps[at]?.kind === "turn" ? `#turn=${steps[at]?.turn ?? 0}` : `#step=${at}`;
  history.replaceState(null, "", turn);
  address = location.hash;
}

function seek(direction, isWanted) {
  for (let place = at + direction; place >= 0 && place < steps.length; place += direction)
    if (isWanted(steps[place])) return place;
  return direction < 0 ? 0 : steps.length - 1;
}

function labelPlayButton(label, icon) {
  byId("play").setAttribute("aria-label", label);
  byId("play").querySelector("path").setAttribute("d", icon);
  byId("play").querySelector("span").textContent = label.toLowerCase();
}

function stop() {
  clearInterval(timer);
  timer = null;
  labelPlayButton("Play", PLAY);
  show();
}

function play() {
  if (timer !== null) return stop();
  if (at === steps.length - 1) go(0);
  labelPlayButton("Pause", PAUSE);
  timer = setInterval(() => (at < steps.length - 1 ? go(at + 1) : data.events || stop()), Number(byId("speed").value));
}

const isTurn = (step) => step.kind === "turn" || step.kind === "ended";
const isEvent = (step) => EVENTS.has(step.kind);
const DO = {
  first: () => go(0),
  last: () => go(steps.length - 1),
  back: () => go(at - 1),
  on: () => go(at + 1),
  turnBack: () => go(seek(-1, isTurn)),
  turnOn: () => go(seek(1, isTurn)),
  event: () => go(seek(1, isEvent)),
  eventBack: () => go(seek(-1, isEvent)),
  costly: () => goCostly(costlyAfter(at)),
  costlyBack: () => goCostly(costlyBefore(at)),
  printedBack: () => goPrinted(-1),
  printedOn: () => goPrinted(1),
  play,
  result: askResult,
  copy: () => {
    writeLink();
    const link = location.href.replace(/[?][^#]*/, "");
    const shown = () => notice(`Link to this step: ${link}`);
    navigator.clipboard ? navigator.clipboard.writeText(link).then(() => notice("The link to this step is copied."), shown) : shown();
  },
  help: () => {
    byId("keys").hidden = !byId("keys").hidden;
    document.querySelector("[data-do=help]").setAttribute("aria-expanded", !byId("keys").hidden);
  },
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", PageUp: "turnBack", PageDown: "turnOn", Home: "first", End: "last",
  n: "event", p: "eventBack", d: "costly", b: "costlyBack", " ": "play", "?": "help", c: "copy", r: "result",
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
  const key = event.key, inList = { ArrowUp: "back", ArrowDown: "on" }[key], onPlot = { ArrowUp: "on", ArrowDown: "back" }[key];
  if (key === " " && event.target.tagName === "BUTTON") return;
  if (key.length === 1 && key !== " " && !byId("letters").checked) return;
  if ("1234".includes(key)) {
    byId("speed").selectedIndex = Number(key) - 1;
    if (timer !== null) { stop(); play(); }
    return;
  }
  let what = inList && event.target.closest("#events") ? inList : onPlot && event.target.closest("#plot") ? onPlot : KEYS[key];
  if (event.shiftKey && what === "back") what = "turnBack";
  if (event.shiftKey && what === "on") what = "turnOn";
  if (!what) return;
  event.preventDefault();
  DO[what]();
}

// `#turn=37` and `#step=120` lead to that step, `#turn=0` to the set-up; a step that will never come
// leads to the end.
function linkedStep() {
  const found = /^#(turn|step)=(\d+)$/.exec(location.hash);
  if (!found) return null;
  const number = Number(found[2]), beyond = data.events ? null : steps.length - 1;
  if (found[1] === "step") return number < steps.length ? number : beyond;
  const place = steps.findIndex((step) => step.turn === number && (step.kind === "turn" || !number));
  return place < 0 ? beyond : place;
}

function notice(text) {
  if (byId("notice").textContent === text) return; // announced once, not at every step
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

// -- start ----------------------------------------------------------------------------------------
// `?embed` shows the board and the players alone, `?speed=2` plays at that speed, `?autoplay` plays.
function takeSettings() {
  const settings = new URLSearchParams(location.search);
  document.body.classList.toggle("embed", settings.has("embed"));
  const speed = [...byId("speed").options].find((option) => option.dataset.speed === settings.get("speed"));
  if (speed) speed.selected = true;
  if (settings.has("autoplay")) play();
}

function begin() {
  match.seats.forEach((_, place) => {
    const name = named(place);
    if (place < match.seats.length - 1) name.append(",");
    byId("names").append(name, " ");
  });
  const choice = byId("view");
  choice.append(new Option("all", "all"));
  match.seats.forEach((seat, place) => choice.append(new Option(`as ${seat.name} sees it`, place)));
  byId("view-part").hidden = match.hands === "open" && !match.hidden.length;

  notice(data.notice);
  layBoard();
  addSteps(allSteps());
  beginWhy();
  drawPlot();
  document.addEventListener("keydown", onKey);
  document.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => DO[button.dataset.do]()));
  byId("view").addEventListener("change", () => { rewriteList(); markWhy(); drawPlot(); show(); });
  byId("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
  const plot = byId("plot");
  beginReading();
  new ResizeObserver(() => {
    if (!steps.length || plot.clientWidth === plot.viewBox.baseVal.width) return;
    drawPlot();
    markPlot();
  }).observe(plot);
  window.addEventListener("hashchange", () => {
    address = location.hash;
    const place = linkedStep();
    if (place !== null && place !== at) go(place);
  });
  const place = linkedStep() ?? (location.hash ? null : data.open ?? null);
  if (place !== null) at = place;
  else if (location.hash) pendingLink = location.hash;
  show();
  takeSettings();
}

begin();
