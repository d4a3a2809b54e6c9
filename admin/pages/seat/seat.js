// The page of a person's seat: draws what the wire brings, and sends the draft.
const currentMerger = () => null;
let byKey = false; // whether the focus shall be where the next choice is
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

function listStep(step) {
  const line = make("li", undefined, step.kind === "turn" ? "turn" : step.player === me ? "own" : undefined);
  writeSentence(line, step);
  byId("events").append(line);
}

function refuse(text) {
  byId("refusal").hidden = !text;
  byId("refusal").textContent = text;
}

// -- drawing --------------------------------------------------------------------------------------
// The board as it would be after the draft; or as it is after one's own merging tile, of which the wire
// says nothing before the merger is settled.
function preview() {
  const table = tables[at], option = optionNow();
  if (isMerging()) return merging.after(table);
  if (!option && draft.cell == null) return table;
  const board = table.board.slice();
  if (option) for (const [cell, what] of option.board) board[cell] = what;
  return { ...table, board };
}

let merging = null;
const isMerging = () => merging !== null && steps[at].turn === merging.turn && tables[at].board[merging.cell] === FREE;

function noteMerger(option) {
  const { cell } = draft, { turn } = steps[at];
  const after = (table) => {
    const board = table.board.slice(), players = table.players.slice(), own = players[me];
    for (const [place, what] of option.board) board[place] = what;
    if (own.hand) players[me] = { ...own, hand: own.hand.filter((tile) => tile !== cell) };
    return { ...table, board, players };
  };
  merging = { cell, turn, after };
}

// Tiles that others have placed since one's own last turn, each with its player.
function placedSince() {
  const found = [];
  for (let back = at; back >= 0; back -= 1) {
    const { kind, tile, player } = steps[back];
    if (!TILES.has(kind) || tile === undefined) continue;
    if (player === me) break;
    found.push([tile, player]);
  }
  return found;
}

function drawOwnTiles() {
  const mine = new Set(question?.kind === "turn" ? question.tiles.map((tile) => tile.cell) : []), marks = byId("marks");
  cells.forEach(({ square }, cell) => {
    square.classList.toggle("mine", mine.has(cell) && cell !== draft.cell);
    if (mine.has(cell) && cell !== draft.cell) square.style.fill = "";
  });
  for (const [tile, player] of placedSince()) {
    const ring = frame(tile, "since", 1);
    if (player !== undefined) ring.style.stroke = seatColor(player);
    marks.append(frame(tile, "halo", 1), ring);
  }
  const chosen = isMerging() ? merging.cell : draft.cell;
  if (chosen != null) marks.append(frame(chosen, "halo", 1), frame(chosen, "chosen", 1));
  if (question?.kind === "turn") for (const { cell } of question.tiles.filter((tile) => !tile.options)) {
    const { x, y } = corner(cell);
    marks.append(shape("text", { class: "barred", x: x + CELL - 5, y: y + 11, "text-anchor": "end" }, "✕"));
  }
}

function markOwnRow() {
  const name = byId("players").tBodies[me]?.querySelector(".name");
  name?.after(make("span", "you", "you"));
}

// Controls are made anew; the one with the focus keeps it.
function drawPanel() {
  const focused = document.activeElement?.dataset?.key, asked = Boolean(question) && !sending;
  byId("move").classList.toggle("asked", asked);
  byId("task").textContent = task();
  if (!question && !over) byId("task").replaceChildren(...waitingFor());
  byId("choices").replaceChildren(...panel());
  byId("send-part").hidden = !question;
  if (question) {
    byId("send").disabled = sending || !isReady();
    byId("send").textContent = isToldOnly() ? "Continue" : "Send";
    byId("suggest").hidden = byId("undo").hidden = isToldOnly();
    byId("undo").disabled = sending || isEmpty();
    byId("summary").textContent = isReady() ? summary() : "";
  }
  drawHints();
  drawAdvice();
  const again = focused && byId("move").querySelector(`[data-key="${focused}"]`);
  if (again && !again.disabled) again.focus({ preventScroll: true });
  else if (focused) (byId("move").querySelector("#send:not(:disabled), #choices button:not(:disabled)") ?? byId("events")).focus({ preventScroll: true });
}

// Scores, and what they consist of where nothing is hidden.
function scoreTable(ranked) {
  const table = make("table"), head = make("thead"), body = make("tbody");
  const whole = ranked.every((step) => step.made);
  head.append(row("th", ["player", ...(whole ? ["cash", "bonuses", "certificates"] : []), "score"]));
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, ...(whole ? step.made.map(dollars) : []), make("b", dollars(step.score))]);
    line.firstChild.append(make("bdi", match.seats[step.player].name));
    if (step.player === me) line.className = "own";
    body.append(line);
  }
  for (const line of [head.firstChild, ...body.children]) line.firstChild.className = "who";
  table.append(head, body);
  return table;
}

