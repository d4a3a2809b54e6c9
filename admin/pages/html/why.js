// What decisions were worth. A page with an analysis shows the options of each decision, marks those that were
// costly, and links the turning points. A player's view has its own decisions only: options follow from its hand.
/** @import { Analysis, CostlyDecision, Decision, OptionValue } from "./page_data.js" */
/** @import { Annotation } from "./plot.js" */
import { CELL, corner, frame } from "./board.js";
import { allIsOpen, current, data, FREE, isOwn, seats, steps, tables, TILES } from "./course.js";
import { go } from "./moving.js";
import { annotate, MARKS } from "./plot.js";
import { seatNumber } from "./sentences.js";
import { row } from "./tables.js";
import { byId, dollars, make, shape } from "./text.js";

/** @type {Pick<Analysis, "decisions" | "chances" | "turning_points">} */
const analysis = data.analysis ?? { decisions: [], chances: [], turning_points: [] };
const hasAnalysis = Boolean(data.analysis);
const shownDecisions = () => analysis.decisions.filter(({ player }) => allIsOpen() || isOwn(player));
const CHOSEN = new Set([...TILES, "nothing", "bought", "returned", "sold", "traded", "declared"]);
const WHAT = {
  placement: "placement", survivor: "survivor", keep: "certificates to keep", disposal: "disposal", order: "purchase",
  end: "end of the game", replace: "replacing the hand",
};

/** @param {number} amount */
const signed = (amount) => `${amount < 0 ? "−" : "+"}${dollars(Math.abs(Math.round(amount)))}`;
/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;

// The step that shows what was chosen; a choice to do nothing shows no step.
/** @param {Decision} decision */
function resultStep({ step, turn }) {
  const next = steps[step + 1];
  return next && next.turn === turn && CHOSEN.has(next.kind) ? step + 1 : step;
}

// The decisions that led to this step; else those that are due in it; else the latest of the turn.
/** @param {number} place */
function decisionsAt(place) {
  const turn = steps[place].turn, found = shownDecisions().filter((each) => each.turn === turn);
  const chosen = found.filter((each) => resultStep(each) === place);
  if (chosen.length) return chosen;
  const before = found.filter((each) => each.step <= place), latest = before[before.length - 1];
  return latest && steps[place].kind !== "ended" ? [latest] : [];
}

const costlyDecisions = () => shownDecisions().filter((each) => each.costly);
const costlySteps = () => costlyDecisions().map(resultStep);
/** @param {number} place */
export const costlyAfter = (place) => costlySteps().find((step) => step > place);
/** @param {number} place */
export const costlyBefore = (place) => costlySteps().reverse().find((step) => step < place);
/** @param {number | undefined} step */
export const goCostly = (step) => { if (step !== undefined) go(step); };

/** @param {CostlyDecision} decision */
function costWords({ cost, options }) {
  const win = Math.round(cost.win.mean * 100), words = `${dollars(Math.round(cost.lead.mean))} of lead (± ${dollars(Math.round(cost.lead.error))})`;
  return `Costly: “${options[0].text}” was worth ${words}${win > 0 ? ` and ${win} points of the chance to win` : ""} more.`;
}

/** @param {OptionValue} option @param {number} best @param {number} widest @param {boolean} recorded */
function optionRow(option, best, widest, recorded) {
  const line = make("tr", undefined, recorded ? "played" : undefined), head = make("th", undefined, "who");
  const bar = make("span", undefined, "bar"), more = option.more_lead;
  bar.style.width = `${Math.max(3, 100 * (1 - (best - option.lead) / widest))}%`;
  bar.setAttribute("aria-hidden", "true");
  head.scope = "row";
  head.append(make("span", option.text, "words"), ...(recorded ? [" ", make("span", "played", "tag")] : []), bar);
  line.append(head, make("td", signed(option.lead)));
  line.append(make("td", recorded ? "·" : `${signed(more.mean)} ± ${dollars(more.error)}`, "versus"), make("td", percent(option.win)));
  return line;
}

/** @param {Decision} decision */
function optionTable(decision) {
  const made = make("table"), body = make("tbody"), head = make("thead"), leads = decision.options.map((each) => each.lead);
  const best = Math.max(...leads), widest = Math.max(best - Math.min(...leads), 4000) * 1.05;
  head.append(row("th", ["option", "lead", "vs. played", "wins"]));
  head.rows[0].cells[0].className = "who";
  head.rows[0].cells[2].className = "versus";
  body.append(...decision.options.map((option, place) => optionRow(option, best, widest, place === decision.recorded)));
  made.append(make("caption", `Options for the ${WHAT[decision.what]}`, "unseen"), head, body);
  return made;
}

/** @param {Decision} decision */
function drawDecision(decision) {
  const title = make("h3"), parts = [title];
  title.append(make("bdi", seats[decision.player].name), `: ${WHAT[decision.what]}`);
  if (decision.costly) {
    title.prepend(make("span", `${MARKS.costly} `, "costly"));
    parts.push(make("p", costWords(decision), "costly-words"));
  }
  parts.push(optionTable(decision));
  if (decision.left_out) parts.push(make("p", `${decision.left_out} more that promised less ${decision.left_out === 1 ? "was" : "were"} not tried.`, "note"));
  return parts;
}

