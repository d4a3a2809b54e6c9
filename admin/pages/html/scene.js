// -- the scene ------------------------------------------------------------------------------------
// A step forward moves: the tile drops, its hotel's color spreads, badges appear, money travels. What is
// drawn is always the picture after it, so a scene can be cut at any moment, and left out where motion is
// not wanted.
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
let moves = [], shown = null, badgesShown = new Set();

// In milliseconds; playing leaves each step less time, and at last none.
function sceneTime() {
  const time = timer === null ? 900 : Math.min(900, 0.85 * Number(byId("speed").value));
  return stillness.matches || time < 200 ? 0 : time;
}

function move(element, frames, timing) {
  moves.push(element.animate(frames, { fill: "backwards", easing: "ease-out", ...timing }));
}

function endScene() {
  moves.forEach((each) => each.cancel());
  moves = [];
  byId("flying").replaceChildren();
}

function placedSince(from) {
  for (let place = at; place > from; place -= 1)
    if (TILES.has(steps[place].kind) && steps[place].board?.some(([cell]) => cell === steps[place].tile)) return steps[place].tile;
  return null;
}

// The tile drops first; then each tile changes its color the later the farther it is away.
function spread(from, time) {
  const tile = placedSince(from), before = tables[from].board, now = tables[at].board;
  if (tile === null || [ASIDE, FREE].includes(now[tile])) return;
  const away = (cell) => Math.abs((cell % COLUMNS) - (tile % COLUMNS)) + Math.abs(Math.floor(cell / COLUMNS) - Math.floor(tile / COLUMNS));
  const joined = now.flatMap((what, cell) => (cell !== tile && match.hotels[what] && what !== before[cell] ? [cell] : []));
  const farthest = Math.max(1, ...joined.map(away));
  for (const part of Object.values(cells[tile]))
    move(part, [{ transform: `translateY(-${CELL}px)`, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 0.35 * time, easing: "cubic-bezier(0.5, 0, 0.6, 1.3)" });
  for (const ring of byId("marks").querySelectorAll(".halo, .ring")) move(ring, [{ opacity: 0 }, { opacity: 1 }], { delay: 0.3 * time, duration: 0.1 * time });
  for (const cell of joined) {
    const timing = { delay: time * (0.3 + (0.4 * away(cell)) / farthest), duration: 0.3 * time }, { square, text } = cells[cell];
    move(square, [{ fill: fillOf(before[cell]) }, { fill: fillOf(now[cell]) }], timing);
    move(text, [{ opacity: 0 }, { opacity: 1 }], timing);
  }
}

const badges = () => [...byId("merger").querySelectorAll(".badge")];

function popBadges(time) {
  for (const badge of badges())
    if (!badgesShown.has(badge.dataset.key)) move(badge, [{ transform: "scale(0)" }, { transform: "scale(1.25)", offset: 0.7 }, { transform: "none" }], { duration: 0.5 * time });
}

// What a player's cash has gained or lost in this step stands beside the name.
function showGains() {
  if (!at) return;
  match.seats.forEach((_, place) => {
    const was = tables[at - 1].players[place], is = tables[at].players[place];
    if (is.out || !sees("cash", place, was) || !sees("cash", place, is) || was.cash === is.cash) return;
    const gain = make("span", `${is.cash > was.cash ? "+" : "−"}${dollars(Math.abs(is.cash - was.cash))}`, "gain");
    gain.dataset.player = place;
    byId("players").tBodies[place].querySelector(".hand").before(gain);
  });
}

// What the bank pays in a merger flies from the acquired hotel to the player, or to the player's line in
// the merger if the table of players is not on the screen.
function payOut(time) {
  const { kind, player, hotel } = steps[at];
  const gain = byId("players").querySelector(`.gain[data-player="${player}"]`), line = byId("merger").querySelector("tr.now");
  if (!["bonus", "sold", "returned"].includes(kind) || !gain || !line) return;
  const isSeen = ({ top, bottom }) => top >= 0 && bottom <= innerHeight;
  const from = line.closest("table").querySelector(`caption .chip[data-hotel="${hotel}"]`).getBoundingClientRect();
  const to = [gain, line].map((element) => element.getBoundingClientRect()).find(isSeen);
  if (!to || !isSeen(from)) return;
  const flying = make("span", gain.textContent, "gain");
  byId("flying").append(flying);
  const at_ = ({ left, top }, size) => ({ transform: `translate(${left}px, ${top}px) scale(${size})` });
  move(flying, [{ ...at_(from, 1), opacity: 0 }, { ...at_(from, 1.3), opacity: 1, offset: 0.2 }, { ...at_(to, 1), opacity: 1 }], { duration: 0.8 * time, easing: "ease-in-out", fill: "both" });
  moves[moves.length - 1].onfinish = () => flying.remove();
  move(gain, [{ opacity: 0 }, { opacity: 1 }], { delay: 0.75 * time, duration: 0.15 * time });
}

// Called when the step is drawn. Far jumps, steps back and dragging along the plot are still.
function playScene() {
  const from = shown, time = sceneTime();
  if (from === at) return;
  endScene();
  shown = at;
  showGains();
  const isNext = from !== null && from < at && steps[at].turn - steps[from].turn <= 1 && !byId("plot").matches(":active");
  if (isNext && time) {
    spread(from, time);
    popBadges(time);
    if (at === from + 1) payOut(time);
  }
  badgesShown = new Set(badges().map((badge) => badge.dataset.key));
}
