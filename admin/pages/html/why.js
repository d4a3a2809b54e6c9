// -- what decisions were worth ----------------------------------------------------------------------
// A page with an analysis shows the options of each decision, marks those that were costly, and links
// the turning points. A player's view has its own decisions only: options follow from its hand.
const analysis = data.analysis ?? { decisions: [], chances: [], turning_points: [] };
const hasAnalysis = Boolean(data.analysis);
const allIsOpen = () => view() === "all" || (match.hands === "open" && !match.hidden.length);
const shownDecisions = () => analysis.decisions.filter(({ player }) => allIsOpen() || isOwn(player));
const CHOSEN = new Set([...TILES, "nothing", "bought", "returned", "sold", "traded", "declared"]);
const WHAT = {
  placement: "placement", survivor: "survivor", keep: "certificates to keep", disposal: "disposal", order: "purchase",
  end: "end of the game", replace: "replacing the hand",
};
Object.assign(MARKS, { costly: "▼", turning: "★" });

const signed = (amount) => `${amount < 0 ? "−" : "+"}${dollars(Math.abs(Math.round(amount)))}`;
const percent = (share) => `${Math.round(share * 100)} %`;

// The step that shows what was chosen; a choice to do nothing shows no step.
function resultStep({ step, turn }) {
  const next = steps[step + 1];
  return next && next.turn === turn && CHOSEN.has(next.kind) ? step + 1 : step;
}

// The decisions that led to this step; else those that are due in it; else the latest of the turn.
function decisionsAt(place) {
  const turn = steps[place].turn, found = shownDecisions().filter((each) => each.turn === turn);
  const chosen = found.filter((each) => resultStep(each) === place);
  if (chosen.length) return chosen;
  const before = found.filter((each) => each.step <= place), latest = before[before.length - 1];
  return latest && steps[place].kind !== "ended" ? [latest] : [];
}

const costlySteps = () => shownDecisions().filter((each) => each.costly).map(resultStep);
const costlyAfter = (place) => costlySteps().find((step) => step > place);
const costlyBefore = (place) => costlySteps().reverse().find((step) => step < place);
const goCostly = (step) => { if (step !== undefined) go(step); };

function costWords({ cost, options }) {
  const win = Math.round(cost.win.mean * 100), words = `${dollars(Math.round(cost.lead.mean))} of lead (± ${dollars(Math.round(cost.lead.error))})`;
  return `Costly: “${options[0].text}” was worth ${words}${win > 0 ? ` and ${win} points of the chance to win` : ""} more.`;
}

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

function optionTable(decision) {
  const made = make("table"), body = make("tbody"), head = make("thead"), leads = decision.options.map((each) => each.lead);
  const best = Math.max(...leads), widest = Math.max(best - Math.min(...leads), 4000) * 1.05;
  head.append(row("th", ["option", "lead", "vs. played", "wins"]));
  head.firstChild.children[0].className = "who";
  head.firstChild.children[2].className = "versus";
  decision.options.forEach((option, place) => body.append(optionRow(option, best, widest, place === decision.recorded)));
  made.append(make("caption", `Options for the ${WHAT[decision.what]}`, "unseen"), head, body);
  return made;
}

function drawDecision(decision) {
  const title = make("h3"), parts = [title];
  title.append(make("bdi", match.seats[decision.player].name), `: ${WHAT[decision.what]}`);
  if (decision.costly) {
    title.prepend(make("span", `${MARKS.costly} `, "costly"));
    parts.push(make("p", costWords(decision), "costly-words"));
  }
  parts.push(optionTable(decision));
  if (decision.left_out) parts.push(make("p", `${decision.left_out} more that promised less ${decision.left_out === 1 ? "was" : "were"} not tried.`, "note"));
  return parts;
}

function chancesLine() {
  const found = analysis.chances.filter((each) => each.step <= at).pop(), line = make("p", "", "chances");
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
    const { rawName, name } = match.seats[point.player];
    line.append(link, " ", seatNumber(point.player), make("bdi", name), point.text.slice(rawName.length));
    return line;
  }));
  byId("turning-head").hidden = !list.children.length;
}