function chancesLine() {
  const found = analysis.chances.filter((each) => each.step <= current.at).pop(), line = make("p", "", "chances");
  if (!found || !allIsOpen()) return [];
  line.append(`Chance to win as turn ${found.turn} began: `);
  found.win.forEach((win, place) => {
    const part = make("span");
    part.append(seatNumber(place, true), percent(win));
    line.append(part, " ");
  });
  return [line];
}

const shownPoints = () => (allIsOpen() ? analysis.turning_points : []);

function drawPoints() {
  const list = byId("turning");
  list.replaceChildren(...shownPoints().map((point) => {
    const line = make("li"), link = make("a", `Turn ${point.turn}`);
    link.href = `#turn=${point.turn}`;
    const { rawName, name } = seats[point.player];
    line.append(link, " ", seatNumber(point.player), make("bdi", name), point.text.slice(rawName.length));
    return line;
  }));
  byId("turning-head").hidden = !list.children.length;
}

// Tiles that could be placed: the lead in thousands on a bar, the best one framed.
export function valueMarks() {
  const { at } = current, decision = decisionsAt(at).find(({ what, step }) => what === "placement" && at <= step + 1);
  if (!decision) return [];
  /** @type {Map<number, number>} */
  const tiles = new Map();
  const leads = decision.options.map((each) => each.lead), best = Math.max(...leads);
  const widest = Math.max(best - Math.min(...leads), 4000) * 1.05;
  for (const { tile, lead } of decision.options) if (tile !== undefined) tiles.set(tile, Math.max(lead, tiles.get(tile) ?? -Infinity));
  return [...tiles].filter(([tile]) => tables[at].board[tile] === FREE).flatMap(([tile, lead]) => {
    const { x, y } = corner(tile), width = Math.max(2, (CELL - 6) * (1 - (best - lead) / widest));
    const track = shape("rect", { class: "track", x: x + 3, y: y + CELL - 14, width: CELL - 6, height: 11, rx: 2 });
    const bar = shape("rect", { class: "value", x: x + 3, y: y + CELL - 14, width, height: 11, rx: 2 });
    const label = shape("text", { class: "value", x: x + CELL / 2, y: y + CELL - 5.3, "text-anchor": "middle" }, `${lead < 0 ? "−" : "+"}${(Math.abs(lead) / 1000).toFixed(1)}k`);
    return [track, bar, ...(lead === best ? [frame(tile, "best", 2)] : []), label];
  });
}

export function drawWhy() {
  if (!hasAnalysis) return;
  const { at } = current;
  byId("decisions").replaceChildren(...chancesLine(), ...decisionsAt(at).flatMap(drawDecision));
  byId("costly-back").disabled = costlyBefore(at) === undefined;
  byId("costly-on").disabled = costlyAfter(at) === undefined;
}

/** @param {CostlyDecision} decision @returns {Annotation} */
function costlyAnnotation(decision) {
  const { turn, player, what } = decision;
  return { kind: "costly", turn, player, text: `${seats[player].name}, ${WHAT[what]}: ${costWords(decision)}` };
}

/** @param {number} turn @param {string} text @returns {Annotation} */
const turningAnnotation = (turn, text) => ({ kind: "turning", turn, text: `Turning point: ${text}` });

// Everything that depends on whose view it is, and not on the step.
export function markWhy() {
  if (!hasAnalysis) return;
  const found = costlyDecisions();
  annotate([
    ...found.map((each) => costlyAnnotation(each)),
    ...shownPoints().map(({ turn, text }) => turningAnnotation(turn, text)),
  ]);
  for (const mark of document.querySelectorAll("#events .costly")) mark.remove();
  for (const each of found) {
    const mark = make("span", undefined, "costly"), sign = make("span", MARKS.costly);
    sign.setAttribute("aria-hidden", "true");
    mark.append(sign, make("span", "costly", "unseen"), "\u00a0");
    mark.title = costWords(each);
    byId("events").children[resultStep(each)].querySelector("button")?.lastChild?.before(mark);
  }
  const number = found.length;
  byId("costly-count").textContent = number ? `${number} costly decision${number === 1 ? "" : "s"}` : "No costly decision";
  drawPoints();
}

export function beginWhy() {
  if (!data.analysis) return;
  const { games, limits } = data.analysis;
  byId("keys").querySelector("dl")?.append(make("dt", "b d"), make("dd", "costly decision before, after"));
  byId("why-note").textContent =
    `Each option was played on ${games} times by built-in players, with everything dealt again that the player could not know. ` +
    `Lead: dollars more than the best other player at the end. Costly: in other games, half of them by other players, the best option has at least ${dollars(limits.lead)} more lead, ` +
    `or wins ${Math.round(limits.win * 100)} points more often, and that is no noise with ${limits.confidence * 100} % confidence; ± is a standard error. ` +
    "Chances are those of the table, with all hands known; by decisions means compared with the built-in players.";
  markWhy();
}
