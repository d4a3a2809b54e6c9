// A live game: the viewer's page follows it, leads to other games, and can be saved as a page that
// needs no server, even when the server is gone.
//
// This script runs before the viewer's and keeps the page as it came. To save, it takes itself and the
// links out of that, and puts the steps in. So a saved page has the policy, the viewer and the data of
// `replay --html`. Links are followed only if the server still answers: otherwise they would lead away
// from a game that nobody can show again.
/** @import { GamePage, GameUpdate } from "../html/page_data.js" */
import { current, data, lastStep, seats, steps } from "../html/course.js";
import { hear } from "../html/hearing.js";
import { awaitedStep } from "../html/link.js";
import { go } from "../html/moving.js";
import { drawPlot } from "../html/plot.js";
import { byId, notice, plural } from "../html/text.js";
import { forgetSteps, show, takeSteps } from "../html/viewer.js";

const untouched = document.documentElement.outerHTML; // before the viewer has drawn anything
const KEPT = "This page keeps what it was sent, and can save it.";
let live = true;

// -- what comes -----------------------------------------------------------------------------------
/** @type {() => void} */
let stop = () => {};

/** @param {GameUpdate} update */
function take(update) {
  const atEnd = current.at >= steps.length - 1;
  const known = steps.length;
  if (update.match) forgetSteps(); // all of it is sent: after a lost connection, or at the end with what was hidden
  if (update.steps) takeSteps(update.steps);
  if (known && steps.length > known) since = performance.now();
  if (update.over || update.cut) stop();
  if (update.over) current.growing = false;
  live = !(update.over || update.sealed);
  if (update.cut) notice(`${update.cut} ${update.sealed ? "Hidden hands stay hidden. " : ""}${KEPT}`);
  else if (update.sealed) notice("The game is over. Hidden hands are revealed once this deal is no longer in play.");
  else notice(live ? "Live." : "");
  if (!steps.length) return;
  drawPlot();
  const place = awaitedStep();
  if (place !== null) return go(place);
  current.at = atEnd ? steps.length - 1 : Math.min(current.at, steps.length - 1);
  show();
}

/** @param {boolean} isGone */
function lose(isGone) {
  live = false;
  notice(isGone ? `This game is no longer on the server: the referee was started again. ${KEPT}` : `The server does not answer: it was stopped, or the network is down. This page tries again by itself. ${KEPT}`);
}

// -- to the last step, and to other games -------------------------------------------------------
function offerToJump() {
  const behind = steps.length - 1 - current.at;
  byId("jump").hidden = !live || behind <= 0;
  byId("jump").textContent = `Jump to live (${plural(behind, "step")})`;
}

// A link must not lead away from a game that nobody can show again.
/** @param {MouseEvent} event @param {string} href */
async function leave(event, href) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    await fetch("/", { method: "HEAD" });
    location.href = href;
  } catch {
    notice(`The referee has stopped. ${KEPT}`);
  }
}

// -- the clock ------------------------------------------------------------------------------------
// Who is waited for, and for how long already; a seat of its own clock also says how long it may take.
let since = performance.now() - (data.waited ?? 0) * 1000;
/** @param {number} seconds */
const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

function drawWaited() {
  const step = steps.findLast(({ kind }) => kind === "turn"), waited = (performance.now() - since) / 1000, player = step?.player;
  byId("waited").hidden = !live || waited < 2 || player === undefined;
  if (byId("waited").hidden || player === undefined) return;
  const clock = Number(data.clocks?.[player] ?? NaN);
  const name = document.createElement("bdi");
  name.textContent = seats[player].name;
  byId("waited").replaceChildren("Waiting for ", name, `: ${minutes(waited)}`, Number.isFinite(clock) ? ` of ${minutes(clock)}` : "");
}

// -- saving ---------------------------------------------------------------------------------------
/** @param {object} fields */
const embedded = (fields) =>
  JSON.stringify(fields).replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

// The page as `acquire replay --html` writes it, with the steps that have come.
function savedPage() {
  const page = new DOMParser().parseFromString(untouched, "text/html");
  /** @type {GamePage} */
  const { policy, waited, clocks, ...fields } = JSON.parse(byId("data").textContent);
  const why = live ? `Saved at turn ${lastStep()?.turn ?? 0}, while the game was going on.` : byId("notice").textContent.replace(KEPT, "").trim();
  for (const part of page.querySelectorAll("[data-live]")) part.remove();
  page.querySelector("meta[http-equiv]")?.setAttribute("content", policy ?? "");
  page.getElementById("data")?.replaceChildren(embedded({ ...fields, steps, notice: why, events: "" }));
  const script = page.createElement("script");
  script.textContent = document.querySelector("body > script:not([data-live], [type])")?.textContent ?? "";
  page.body.append(script, "\n");
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}\n`;
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([savedPage()], { type: "text/html" }));
  link.download = `acquire-${decodeURIComponent(location.pathname.split("/").pop() ?? "").replace(/[^\w.-]+/g, "-")}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
}

document.addEventListener("step", offerToJump);
document.addEventListener("DOMContentLoaded", () => {
  byId("jump").addEventListener("click", () => go(steps.length - 1));
  byId("save").addEventListener("click", save);
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".around a");
  for (const link of links) link.addEventListener("click", (event) => leave(event, link.href));
  setInterval(drawWaited, 500);
  stop = hear(data.events, take, lose);
});
