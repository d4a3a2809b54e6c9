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

// Who has the majority or minority of an acquired hotel, by seat, and at the end the stock market: once the
// acquisition is announced and the market has drawn, and if all certificates are known.
function majorities(hotel, before, market) {
  const held = before.players.map((has, place) => (has.out ? 0 : sees("shares", place, has) ? has.shares[hotel] : null));
  held.push(match.market ? market : 0);
  if (held.includes(null)) return [];
  return held.map((count) => {
    const ahead = held.filter((other) => other > count).length, tied = held.filter((other) => other === count).length;
    if (!count || ahead >= match.bonuses) return "";
    return `${tied > 1 ? "shared " : ""}${["majority", "minority"][ahead] ?? `place ${ahead + 1}`}`;
  });
}

function holder(name, hotel, seat, majority) {
  if (!majority) return name;
  const badge = make("span", majority, "badge");
  badge.dataset.key = `${hotel} ${seat}`;
  name.append(" ", badge);
  return name;
}

function settlement(hotel, from) {
  let joined = from + 1;
  while (sizes(tables[joined])[hotel]) joined += 1;
  const before = tables[joined - 1], paid = {};
  const announced = steps.slice(from, at + 1).some((step) => step.kind === "acquired" && step.hotel === hotel);
  let market = null;
  for (let place = joined; place <= at; place += 1) {
    const step = steps[place];
    if (step.hotel !== hotel) continue;
    market = step.count ?? market;
    if (!["bonus", "sold", "returned", "traded"].includes(step.kind)) continue;
    const was = tables[place - 1].players[step.player], is = tables[place].players[step.player];
    const known = sees(step.kind === "bonus" ? "cash" : "shares", step.player, was);
    const figure = !known ? "yes" : step.kind === "bonus" ? dollars(is.cash - was.cash) : was.shares[hotel] - is.shares[hotel];
    (paid[step.player] ??= {})[step.kind] = figure;
  }
  return { before, size: sizes(before)[hotel], paid, market, majority: announced ? majorities(hotel, before, market) : [] };
}

function mergerTable(hotel, from) {
  const { before, size, paid, market, majority } = settlement(hotel, from);
  const body = make("tbody"), head = make("thead"), table = make("table");
  const caption = make("caption");
  const survivor = tables[at].board[tables[from].board.indexOf(hotel)];
  caption.append(chip(survivor), ` ${match.hotels[survivor].name} acquires `, chip(hotel), ` ${match.hotels[hotel].name}: ${size} tiles at ${dollars(price(hotel, size))}`);
  head.append(row("th", ["holder", "had", "bonus", ...(match.trades ? ["sold", "traded"] : ["returned"]), "holds"]));
  head.firstChild.firstChild.className = "who";
  match.seats.forEach((seat, place) => {
    const had = before.players[place], now = tables[at].players[place], got = paid[place] ?? {};
    if (had.out || (sees("shares", place, had) && !had.shares[hotel] && !paid[place])) return;
    const count = (has) => (has.out ? "·" : sees("shares", place, has) ? has.shares[hotel] || "·" : "?");
    const line = row("td", [holder(named(place), hotel, place, majority[place]), count(had), got.bonus ?? "·", got.sold ?? got.returned ?? "·", ...(match.trades ? [got.traded ?? "·"] : []), count(now)]);
    line.firstChild.className = "who";
    if (steps[at].hotel === hotel && steps[at].player === place && got[steps[at].kind] !== undefined) line.className = "now";
    body.append(line);
  });
  if (market) {
    const line = row("td", [holder(make("span", "stock market"), hotel, "market", majority[match.seats.length]), market, "·", "·", ...(match.trades ? ["·"] : []), "·"]);
    line.firstChild.className = "who";
    if (steps[at].kind === "market" && steps[at].hotel === hotel) line.className = "now";
    body.append(line);
  }
  table.append(caption);
  if (!body.children.length) return [table, make("p", "Nobody holds its certificates.", "note")];
  table.append(head, body);
  return [table];
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
