// What decisions were worth. A page with an analysis shows the options of each decision, marks those that were
// costly, and links the turning points. A player's view has its own decisions only: options follow from its hand.
/** @import { Analysis, CostlyDecision, Decision, DecisionOption, Estimate } from "./page_data.js" */
/** @import { Annotation } from "./plot.js" */
import { CELL, corner, frame } from "./board.js";
import { allIsOpen, current, data, FREE, isOwn, seats, steps, tables, TILES } from "./course.js";
import { hear } from "./hearing.js";
import { go } from "./moving.js";
import { across, annotate, MARKS, plotted } from "./plot.js";
import { dashes, named, seatColor, seatNumber, triedBefore } from "./sentences.js";
import { row } from "./tables.js";
import { byId, dollars, make, notice, plural, shape, whole } from "./text.js";

/** @type {Pick<Analysis, "decisions" | "most_costly" | "chances" | "turning_points">} */
const analysis = data.analysis ?? { decisions: [], most_costly: [], chances: [], turning_points: [] };
const hasAnalysis = Boolean(data.analysis || data.analysing);
let isPartial = Boolean(data.analysing);
/** @type {{ done: number, since: number } | null} */
let watched = null; // what was done when the page first knew of it
const shownDecisions = () => analysis.decisions.filter(({ player }) => allIsOpen() || isOwn(player));
const CHOSEN = new Set([...TILES, "nothing", "bought", "returned", "sold", "traded", "declared"]);
const WHAT = {
  placement: "placement", survivor: "survivor", keep: "certificates to keep", disposal: "disposal", order: "purchase",
  end: "end of the game", replace: "replacing the hand",
};

/** @param {number} amount */
const signed = (amount) => `${whole(amount) < 0 ? "−" : "+"}${dollars(Math.abs(whole(amount)))}`;
/** @param {number} share */
const percent = (share) => `${whole(share * 100)} %`;

// The step that shows what was chosen; a choice to do nothing shows no step.
/** @param {{ step: number, turn: number }} decision */
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

/** @param {Estimate} estimate */
const plusMinus = ({ low, high }) => (low === null || high === null || low === high ? "" : ` ± ${whole((high - low) / 2).toLocaleString("en")}`);
/** @param {Estimate} estimate */
const percentRange = (estimate) => `${percent(estimate.mean)}${estimate.low === null || estimate.high === null ? "" : ` [${whole(estimate.low * 100)} to ${whole(estimate.high * 100)}]`}`;

// What the decision cost, and why the better option is better. Points are named where something was surely lost.
/** @param {CostlyDecision} decision */
function costWords({ cost, options }) {
  const { lead, win, reason } = cost, points = whole(win.mean * 100);
  const lost = [...(lead.mean > 0 ? [`${dollars(whole(lead.mean))}${plusMinus(lead)} of lead`] : []), ...((win.low ?? win.mean) > 0 ? [`${plural(points, "point")} of the chance to win`] : [])];
  return `cost ${lost.join(" and ")} against “${options[0].text}”${allIsOpen() ? `, which ${reason}` : ""}.`;
}

/** @param {DecisionOption} option @param {number} place @param {Decision} decision */
function optionRow(option, place, { recorded, cost }) {
  const isPlayed = place === recorded, value = isPlayed ? cost?.played : place ? undefined : cost?.better;
  const line = make("tr", undefined, isPlayed ? "played" : undefined), head = make("th", undefined, "who");
  head.scope = "row";
  head.append(make("span", `${place + 1}. `, "place"), make("span", option.text, "words"), ...(isPlayed ? [" ", make("span", "played", "tag")] : []));
  line.append(head);
  if (!cost) return line;
  const versus = make("td", value && !isPlayed ? signed(cost.lead.mean) : "", "versus");
  if (value && !isPlayed) versus.append(make("span", plusMinus(cost.lead)));
  line.append(make("td", value && signed(value.lead)), versus, make("td", value && percent(value.win)));
  return line;
}

// Where the first option was measured against the one played, the table has no others.
/** @param {Decision} decision @param {number} place */
const isMeasured = ({ cost, recorded }, place) => !cost || !place || place === recorded;

