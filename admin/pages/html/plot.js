// The plot: the net worth of all players over the game. Drawn at its real size in pixels, so that the text
// is as large on a phone.
/** @import { Seat, Step, Table } from "./page_data.js" */
import { current, lastStep, mover, seats, seen, steps, tables } from "./course.js";
import { dashes, seatColor } from "./sentences.js";
import { byId, dollars, shape } from "./text.js";

export const MARKS = { founded: "▲", merged: "◆", ejected: "✕", ended: "■", costly: "▼", turning: "★" };
/** @typedef {keyof typeof MARKS} Mark */
// What is marked beside steps, with its turn and text; if a player's, the player.
/** @typedef {{ turn: number, kind: Mark, text: string, player?: Seat }} Annotation */
/** @typedef {{ place: number, turn: number, kind: Mark, text?: string, player?: Seat, step?: Step }} PlacedMark */

/** @param {Step} step @returns {Mark | null} */
export function markOf({ kind }) {
  return kind === "founded" || kind === "merged" || kind === "ejected" || kind === "ended" ? kind : null;
}

/** @type {Annotation[]} */
let annotations = [];
/** @param {Annotation[]} found */
export const annotate = (found) => { annotations = found; };
export const plotted = { left: 44, right: 500, top: 10, bottom: 150, most: 1000 };
/** @param {number} place */
export const across = (place) => plotted.left + ((plotted.right - plotted.left) * place) / Math.max(steps.length - 1, 1);
/** @param {number} worth */
const up = (worth) => plotted.bottom - ((plotted.bottom - plotted.top) * worth) / plotted.most;
/** @param {Table} table @param {Seat} place */
export const worthOf = (table, place) => {
  const has = table.players[place];
  return has.out ? null : seen("worth", place, has) ?? null;
};

// The players whose net worth is known.
/** @param {number} place */
function knownWorths(place) {
  return seats.flatMap((_, player) => {
    const worth = worthOf(tables[place], player);
    return worth === null ? [] : [{ player, worth }];
  });
}

// The same, the richest first.
/** @param {number} place */
export const worthsAt = (place) => knownWorths(place).sort((one, other) => other.worth - one.worth);

function gridLines() {
  const { most, left, right, bottom } = plotted, unit = 10 ** Math.floor(Math.log10(most)), parts = [];
  const tick = most / unit < 2 ? unit / 2 : most / unit < 5 ? unit : unit * 2;
  for (let worth = 0; worth <= most; worth += tick) {
    parts.push(shape("line", { class: "grid", x1: left, x2: right, y1: up(worth), y2: up(worth) }));
    parts.push(shape("text", { x: left - 6, y: up(worth) + 4, "text-anchor": "end" }, worth ? `$${worth / 1000}k` : "$0"));
  }
  const turns = lastStep()?.turn ?? 0;
  const every = [5, 10, 20, 50, 100].find((each) => ((right - left) * each) / Math.max(turns, 1) > 48) ?? 500;
  steps.forEach((step, place) => {
    if (step.kind === "turn" && step.turn % every === 0)
      parts.push(shape("text", { x: across(place), y: bottom + 42, "text-anchor": "middle" }, `${step.turn === every ? "turn " : ""}${step.turn}`));
  });
  return parts;
}

// The steps that are marked, and the annotations, each with its place.
/** @returns {PlacedMark[]} */
export function allAnnotations() {
  const found = steps.flatMap((step, place) => {
    const kind = markOf(step);
    return kind ? [{ place, turn: step.turn, kind, step }] : [];
  });
  /** @param {number} turn */
  const placeOf = (turn) => steps.findIndex((step) => step.kind === "turn" && step.turn === turn);
  return [...found, ...annotations.map((each) => ({ ...each, place: placeOf(each.turn) })).filter(({ place }) => place >= 0)];
}

// Marks stand below the axis, those of a player's annotation above the player's line.
/** @param {PlacedMark} mark */
function drawAnnotation({ place, kind, player }) {
  const x = across(place), { top, bottom } = plotted, worth = player === undefined ? null : worthOf(tables[place], player);
  const mark = shape("text", { class: "mark", x, y: bottom + (kind === "founded" ? 14 : 27), "text-anchor": "middle" }, MARKS[kind]);
  if (worth !== null && player !== undefined) {
    mark.setAttribute("y", String(Math.max(up(worth) - 7, top + 4)));
    mark.style.fill = seatColor(player);
    return [mark];
  }
  return kind === "founded" ? [mark] : [shape("line", { class: "event", x1: x, x2: x, y1: top, y2: bottom }), mark];
}