function drawResult() {
  const ranked = steps.filter((step) => step.kind === "ranked"), part = byId("result");
  byId("move").hidden = Boolean(over);
  part.hidden = !over;
  if (!over) return;
  if (byId("intro").open) byId("intro").close();
  const own = ranked.find((step) => step.player === me), tied = ranked.some((step) => step !== own && step.rank === own?.rank);
  const made = [make("h2", own ? `You are ${tied ? "tied " : ""}${ORDINALS[own.rank - 1]} of ${ranked.length}.` : "The match has ended.")];
  if (over.text) made.push(make("p", over.text));
  const why = steps.find((step) => step.kind === "ended");
  if (why) made.push(make("p", why.text));
  if (ranked.length) made.push(scoreTable(ranked));
  if (over.replay) {
    const link = make("a", "Watch the replay"), command = make("p", undefined, "note");
    Object.assign(link, { href: "replay", target: "_blank" }); // the match ends with this page
    command.append(link, " in a new tab, while this page is open, or in a terminal: ", make("code", over.replay));
    made.push(command, make("p", "For another match run acquire play --browser again.", "note"));
  }
  part.replaceChildren(...made);
}

function headline() {
  const result = steps.find((step) => step.kind === "result");
  if (result) return result;
  const told = steps.filter((step) => !["turn", "hand"].includes(step.kind) && step.text);
  const since = told.slice(told.findLastIndex((step) => step.player === me && TILES.has(step.kind)) + 1);
  const event = since.findLast((step) => EVENTS.has(step.kind) || step.kind === "acquiring"); // rather than a purchase after it
  if (event) return event;
  return told[told.length - 1] ?? steps[at];
}

function drawAll() {
  if (!steps.length) return;
  at = steps.length - 1;
  writeSentence(byId("sentence"), headline());
  drawBoard(preview());
  drawOwnTiles();
  drawPlayers(isMerging() ? merging.after(tables[at]) : tables[at]);
  markOwnRow();
  drawHotels(tables[at]);
  drawPanel();
  drawResult();
  byId("facts").textContent = `rulebook ${match.rulebook} · turn ${steps[at].turn} · ${plural(tables[at].bag, "tile")} in the bag`;
  document.title = question ? "Your move – Acquire" : "Acquire – your seat";
}

// -- the wire -------------------------------------------------------------------------------------
async function send(event) {
  event.preventDefault();
  if (!question || sending || !isReady()) return;
  sending = true;
  const asked = question.id, answer = asAnswer(), option = optionNow();
  if (question.kind === "turn" && option && !option.purchase) noteMerger(option);
  drawPanel();
  try {
    const response = await fetch("answer", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(answer) });
    if (!response.ok) {
      merging = null;
      refuse(await response.text());
    }
  } catch {
    merging = null;
    refuse("The answer could not be sent. Is acquire play still running?");
  }
  sending = false;
  if (question?.id === asked) drawPanel();
}

function notice(text) {
  if (byId("notice").textContent === text) return;
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

function take(update) {
  if (update.from === 0 && steps.length) {
    steps.length = tables.length = 0;
    byId("events").replaceChildren();
  }
  addSteps(update.frames);
  const isNew = update.question?.id !== question?.id, focused = document.activeElement === document.body || byId("move").contains(document.activeElement);
  over = update.over;
  question = update.question;
  if (isNew) {
    draft = emptyDraft();
    advice = null;
    settle();
    sending = false;
    refuse("");
  }
  drawAll();
  if (!byId("events").matches(":hover, :focus")) byId("events").scrollTop = byId("events").scrollHeight;
  if (isNew && question && focused && byKey) byId("choices").querySelector("button:not(:disabled), input")?.focus({ preventScroll: true });
}

function begin() {
  byId("view").value = String(me); // whose hand the board shows
  layBoard();
  cells.forEach(({ square }, cell) => square.addEventListener("click", () => chooseTile(cell)));
  byId("move").addEventListener("submit", send);
  byId("undo").addEventListener("click", undo);
  document.addEventListener("pointerdown", () => { byKey = false; });
  document.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Escape" && !byId("intro").open && question && !sending && !isEmpty()) undo();
  });
  openGuide();
  const source = new EventSource("events");
  source.onmessage = (message) => {
    notice("");
    take(JSON.parse(message.data));
    if (over) source.onerror = () => source.close();
  };
  source.onerror = () => notice("The connection to acquire play is lost. Is it still running?");
}

draft = emptyDraft();
begin();