/** @param {Decision} decision */
function optionTable(decision) {
  const made = make("table"), body = make("tbody"), head = make("thead");
  head.append(row("th", ["option", ...(decision.cost ? ["lead", "vs. played", "wins"] : [])]));
  head.rows[0].cells[0].className = "who";
  if (decision.cost) head.rows[0].cells[2].className = "versus";
  body.append(...decision.options.flatMap((option, place) => (isMeasured(decision, place) ? [optionRow(option, place, decision)] : [])));
  made.append(make("caption", `Options for the ${WHAT[decision.what]}, the most promising first`, "unseen"), head, body);
  return made;
}

// The seat at the turn of a decision, with built-in players on the others: a link where the page comes from a
// person's seat, else a command.
/** @param {Decision} decision */
function retryLine(decision) {
  const { turn, player } = decision;
  if (!data.retry) return [];
  const line = make("p", undefined, "retry"), { rawName } = seats[player];
  if (location.pathname.endsWith("/analysis")) {
    const link = make("a", "Retry this decision");
    link.href = `${data.retry}&${new URLSearchParams({ turn: String(turn), name: rawName })}${decision.costly ? triedBefore(decision) : ""}`;
    link.target = "_blank";
    line.append(link, " in a new tab, with planner on the other seats. This analysis stays here.");
  } else line.append("Retry this decision: ", make("code", `${data.retry}:${turn} --name '${rawName.replaceAll("'", "'\\''")}'`));
  return [line];
}

/** @param {Decision} decision */
function drawDecision(decision) {
  const title = make("h3"), parts = [title], left = decision.left_out;
  title.append(make("bdi", seats[decision.player].name), `: ${WHAT[decision.what]}`);
  if (decision.costly) {
    title.prepend(make("span", `${MARKS.costly} `, "costly"));
    parts.push(make("p", `It ${costWords(decision)}`, "costly-words"));
  }
  parts.push(optionTable(decision));
  const others = decision.options.flatMap(({ text }, place) => (isMeasured(decision, place) ? [] : [`${place + 1}. ${text}`]));
  const why = !decision.cost ? "No option was clearly better than the one played, so none was measured." : others.length ? `Not measured: ${others.join(", ")}.` : "";
  const untried = left ? `${left} more that promised less ${left === 1 ? "was" : "were"} not tried.` : "";
  if (why || untried) parts.push(make("p", [why, untried].join(" ").trim(), "note"));
  if (decision.what === "placement") parts.push(make("p", "On the board the tiles have these numbers; a figure such as +1.8k is how much more lead the first brings than the one played.", "note"));
  parts.push(...retryLine(decision));
  return parts;
}

/** @param {number} place */
const chancesAt = (place) => (allIsOpen() ? analysis.chances.filter((each) => each.step <= place).pop() : undefined);

function chancesLine() {
  const found = chancesAt(current.at), line = make("p", "", "chances");
  if (!found) return [];
  line.append(`Chance to win as turn ${found.turn} began: `);
  found.win.forEach((win, place) => {
    const part = make("span");
    part.append(seatNumber(place, true), percentRange(win));
    line.append(part, " ");
  });
  return [line];
}

const shownPoints = () => (allIsOpen() ? analysis.turning_points : []);

/** @param {string} text @param {number} turn @param {number} step */
function stepLink(text, turn, step) {
  const link = make("a", text);
  link.href = `#turn=${turn}`;
  link.addEventListener("click", (event) => { event.preventDefault(); go(step); });
  return link;
}

function drawPoints() {
  const list = byId("turning");
  list.replaceChildren(...shownPoints().map(({ turn, step, player, text, decision }) => {
    const line = make("li"), { rawName, name } = seats[player];
    line.append(stepLink(`Turn ${turn}`, turn, step), " ", seatNumber(player), make("bdi", name), `${text.slice(rawName.length)}. `);
    if (decision) line.append(stepLink(`“${decision.text}”`, turn, resultStep({ ...decision, turn })), ` ${decision.reason}.`);
    return line;
  }));
  byId("turning-head").hidden = !list.children.length;
}

// Up to three of each player, what cost most first.
function drawMostCostly() {
  const list = byId("most-costly");
  list.replaceChildren(...analysis.most_costly.flatMap((places, player) => {
    if (!places.length || !(allIsOpen() || isOwn(player))) return [];
    const line = make("li"), its = make("ol");
    its.append(...places.flatMap((place) => {
      const each = analysis.decisions[place], { turn, options, recorded } = each, item = make("li");
      if (!each.costly) return [];
      item.append(stepLink(`Turn ${turn}`, turn, resultStep(each)), `: “${options[recorded].text}” ${costWords(each)}`);
      return [item];
    }));
    line.append(named(player), its);
    return [line];
  }));
  byId("most-costly-head").hidden = !list.children.length;
}