// Names beside the ends of their lines, pushed apart where they would overlap.
/** @param {{ y: number, name: string, player: Seat }[]} ends */
function endLabels(ends) {
  ends.sort((one, other) => one.y - other.y);
  ends.forEach((end, place) => { end.y = Math.max(end.y, place ? ends[place - 1].y + 15 : 7); });
  for (let place = ends.length - 1, low = plotted.bottom + 6; place >= 0; place -= 1, low -= 15)
    ends[place].y = Math.min(ends[place].y, low);
  return ends.map(({ y, name, player }) => {
    const label = shape("g", { class: "end" }), badge = shape("circle", { cx: plotted.right + 14, cy: y, r: 7 });
    const number = shape("text", { x: plotted.right + 14, y: y + 3.5, "text-anchor": "middle", class: "number" }, seats[player].number + 1);
    const text = shape("text", { x: plotted.right + 25, y: y + 4, class: "ended" }, name);
    badge.style.fill = text.style.fill = seatColor(player);
    label.append(badge, number, text);
    return label;
  });
}

// Cut a name that needs more room than there is.
/** @param {SVGTextElement} text @param {number} room */
function fit(text, room) {
  const signs = [...text.textContent ?? ""];
  while (signs.length > 1 && text.getComputedTextLength() > room) {
    signs.pop();
    text.textContent = `${signs.join("")}…`;
  }
}

export function drawPlot() {
  const plot = byId("plot"), width = Math.max(plot.clientWidth, 240), narrow = width < 480;
  plot.setAttribute("viewBox", `0 0 ${width} 198`);
  plotted.right = width - (narrow ? 92 : 122);
  plotted.most = Math.max(1000, ...tables.flatMap((table) => seats.map((_, place) => worthOf(table, place) ?? 0)));
  /** @type {SVGElement[]} */
  const parts = [...gridLines(), ...allAnnotations().flatMap(drawAnnotation)];
  /** @type {{ y: number, name: string, player: Seat }[]} */
  const ends = [];
  seats.forEach((seat, player) => {
    let path = "", y = 0;
    tables.forEach((table, place) => {
      const worth = worthOf(table, player);
      if (worth === null) return;
      y = up(worth);
      path += `${path ? "L" : "M"}${across(place).toFixed(1)} ${y.toFixed(1)}`;
    });
    if (!path) return;
    const line = shape("path", { d: path, "data-player": player, "stroke-dasharray": dashes(player) });
    line.style.stroke = seatColor(player);
    parts.push(line);
    ends.push({ y, name: seat.name, player });
  });
  parts.push(...endLabels(ends));
  parts.push(shape("g", { id: "hovered" }), shape("line", { id: "place", class: "place", y1: plotted.top - 6, y2: plotted.bottom }), shape("g", { id: "dots" }));
  plot.replaceChildren(...parts);
  for (const text of plot.querySelectorAll("text")) if (text.classList.contains("ended")) fit(text, width - plotted.right - 26);
  plot.setAttribute("aria-valuemax", String(Math.max(steps.length - 1, 0)));
}

// A dot on the line of each player at a step.
/** @param {number} place */
export function dotsAt(place) {
  return knownWorths(place).map(({ player, worth }) => {
    const dot = shape("circle", { cx: across(place), cy: up(worth), r: 3.2 });
    dot.style.stroke = seatColor(player);
    return dot;
  });
}

// `headline` is the sentence of the step.
/** @param {string} headline */
export function markPlot(headline) {
  const { at } = current, plot = byId("plot"), line = byId("place"), x = String(across(at)), moving = String(mover());
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  for (const path of plot.querySelectorAll("path")) path.classList.toggle("moving", path.dataset.player === moving);
  byId("dots").replaceChildren(...dotsAt(at));
  plot.setAttribute("aria-valuenow", String(at));
  plot.setAttribute("aria-valuetext", `${headline} ${worthsAt(at).map(({ player, worth }) => `${seats[player].name} ${dollars(worth)}`).join(", ")}.`);
}