// Tiles that could be placed: the lead in thousands on a bar, the best one framed.
function valueMarks() {
  const decision = decisionsAt(at).find(({ what, step }) => what === "placement" && at <= step + 1);
  if (!decision) return [];
  const tiles = new Map(), leads = decision.options.map((each) => each.lead), best = Math.max(...leads);
  const widest = Math.max(best - Math.min(...leads), 4000) * 1.05;
  for (const { tile, lead } of decision.options) tiles.set(tile, Math.max(lead, tiles.get(tile) ?? -Infinity));
  return [...tiles].filter(([tile]) => tables[at].board[tile] === FREE).flatMap(([tile, lead]) => {
    const { x, y } = corner(tile), width = Math.max(2, (CELL - 6) * (1 - (best - lead) / widest));
    const track = shape("rect", { class: "track", x: x + 3, y: y + CELL - 14, width: CELL - 6, height: 11, rx: 2 });
    const bar = shape("rect", { class: "value", x: x + 3, y: y + CELL - 14, width, height: 11, rx: 2 });
    const label = shape("text", { class: "value", x: x + CELL / 2, y: y + CELL - 5.3, "text-anchor": "middle" }, `${lead < 0 ? "−" : "+"}${(Math.abs(lead) / 1000).toFixed(1)}k`);
    return [track, bar, ...(lead === best ? [frame(tile, "best", 2)] : []), label];
  });
}

function drawWhy() {
  if (!hasAnalysis) return;
  byId("decisions").replaceChildren(...chancesLine(), ...decisionsAt(at).flatMap(drawDecision));
  byId("costly-back").disabled = costlyBefore(at) === undefined;
  byId("costly-on").disabled = costlyAfter(at) === undefined;
}

// Everything that depends on whose view it is, and not on the step.
function markWhy() {
  if (!hasAnalysis) return;
  const found = shownDecisions().filter((each) => each.costly);
  annotations.splice(0, annotations.length, ...annotations.filter((each) => !each.isWhy));
  for (const each of found)
    annotations.push({ isWhy: true, kind: "costly", turn: each.turn, player: each.player, text: `${match.seats[each.player].name}, ${WHAT[each.what]}: ${costWords(each)}` });
  for (const { turn, text } of shownPoints()) annotations.push({ isWhy: true, kind: "turning", turn, text: `Turning point: ${text}` });
  document.querySelectorAll("#events .costly").forEach((mark) => mark.remove());
  for (const each of found) {
    const button = byId("events").children[resultStep(each)].firstChild, mark = make("span", undefined, "costly");
    mark.append(make("span", MARKS.costly), make("span", "costly", "unseen"), "\u00a0");
    mark.firstChild.setAttribute("aria-hidden", "true");
    mark.title = costWords(each);
    button.insertBefore(mark, button.lastChild);
  }
  const number = found.length;
  byId("costly-count").textContent = number ? `${number} costly decision${number === 1 ? "" : "s"}` : "No costly decision";
  drawPoints();
}

function beginWhy() {
  if (!hasAnalysis) return;
  moreMarks.push(valueMarks);
  const { games, limits } = analysis;
  byId("keys").querySelector("dl").append(make("dt", "b d"), make("dd", "costly decision before, after"));
  byId("why-note").textContent =
    `Each option was played on ${games} times by built-in players, with everything dealt again that the player could not know. ` +
    `Lead: dollars more than the best other player at the end. Costly: in other games, half of them by other players, the best option has at least ${dollars(limits.lead)} more lead, ` +
    `or wins ${Math.round(limits.win * 100)} points more often, and that is no noise with ${limits.confidence * 100} % confidence; ± is a standard error. ` +
    "Chances are those of the table, with all hands known; by decisions means compared with the built-in players.";
  markWhy();
}