// -- the chance to win, below net worth -------------------------------------------------------------
const ODDS = { top: 8, bottom: 92, height: 108 };
/** @param {number} share */
const odds = (share) => ODDS.bottom - (ODDS.bottom - ODDS.top) * share;

// The chances as each turn began, and the result.
function oddsPoints() {
  const found = analysis.chances.map(({ step, win }) => ({ x: across(step), win }));
  const end = steps.findIndex((step) => step.kind === "result"), result = steps[end];
  const known = analysis.chances[analysis.chances.length - 1]?.turn ?? 0;
  if (result?.kind !== "result" || !result.winners.length || steps.some(({ kind, turn }) => kind === "turn" && turn > known)) return found;
  const share = 1 / result.winners.length;
  const win = seats.map((_, place) => (result.winners.includes(place) ? share : 0)).map((mean) => ({ mean, low: mean, high: mean }));
  return [...found, { x: across(end), win }];
}

export function drawOdds() {
  if (!hasAnalysis) return;
  const plot = byId("odds"), points = allIsOpen() ? oddsPoints() : [], { left, right } = plotted;
  byId("odds-part").hidden = !points.length;
  plot.setAttribute("viewBox", `0 0 ${Math.max(byId("plot").clientWidth, 240)} ${ODDS.height}`);
  /** @type {SVGElement[]} */
  const parts = [0, 0.5, 1].flatMap((share) => [
    shape("line", { class: "grid", x1: left, x2: right, y1: odds(share), y2: odds(share) }),
    shape("text", { x: left - 6, y: odds(share) + 4, "text-anchor": "end" }, percent(share)),
  ]);
  /** @param {{ x: number, y: number }[]} line */
  const path = (line) => line.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  if (points.length) seats.forEach((_, player) => {
    const its = points.map(({ x, win }) => ({ x, win: win[player] }));
    const band = shape("path", { class: "band", d: `${path([...its.map(({ x, win }) => ({ x, y: odds(win.high ?? win.mean) })), ...its.map(({ x, win }) => ({ x, y: odds(win.low ?? win.mean) })).reverse()])}Z` });
    const line = shape("path", { d: path(its.map(({ x, win }) => ({ x, y: odds(win.mean) }))), "stroke-dasharray": dashes(player) });
    band.style.fill = line.style.stroke = seatColor(player);
    parts.push(band, line);
  });
  plot.replaceChildren(...parts, shape("line", { id: "odds-place", class: "place", y1: ODDS.top - 6, y2: ODDS.bottom }));
  markOdds();
}

function markOdds() {
  const line = byId("odds-place"), x = String(across(current.at)), found = chancesAt(current.at);
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  const words = found?.win.map((win, place) => `${seats[place].name} ${percentRange(win)}`).join(", ") ?? "";
  byId("odds").setAttribute("aria-label", `Chance to win over the game${found ? `; as turn ${found.turn} began: ${words}` : ""}`);
}

// Tiles that could be placed: their order, and how much more the best one is worth, in thousands.
export function valueMarks() {
  const { at } = current, decision = decisionsAt(at).find(({ what, step }) => what === "placement" && at <= step + 1);
  if (!decision) return [];
  const { cost, recorded, options } = decision;
  /** @type {Map<number, number>} */
  const tiles = new Map();
  options.forEach(({ tile }, place) => { if (tile !== undefined && !tiles.has(tile)) tiles.set(tile, place); });
  return [...tiles].filter(([tile]) => tables[at].board[tile] === FREE).flatMap(([tile, place]) => {
    const { x, y } = corner(tile), isBetter = !place && cost && recorded;
    const text = isBetter ? `${cost.lead.mean < 0 ? "−" : "+"}${Math.abs(cost.lead.mean / 1000).toFixed(1)}k` : `${place + 1}.`;
    const track = shape("rect", { class: "track", x: x + 3, y: y + CELL - 14, width: CELL - 6, height: 11, rx: 2 });
    const label = shape("text", { class: "value", x: x + CELL / 2, y: y + CELL - 5.3, "text-anchor": "middle" }, text);
    return [track, ...(place ? [] : [frame(tile, "best", 2)]), label];
  });
}

