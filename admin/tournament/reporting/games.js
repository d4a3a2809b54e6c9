// The games of a report, filtered by player and verdict.
/** @import { GameRow, ReportPage, SeatResult } from "../../pages/html/page_data.js" */
import { byId, make } from "../../pages/html/text.js";

const STEP = 200;
const PLACES = ["", "1st", "2nd", "3rd", "4th", "5th", "6th"];
/** @type {ReportPage} */
const data = JSON.parse(byId("data").textContent);
const byPlayer = byId("by-player"), byVerdict = byId("by-verdict");
const body = byId("games-table").tBodies[0];
const seatColumns = (byId("games-table").tHead?.rows[0].cells.length ?? 0) - (data.duplicate ? 4 : 3);
/** @param {number} number */
const count = (number) => number.toLocaleString("en-US");
// The games that are wanted, and how many of them are shown.
/** @type {GameRow[]} */
let chosen = [];
let shown = 0;

/** @param {SeatResult | undefined} seat */
const seatCell = (seat) => {
  const cell = make("td", undefined, "seat");
  if (!seat) return cell;
  const [player, verdict, rank, money, turn, detail] = seat;
  const name = make("a");
  name.href = data.pages[player];
  name.append(make("bdi", data.players[player]));
  cell.append(name);
  if (verdict === 0) {
    if (rank === 1) cell.classList.add("won");
    cell.append(make("small", `${PLACES[rank]} · $${count(money)}`));
  } else {
    const when = turn === null || turn === undefined ? "" : turn === 0 ? " during set-up" : ` in turn ${turn}`;
    cell.append(make("small", data.verdicts[verdict] + when, "lost"));
    if (detail) {
      const words = make("small");
      words.append(make("bdi", detail));
      cell.append(words);
    }
  }
  if (byPlayer.value !== "" && player === Number(byPlayer.value)) cell.classList.add("chosen");
  return cell;
};

/** @param {GameRow} game */
const row = ([game, ending, turns, outOfStep, seats, alarms]) => {
  const line = make("tr"), head = make("th", undefined, "text");
  head.scope = "row";
  if (data.logs === null) {
    head.textContent = game;
  } else {
    const link = make("a", game), log = make("a", "log", "log");
    link.href = `${data.replays}/${game}.html`;
    log.href = `${data.logs}/${game}.xml.gz`;
    log.setAttribute("aria-label", `log of ${game}`);
    head.append(link, " ", log);
  }
  if (alarms) {
    const mark = make("a", alarms === 1 ? "1 alarm" : `${alarms} alarms`, "alarm");
    mark.href = "index.html#alarms";
    head.append(" ", mark);
  }
  line.append(head);
  for (let seat = 0; seat < seatColumns; seat++) line.append(seatCell(seats[seat]));
  line.append(make("td", ending, "text"), make("td", turns));
  if (data.duplicate) {
    line.append(make("td", outOfStep === null ? "–" : outOfStep === 0 ? "set-up" : `turn ${outOfStep}`));
  }
  return line;
};

const showMore = () => {
  body.append(...chosen.slice(shown, shown + STEP).map(row));
  shown = Math.min(chosen.length, shown + STEP);
  byId("shown").textContent = chosen.length === 0 ? "No matching games."
    : `${count(shown)} of ${count(chosen.length)} ${chosen.length === 1 ? "game" : "games"} shown.`;
  byId("more").hidden = shown === chosen.length;
};

const choose = () => {
  const player = byPlayer.value === "" ? null : Number(byPlayer.value);
  const wanted = byVerdict.value;
  /** @param {number} verdict */
  const meant = (verdict) => wanted === "" || (wanted === "lost" ? verdict !== 0 : data.verdicts[verdict] === wanted);
  chosen = data.games.filter((game) => game[4].some((seat) =>
    (player === null || seat[0] === player) && meant(seat[1])));
  shown = 0;
  body.replaceChildren();
  showMore();
};

const readAddress = () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  const filtered = asked.has("player") || asked.has("verdict");
  if (!filtered && body.rows.length) return;
  const at = data.players.indexOf(asked.get("player") ?? "");
  byPlayer.value = at < 0 ? "" : String(at);
  byVerdict.value = asked.get("verdict") ?? "";
  if (byVerdict.selectedIndex < 0) byVerdict.value = "";
  choose();
  if (filtered) byId("filter").scrollIntoView();
};

const writeAddress = () => {
  const parts = [];
  if (byPlayer.value !== "") parts.push(`player=${encodeURIComponent(data.players[Number(byPlayer.value)])}`);
  if (byVerdict.value !== "") parts.push(`verdict=${byVerdict.value}`);
  history.replaceState(null, "", `#${parts.join("&") || "games"}`);
  choose();
};

byId("filter").hidden = byId("games-table").hidden = false;
byId("filter").addEventListener("change", writeAddress);
byId("filter").addEventListener("submit", (event) => event.preventDefault());
byId("more").addEventListener("click", showMore);
window.addEventListener("hashchange", readAddress);
readAddress();
