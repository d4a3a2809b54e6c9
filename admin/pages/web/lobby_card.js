// A match in the lobby: a small board, and its players with what they are worth.
const SVG = "http://www.w3.org/2000/svg";
const COLUMNS = 12, CELLS = 108, LOOSE = 8;
const square = (cell, gap) => `M${(cell % COLUMNS) + gap} ${Math.floor(cell / COLUMNS) + gap}h${1 - 2 * gap}v${1 - 2 * gap}h${2 * gap - 1}z`;
const EMPTY = Array.from({ length: CELLS }, (_, cell) => square(cell, 0.04)).join("");
const dollars = (amount) => `$${amount.toLocaleString("en")}`;

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

const path = (kind, d = "") => shape("path", { class: kind, d });

// All tiles of one hotel are one path with one letter, so that a hundred boards are few elements.
function board() {
  const made = shape("svg", { viewBox: "0 0 12 9", role: "img" }), paths = new Map(), halo = path("halo"), last = path("last");
  const names = shape("g", { "text-anchor": "middle" });
  made.append(path("empty", EMPTY), halo, last, names);
  const draw = (digits, cell, letters) => {
    const wanted = new Map();
    [...digits].forEach((digit, place) => digit !== "0" && wanted.set(digit, (wanted.get(digit) ?? "") + square(place, 0)));
    for (const digit of new Set([...paths.keys(), ...wanted.keys()])) {
      if (!paths.has(digit)) {
        paths.set(digit, path(`cell-${digit}`));
        halo.before(paths.get(digit));
      }
      const d = wanted.get(digit) ?? "";
      if (paths.get(digit).getAttribute("d") !== d) paths.get(digit).setAttribute("d", d);
    }
    for (const ring of [halo, last]) ring.setAttribute("d", cell === null ? "" : square(cell, 0.06));
    const tiles = [...digits].filter((digit) => digit !== "0").length;
    const hotels = [...wanted.keys()].filter((digit) => Number(digit) < LOOSE);
    names.replaceChildren(...hotels.map((digit) => {
      const first = digits.indexOf(digit);
      const name = shape("text", { class: `letter-${digit}`, x: (first % COLUMNS) + 0.5, y: Math.floor(first / COLUMNS) + 0.8 });
      name.textContent = letters[digit - 1];
      return name;
    }));
    made.setAttribute("aria-label", `Board: ${plural(tiles, "tile")}, ${plural(hotels.length, "hotel")}`);
  };
  return { made, draw };
}

// Each result is rank, name, score, and whether the player finished.
function standing(match) {
  const seatOf = new Map(match.players.map((name, place) => [name, place]));
  if (match.results.length)
    return match.results.map(([rank, name, score, finished]) => ({ seat: seatOf.get(name), rank, what: finished ? dollars(score) : "ejected" }));
  const worth = (place) => (typeof match.worths[place] === "number" ? match.worths[place] : -1);
  const seats = match.players.map((_, place) => place).sort((one, other) => worth(other) - worth(one) || one - other);
  return seats.map((seat) => ({ seat, rank: 0, what: worth(seat) < 0 ? (match.worths[seat] === "out" ? "ejected" : "") : dollars(worth(seat)) }));
}

function playerLine(match, { seat, rank, what }) {
  const line = make("li"), chip = make("span", seat + 1, "seat"), name = make("bdi", match.players[seat], "name");
  chip.style.background = `var(--seat-${seat % 6})`;
  chip.setAttribute("aria-hidden", "true");
  name.title = match.players[seat];
  line.append(...(rank ? [make("span", `${rank}.`, "rank")] : []), chip, name, " ", make("span", what, what === "ejected" ? "worth out" : "worth"));
  return line;
}

// A match keeps its card while it is shown: a reader may be about to click it.
function card(match) {
  const line = make("li"), text = make("div"), head = make("h3"), link = make("a", match.title);
  const how = make("p", undefined, "how"), players = make("ol"), { made, draw } = board();
  link.href = `/match/${encodeURIComponent(match.id)}`;
  head.append(link);
  text.append(head, how, players);
  line.append(made, text);
  let standings = "";
  const show = (now) => {
    line.className = now.state;
    how.textContent = now.state === "live" ? (now.turn ? `turn ${now.turn}` : "setting up") : now.ending;
    draw(now.board, now.last, now.letters);
    const places = standing(now), key = JSON.stringify(places);
    if (key !== standings) players.replaceChildren(...places.map((place) => playerLine(now, place)));
    standings = key;
  };
  return { line, link, show };
}
