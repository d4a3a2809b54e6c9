// The page of a game: draws the step that is shown, lists all steps, and takes keys and buttons.
/** @import { Step } from "./page_data.js" */
import { drawBoard, layBoard } from "./board.js";
import { addSteps, clearSteps, current, data, game, inTurnOrder, lastStep, seats, steps, tables } from "./course.js";
import { openingStep, whenLinked, writeLink } from "./link.js";
import { drawMerger, formerTiles } from "./merger.js";
import { changeSpeed, go, isEvent, isPlaying, isTurn, playing, playOrStop, seek, stepTime } from "./moving.js";
import { drawPlot, markOf, markPlot, MARKS } from "./plot.js";
import { drawPrinted, goPrinted } from "./program_output.js";
import { beginReading, readFocused } from "./reading.js";
import { askResult, drawResult, ranksSoFar, resultPlace, resultShown } from "./result.js";
import { playScene } from "./scene.js";
import { named, sentence, writeSentence } from "./sentences.js";
import { drawHotels, drawPlayers } from "./tables.js";
import { byId, make, notice, plural } from "./text.js";
import { beginWhy, costlyAfter, costlyBefore, drawOdds, drawWhy, goCostly, markWhy, valueMarks } from "./why.js";

// -- what happened --------------------------------------------------------------------------------
/** @param {Step} step @param {number} place */
function listStep(step, place) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : undefined);
  const button = make("button"), words = make("span");
  const kind = markOf(step);
  if (kind) {
    const mark = make("span", `${MARKS[kind]}\u00a0`, "mark");
    mark.setAttribute("aria-hidden", "true");
    button.append(mark);
  }
  writeSentence(words, step);
  button.append(words);
  button.tabIndex = -1;
  button.addEventListener("click", () => go(place));
  line.append(button);
  byId("events").append(line);
}

/** @param {Step[]} fresh */
export function takeSteps(fresh) {
  const from = steps.length;
  addSteps(fresh);
  for (const [place, step] of fresh.entries()) listStep(step, from + place);
}

export function forgetSteps() {
  clearSteps();
  byId("events").replaceChildren();
}

/** @param {Element | undefined | null} line */
const buttonOf = (line) => line?.querySelector("button");

