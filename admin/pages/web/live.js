"use strict";
// A live match: the viewer's page follows it, leads to other matches, and can be saved as a page that
// needs no server, even when the server is gone.
(() => {
const untouched = document.documentElement.outerHTML; // before the viewer has drawn anything
const KEPT = "This page keeps what it was sent, and can save it.";
let live = true;

// -- what comes -----------------------------------------------------------------------------------
function reveal(step, { secret, players = {} }) {
  if (secret) step.secret = secret;
  for (const [place, fields] of Object.entries(players))
    step.players = { ...step.players, [place]: { ...step.players?.[place], ...fields } };
}

function takeSteps(update) {
  if (update.match) clearSteps(); // all of it is sent, perhaps again
  if (update.secrets) {
    const known = [...steps];
    for (const [place, hidden] of update.secrets) reveal(known[place], hidden);
    clearSteps();
    addSteps(known);
  }
  if (update.steps) addSteps(update.steps);
}

function take(update, source) {
  const atEnd = at >= steps.length - 1;
  takeSteps(update);
  if (update.over || update.cut) source.close();
  if (update.over) data.events = "";
  live = !(update.over || update.sealed);
  if (update.cut) notice(`${update.cut} ${update.sealed ? "Hidden hands stay hidden. " : ""}${KEPT}`);
  else if (update.sealed) notice("The match is over. Hidden hands are revealed once this deal is no longer in play.");
  else notice(live ? "Live." : "");
  if (!steps.length) return;
  drawPlot();
  const place = pendingLink === null ? null : linkedStep();
  if (place !== null) { pendingLink = null; go(place); return; }
  at = atEnd ? steps.length - 1 : Math.min(at, steps.length - 1);
  show();
}

function follow(address) {
  const source = new EventSource(address);
  source.onmessage = (message) => take(JSON.parse(message.data), source);
  source.onerror = () => notice(`Connection to the server lost. ${KEPT}`);
}

// -- to the last step, and to other matches -------------------------------------------------------
function offerToJump() {
  const behind = steps.length - 1 - at;
  byId("jump").hidden = !live || behind <= 0;
  byId("jump").textContent = `Jump to live (${plural(behind, "step")})`;
}

// A link must not lead away from a match that nobody can show again.
async function leave(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  try {
    await fetch("/", { method: "HEAD" });
    location.href = href;
  } catch {
    notice(`The server has stopped. ${KEPT}`);
  }
}

// -- saving ---------------------------------------------------------------------------------------
const embedded = (fields) =>
  JSON.stringify(fields).replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

// The page as `acquire replay --html` writes it, with the steps that have come.
function savedPage() {
  const page = new DOMParser().parseFromString(untouched, "text/html");
  const { policy, ...fields } = JSON.parse(byId("data").textContent);
  const why = live ? `Saved at turn ${steps[steps.length - 1]?.turn ?? 0}, while the match was going on.` : byId("notice").textContent.replace(KEPT, "").trim();
  page.querySelectorAll("[data-live]").forEach((part) => part.remove());
  page.querySelector("meta[http-equiv]").content = policy;
  page.getElementById("data").textContent = embedded({ ...fields, steps, notice: why, events: "" });
  const script = page.createElement("script");
  script.textContent = document.querySelector("body > script:not([data-live], [type])").textContent;
  page.body.append(script, "\n");
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}\n`;
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([savedPage()], { type: "text/html" }));
  link.download = `acquire-${decodeURIComponent(location.pathname.split("/").pop()).replace(/[^\w.-]+/g, "-")}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
}

document.addEventListener("step", offerToJump);
document.addEventListener("DOMContentLoaded", () => {
  byId("jump").addEventListener("click", () => go(steps.length - 1));
  byId("save").addEventListener("click", save);
  document.querySelectorAll(".around a").forEach((link) => link.addEventListener("click", leave));
  follow(data.events);
});
})();