let drawnDecisions = "";

export function drawWhy() {
  if (!hasAnalysis) return;
  const { at } = current;
  const found = decisionsAt(at), drawn = JSON.stringify([chancesAt(at), found, allIsOpen()]);
  if (drawn !== drawnDecisions) byId("decisions").replaceChildren(...chancesLine(), ...found.flatMap(drawDecision));
  drawnDecisions = drawn;
  byId("costly-back").disabled = costlyBefore(at) === undefined;
  byId("costly-on").disabled = costlyAfter(at) === undefined;
  markOdds();
}

/** @param {CostlyDecision} decision @returns {Annotation} */
function costlyAnnotation(decision) {
  const { turn, player, what } = decision;
  return { kind: "costly", turn, player, text: `${seats[player].name}, ${WHAT[what]}: it ${costWords(decision)}` };
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
    mark.title = `It ${costWords(each)}`;
    byId("events").children[resultStep(each)].querySelector("button")?.lastChild?.before(mark);
  }
  const number = found.length;
  byId("costly-count").textContent = `${number ? plural(number, "costly decision") : "No costly decision"}${isPartial ? " so far" : ""}`;
  drawPoints();
  drawMostCostly();
}

// The rest takes less time than it would at the pace so far: fewer turns are played on from later ones.
/** @param {number} done @param {number} of */
function timeLeft(done, of) {
  const now = Date.now();
  watched ??= { done, since: now };
  const seconds = done > watched.done + 4 ? ((now - watched.since) / (done - watched.done)) * (of - done) / 1000 : 0;
  return seconds ? `; at most about ${seconds < 90 ? plural(Math.ceil(seconds / 10) * 10, "second") : plural(Math.ceil(seconds / 60), "minute")} more` : "";
}

/** @param {Analysis} found */
function noteFound({ games, limits, analysed, chance_games }) {
  const told = [
    "Lead is how many dollars more than the best other player an option brings at the end, on average; wins is how often it wins. Within ±, or [from to], the true average lies with 95 % confidence.",
    `For these figures built-in players have played each option on to the end, up to ${games} times, with everything dealt again that the player could not know. In each game each of them takes some hotels to be worth more than they are, others less: if all thought alike, one certificate would decide most games.`,
    "Options are in the order in which they looked best after some games. The first one was then played on in other games, because the best of many looks better than it is.",
    `A decision is costly if it has lost at least ${dollars(limits.lead)} of lead, or ${Math.round(limits.win * 100)} points of the chance to win. Other games again have shown it, with ${limits.confidence * 100} % confidence; players of another kind, who value hotels alike, have played some of them. The games of the figures confirm that something was lost.`,
    `The chance to win as a turn begins comes from ${chance_games} games with all hands known and the same luck in every turn. “By a decision” means compared with what the built-in players would have chosen.`,
  ];
  byId("why-note").replaceChildren(...told.map((text) => make("li", text)));
  const { decisions, of } = analysed;
  isPartial = decisions < of;
  if (isPartial) notice(data.analysing ? `${decisions} of ${plural(of, "decision")} analysed so far, your own first${timeLeft(decisions, of)}.` : `The analysis was stopped after ${decisions} of ${plural(of, "decision")}.`);
  markWhy();
}

// While the game is analysed, all that is known comes again and again.
/** @param {string} address @param {() => void} redraw */
function follow(address, redraw) {
  const stop = hear(address, (found) => {
    if (found.over !== undefined) {
      stop();
      return notice(found.over);
    }
    Object.assign(analysis, found);
    noteFound(found);
    redraw();
  }, () => notice("The analysis has ended with acquire play. What was found until then is here; acquire replay LOG --analyse finds it all."));
}

/** @param {() => void} redraw */
export function beginWhy(redraw) {
  if (!hasAnalysis) return;
  byId("keys").querySelector("dl")?.append(make("dt", "b d"), make("dd", "costly decision before, after"));
  if (data.analysis) noteFound(data.analysis);
  else markWhy();
  if (!data.analysing) return;
  notice("The decisions of the game are being played on many times. What is found appears here.");
  follow(data.analysing, redraw);
}
