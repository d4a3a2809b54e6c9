// -- the merger at this step -----------------------------------------------------------------------
// The merger of this turn so far, if there is one: its first step, and the acquired hotels.
function currentMerger() {
  let from = at, joined = false;
  for (; from > 0 && steps[from].kind !== "turn"; from -= 1) {
    if (["undone", "ended"].includes(steps[from].kind)) return null;
    joined ||= steps[from].kind === "merged" || steps[from].kind === "acquired";
  }
  return joined ? { from, acquired: acquiredSince(from) } : null;
}

// The hotels that have left the board since, in the order of acquisition.
function acquiredSince(from) {
  const announced = steps.slice(from, at + 1).filter((step) => step.kind === "acquired").map((step) => step.hotel);
  const before = sizes(tables[from]), now = sizes(tables[at]);
  const gone = before.flatMap((size, hotel) => (size && !now[hotel] ? [hotel] : []));
  return [...new Set([...announced, ...gone])];
}

function settlement(hotel, from) {
  let joined = from + 1;
  while (sizes(tables[joined])[hotel]) joined += 1;
  const before = tables[joined - 1], paid = {}, notes = [];
  for (let place = joined; place <= at; place += 1) {
    const step = steps[place];
    if (step.hotel !== hotel) continue;
    if (step.kind === "market") notes.push(step.text);
    if (!["bonus", "sold", "returned", "traded"].includes(step.kind)) continue;
    const was = tables[place - 1].players[step.player], is = tables[place].players[step.player];
    const known = sees(step.kind === "bonus" ? "cash" : "shares", step.player, was);
    const figure = !known ? "yes" : step.kind === "bonus" ? dollars(is.cash - was.cash) : was.shares[hotel] - is.shares[hotel];
    (paid[step.player] ??= {})[step.kind] = figure;
  }
  return { before, size: sizes(before)[hotel], paid, notes };
}

function mergerTable(hotel, from) {
  const { before, size, paid, notes } = settlement(hotel, from);
  const body = make("tbody"), head = make("thead"), table = make("table");
  const caption = make("caption");
  const survivor = tables[at].board[tables[from].board.indexOf(hotel)];
  caption.append(chip(survivor), ` ${match.hotels[survivor].name} acquires `, chip(hotel), ` ${match.hotels[hotel].name}: ${size} tiles at ${dollars(price(hotel, size))}`);
  head.append(row("th", ["holder", "had", "bonus", "sold", "traded", "holds"]));
  head.firstChild.firstChild.className = "who";
  match.seats.forEach((seat, place) => {
    const had = before.players[place], now = tables[at].players[place], got = paid[place] ?? {};
    if (had.out || (sees("shares", place, had) && !had.shares[hotel] && !paid[place])) return;
    const count = (has) => (has.out ? "·" : sees("shares", place, has) ? has.shares[hotel] || "·" : "?");
    const line = row("td", [named(place), count(had), got.bonus ?? "·", got.sold ?? got.returned ?? "·", got.traded ?? "·", count(now)]);
    line.firstChild.className = "who";
    if (steps[at].hotel === hotel && steps[at].player === place && got[steps[at].kind] !== undefined) line.className = "now";
    body.append(line);
  });
  if (!body.children.length) notes.push("Nobody holds its certificates.");
  else table.append(head, body);
  table.prepend(caption);
  return [table, ...notes.map((note) => make("p", note, "note"))];
}

function scoreTable() {
  const ranked = steps.slice(0, at + 1).filter((step) => step.kind === "ranked");
  const table = make("table"), head = make("thead"), body = make("tbody");
  head.append(row("th", ["player", "score"]));
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, step.finished ? dollars(step.score) : "ejected"]);
    line.firstChild.append(named(step.player));
    body.append(line);
  }
  for (const line of [head.firstChild, ...body.children]) line.firstChild.className = "who";
  table.append(head, body);
  return ranked.length ? [table] : [];
}

function drawMerger() {
  const merger = currentMerger(), part = byId("merger"), head = make("h2");
  if (merger) {
    const joining = steps.slice(merger.from, at + 1).find((step) => step.kind === "merged");
    head.textContent = joining ? `Merger by ${cellName(joining.tile)}` : "Merger";
    part.replaceChildren(head, ...merger.acquired.flatMap((hotel) => mergerTable(hotel, merger.from)));
  } else {
    head.textContent = "Standings";
    const scores = resultShown() ? [] : scoreTable();
    part.replaceChildren(...(scores.length ? [head, ...scores] : []));
  }
  part.querySelectorAll("td").forEach((made) => made.textContent === "·" && made.classList.add("zero"));
  part.hidden = !part.children.length;
}