// Only the current line can be reached by Tab; the arrow keys lead to the others.
function markStep() {
  const list = byId("events"), before = list.querySelector(".now"), line = list.querySelectorAll("li")[current.at];
  const left = buttonOf(before), button = buttonOf(line), focused = before?.contains(document.activeElement);
  if (!button) return;
  before?.classList.remove("now");
  left?.removeAttribute("aria-current");
  if (left) left.tabIndex = -1;
  line.classList.add("now");
  button.setAttribute("aria-current", "step");
  button.tabIndex = 0;
  if (focused) button.focus({ preventScroll: true });
  const top = line.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

function rewriteList() {
  const sentences = byId("events").querySelectorAll("button > span:last-child");
  for (const [place, words] of sentences.entries()) writeSentence(words, steps[place]);
}

// -- moving ---------------------------------------------------------------------------------------
// The last step's headline is the result, even if somebody is ejected after it.
function headlineStep() {
  const result = current.at === steps.length - 1 ? steps.find((step) => step.kind === "result") : undefined;
  return result ?? steps[current.at];
}

// In milliseconds; playing leaves each step less time, and at last none. Dragging along the plot is still.
function sceneTime() {
  const time = byId("plot").matches(":active") ? 0 : isPlaying() ? Math.min(900, 0.85 * stepTime()) : 900;
  return time < 200 ? 0 : time;
}

export function show() {
  if (!steps.length) return;
  const { at } = current;
  const step = steps[at], table = tables[at], headline = byId("sentence");
  // Screen readers do not announce every step of fast playback, nor twice what the slider announces.
  const quick = isPlaying() && stepTime() < 1000;
  headline.setAttribute("aria-live", quick || document.activeElement === byId("plot") ? "off" : "polite");
  writeSentence(headline, headlineStep());
  drawBoard(table, formerTiles(), valueMarks());
  drawPlayers(table);
  drawMerger(ranksSoFar());
  drawResult();
  drawHotels(table);
  playScene(sceneTime());
  drawWhy();
  drawPrinted();
  markStep();
  markPlot(sentence(headlineStep()));
  readFocused();
  byId("facts").textContent =
    `rulebook ${game.rulebook} · seed ${game.seed} · turn ${step.turn} of ${lastStep().turn} · ` +
    `step ${at + 1} of ${steps.length} · ${plural(table.bag, "tile")} in the bag`;
  document.dispatchEvent(new Event("step"));
}

function showResult() {
  if (resultPlace() < 0) return;
  askResult();
  drawMerger(ranksSoFar());
  drawResult();
  if (resultShown()) byId("outcome").focus();
}

function copyLink() {
  writeLink();
  const link = location.href.replace(/[?][^#]*/, ""), shown = () => notice(`Link to this step: ${link}`);
  // a page that came without encryption has no clipboard
  if (!navigator.clipboard) shown();
  else navigator.clipboard.writeText(link).then(() => notice("The link to this step is copied."), shown);
}

function toggleKeys() {
  byId("keys").hidden = !byId("keys").hidden;
  document.querySelector("[data-do=help]")?.setAttribute("aria-expanded", String(!byId("keys").hidden));
}

const DO = {
  first: () => go(0),
  last: () => go(steps.length - 1),
  back: () => go(current.at - 1),
  on: () => go(current.at + 1),
  turnBack: () => go(seek(-1, isTurn)),
  turnOn: () => go(seek(1, isTurn)),
  event: () => go(seek(1, isEvent)),
  eventBack: () => go(seek(-1, isEvent)),
  costly: () => goCostly(costlyAfter(current.at)),
  costlyBack: () => goCostly(costlyBefore(current.at)),
  printedBack: () => goPrinted(-1),
  printedOn: () => goPrinted(1),
  play: playOrStop,
  result: showResult,
  copy: copyLink,
  help: toggleKeys,
};
/** @typedef {keyof typeof DO} Deed */
/** @param {string | undefined} name @returns {name is Deed} */
const isDeed = (name) => name !== undefined && name in DO;
/** @type {Record<string, Deed>} */
const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", PageUp: "turnBack", PageDown: "turnOn", Home: "first", End: "last",
  n: "event", p: "eventBack", d: "costly", b: "costlyBack", " ": "play", "?": "help", c: "copy", r: "result",
};

// In these parts the arrows up and down do something too.
/** @type {Record<string, Record<string, Deed>>} */
const KEYS_WITHIN = { "#events": { ArrowUp: "back", ArrowDown: "on" }, "#plot": { ArrowUp: "on", ArrowDown: "back" } };

/** @param {string} key @param {Element} target */
function deedOf(key, target) {
  const within = Object.entries(KEYS_WITHIN).find(([part, keys]) => keys[key] && target.closest(part));
  return within?.[1][key] ?? KEYS[key];
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { key, target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(target.tagName)) return;
  if (key === " " && target.tagName === "BUTTON") return;
  if (key.length === 1 && key !== " " && !byId("letters").checked) return;
  if ("1234".includes(key)) {
    byId("speed").selectedIndex = Number(key) - 1;
    changeSpeed();
    return;
  }
  let what = deedOf(key, target);
  if (event.shiftKey && what === "back") what = "turnBack";
  if (event.shiftKey && what === "on") what = "turnOn";
  if (!what) return;
  event.preventDefault();
  DO[what]();
}

function drawPlots() {
  drawPlot();
  drawOdds();
}

// What an analysis has found is drawn without moving anything.
function redrawFound() {
  drawBoard(tables[current.at], formerTiles(), valueMarks());
  drawWhy();
  drawPlots();
  markPlot(sentence(headlineStep()));
}

// -- start ----------------------------------------------------------------------------------------
// `?embed` shows the board and the players alone, `?speed=2` plays at that speed, `?autoplay` plays.
function takeSettings() {
  const settings = new URLSearchParams(location.search);
  document.body.classList.toggle("embed", settings.has("embed"));
  const speed = [...byId("speed").options].find((option) => option.dataset.speed === settings.get("speed"));
  if (speed) speed.selected = true;
  if (settings.has("autoplay")) playOrStop();
}

function begin() {
  inTurnOrder.forEach((place, index) => {
    const name = named(place);
    if (index < seats.length - 1) name.append(",");
    byId("names").append(name, " ");
  });
  const choice = byId("view");
  choice.append(new Option("all", "all"));
  choice.append(...seats.map((seat, place) => new Option(`as ${seat.name} sees it`, String(place))));
  byId("view-part").hidden = game.hands === "open" && !game.hidden.length;

  playing.draw = show;
  notice(data.notice);
  layBoard();
  takeSteps(data.steps);
  beginWhy(redrawFound);
  drawPlots();
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("button")) {
    const what = button.dataset.do;
    if (isDeed(what)) button.addEventListener("click", () => DO[what]());
  }
  byId("view").addEventListener("change", () => { rewriteList(); markWhy(); drawPlots(); show(); });
  byId("speed").addEventListener("change", changeSpeed);
  const plot = byId("plot");
  beginReading();
  new ResizeObserver(() => {
    if (!steps.length || plot.clientWidth === plot.viewBox.baseVal.width) return;
    drawPlots();
    markPlot(sentence(headlineStep()));
    readFocused();
  }).observe(plot);
  whenLinked(go);
  current.at = openingStep() ?? (location.hash ? 0 : data.open ?? 0);
  show();
  takeSettings();
}

begin();
