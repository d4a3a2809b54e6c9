// How the game has ended for the person, why, and what can be done next.
/** @import { Analysis, RankedStep, Seat } from "../html/page_data.js" */
import { data, game, price, seats, sizes, steps, tables } from "../html/course.js";
import { hear } from "../html/hearing.js";
import { named, triedBefore } from "../html/sentences.js";
import { row } from "../html/tables.js";
import { byId, dollars, make, plural, whole } from "../html/text.js";
import { isOwnGame, standIns } from "./clock.js";
import { button } from "./controls.js";
import { seat } from "./draft.js";
import { record } from "./remembering.js";
import { endingFigures } from "./since.js";
import { ORDINALS } from "./words.js";

export const { retried } = data;

const PARTS = ["cash", "final bonuses", "certificates"];
// A score's cash, bonuses and certificates; nothing where they are hidden, or the stock market had its part in it.
/** @param {RankedStep} step */
function partsOf({ player, score }) {
  const table = tables[tables.length - 1], { cash = 0, bonus = [], shares = [] } = table.players[player];
  const held = sizes(table).map((size, hotel) => (size ? (shares[hotel] ?? 0) * price(hotel, size) : 0));
  const [bonuses, certificates] = [bonus, held].map((each) => each.reduce((sum, one) => sum + one, 0));
  return cash + bonuses + certificates === score ? [cash, bonuses, certificates] : null;
}

// Scores, and what they consist of.
/** @param {RankedStep[]} ranked */
function scoreTable(ranked) {
  const table = make("table"), head = make("thead"), body = make("tbody");
  const whole = ranked.every((step) => step.finished && partsOf(step));
  head.append(row("th", ["player", ...(whole ? PARTS : []), "score"]));
  for (const step of ranked) {
    const line = row("td", [`${step.rank}. `, ...(whole ? partsOf(step) ?? [] : []).map(dollars), make("b", dollars(step.score))]);
    line.cells[0].append(named(step.player));
    if (step.player === seat.me) line.className = "own";
    body.append(line);
  }
  for (const line of [...head.rows, ...body.rows]) line.cells[0].className = "who";
  table.append(head, body);
  return table;
}

// By how much the person is ahead of the best of the others, or behind, and what most of that is.
/** @param {RankedStep} own @param {RankedStep[]} ranked */
function margin(own, ranked) {
  const rival = ranked.find((step) => step !== own && step.finished);
  if (!rival || !own.finished) return "";
  const lead = own.score - rival.score, { name } = seats[rival.player], ours = partsOf(own), theirs = partsOf(rival);
  if (!lead) return `You and ${name} have the same score.`;
  const told = `You are ${dollars(Math.abs(lead))} ${lead > 0 ? "ahead of" : "behind"} ${name}`;
  if (!ours || !theirs) return `${told}.`;
  const parts = PARTS.map((what, place) => ({ what, more: (ours[place] - theirs[place]) * Math.sign(lead) })).sort((one, other) => other.more - one.more);
  const against = parts.filter(({ more }) => more < 0).map(({ what, more }) => `${dollars(-more)} less in ${what}`);
  const most = parts.filter(({ more }) => more > 0).map(({ what, more }) => `${dollars(more)} more in ${what}`), list = new Intl.ListFormat("en-GB");
  return `${told}, ${lead > 0 ? "with" : "who has"} ${list.format(most)}${against.length ? `, though ${list.format(against)}` : ""}.`;
}

// What mergers have paid the person and the best of the others during the game; nothing where cash is hidden.
/** @param {RankedStep} own @param {RankedStep[]} ranked */
function mergersPaid(own, ranked) {
  const rival = ranked.find((step) => step !== own && step.finished), end = steps.findIndex(({ kind }) => kind === "ended");
  /** @param {Seat} player */
  const paid = (player) => steps.slice(0, end).reduce((sum, step, place) => {
    if (step.kind !== "bonus" || step.player !== player) return sum;
    const [before, after] = [tables[place - 1], tables[place]].map(({ players }) => players[player].cash ?? NaN);
    return sum + after - before;
  }, 0);
  const [ours, theirs] = [paid(own.player), rival ? paid(rival.player) : NaN];
  if (end < 0 || !rival || Number.isNaN(ours) || Number.isNaN(theirs)) return "";
  return `Mergers paid you ${dollars(ours)} during the game, and ${seats[rival.player].name} ${dollars(theirs)}.`;
}

// What decided the game, found by playing its decisions on. That takes the whole machine for a while, so only if
// it is asked for; what was found stays while the page is drawn again.
const deciding = make("div");
/** @param {number} number */
function whatDecided(number) {
  if (!deciding.children.length) deciding.append(button("decided", "What decided it for me?", () => decide(number)));
  return deciding;
}

// The person's own costliest decision, once it is found, and a link to play it again.
/** @param {Analysis} found @param {Seat} player @param {number} number */
function costliest({ decisions, most_costly }, player, number) {
  const worst = (most_costly[player] ?? []).map((place) => decisions[place]).find(({ costly }) => costly);
  if (!worst?.cost) return [];
  const { turn, recorded, options, cost: { lead, win, reason } } = worst, lost = whole(lead.mean / 100) * 100;
  const more = [...(lost > 0 ? [`about ${dollars(lost)} more`] : []), ...((win.low ?? win.mean) > 0 ? [`a chance to win that is ${plural(whole(win.mean * 100), "percentage point")} higher`] : [])].join(", and ") || "a little more";
  const told = make("p", `Your costliest decision was in turn ${turn}: “${options[recorded].text}”. “${options[0].text}” would have brought you ${more}: it ${reason}.`);
  const from = new URLSearchParams({ game: String(number), turn: String(turn), name: game.seats[seat.me].name });
  return [told, ...(seat.over?.again ? [wayOn(`Retry turn ${turn}`, `again?${from}${triedBefore(worst)}`, "with planner on the other seats.")] : [])];
}

// The chance at the beginning, and the turn that changed it most as some games found; others give the figures.
/** @param {Analysis} found @param {Seat} player @param {number} decisive @param {HTMLAnchorElement} link */
function chanceWords({ chances }, player, decisive, link) {
  /** @param {number} turn */
  const chance = (turn) => chances.find((one) => one.turn === turn)?.win[player].mean;
  const winners = steps.flatMap((step) => (step.kind === "ranked" && step.rank === 1 ? [step.player] : [])), won = winners.includes(seat.me), told = make("p");
  const last = won ? 1 / winners.length : 0;
  const [first, before, after] = [chances[0].win[player].mean, chance(decisive) ?? 0, chance(decisive + 1) ?? last].map((one) => whole(one * 100));
  const mover = steps.find(({ kind, turn }) => kind === "turn" && turn === decisive)?.player, verb = won ? "helped" : "hurt";
  const whose = mover === undefined || mover === seat.me ? ["your own"] : ["that of ", named(mover)];
  const went = `your chance to win ${before === after ? `stayed at ${before} %` : `went from ${before} % to ${after} %`}. `;
  told.append(`Your chance to win was ${first} % as the game began. `);
  if (won ? after > before : after < before) told.append(`The turn that ${verb} you most was ${decisive}, `, ...whose, `, as some games found: in others ${went}`);
  else told.append(`No turn is known to have ${verb} you most: some games found ${decisive}, `, ...whose, `, but in others ${went}`);
  told.append(link, ".");
  return told;
}

/** @param {Analysis} found @param {number} number */
function drawDecided(found, number) {
  const player = found.names.indexOf(game.seats[seat.me].name), { decisions, of } = found.analysed, own = found.decided.find((one) => one.player === player);
  const costly = costliest(found, player, number), link = make("a", own && `Show turn ${own.turn}`);
  if (!own) return deciding.replaceChildren(...costly, make("p", `The game is being played on from each of its decisions, many times: ${decisions} of ${of} are done.`));
  link.href = `analysis?game=${number}#turn=${own.turn}`;
  link.target = "_blank";
  deciding.replaceChildren(...(costly.length ? costly : [make("p", "None of your decisions was found to be costly.")]), chanceWords(found, player, own.turn, link));
}

/** @param {number} number */
function decide(number) {
  /** @param {string} text */
  const say = (text) => deciding.replaceChildren(make("p", text));
  say("The game is being played on from each of its decisions, many times. This takes a minute or two.");
  const stop = hear(`analysis/events?game=${number}`, (/** @type {Analysis & { over?: string }} */ found) => {
    if (found.over === undefined) drawDecided(found, number);
    else stop();
  }, () => {
    stop();
    say("The analysis has ended before it found what decided the game.");
  });
}

/** @param {string} text @param {string} href @param {string} why */
function wayOn(text, href, why) {
  const line = make("p"), link = make("a", text, "button");
  link.href = href;
  if (/^(replay|analysis)/.test(href)) link.target = "_blank"; // the game ends with this page
  line.append(link, ` ${why}`);
  return line;
}

// The lobby is at another port of the same host.
/** @param {string} path */
export function inLobby(path) {
  const there = new URL(path, location.href);
  there.port = String(data.lobby);
  return there.href;
}
export const matchLink = () => inLobby(`/player/${encodeURIComponent(game.seats[seat.me].name)}`);

export function drawOutcome() {
  const ranked = steps.filter((step) => step.kind === "ranked"), part = byId("result"), { over } = seat;
  byId("move").hidden = Boolean(over);
  part.hidden = !over;
  if (!over) return;
  if (byId("intro").open) byId("intro").close();
  const own = ranked.find((step) => step.player === seat.me), tied = ranked.some((step) => step !== own && step.rank === own?.rank);
  /** @type {Node[]} */
  const made = [make("h2", own ? `${own.rank === 1 && !tied && !standIns() ? "You win! " : ""}${standIns() ? "Your seat is" : "You are"} ${tied ? "tied " : ""}${ORDINALS[own.rank - 1]} of ${ranked.length}.` : "You are out of the game.")];
  if (standIns()) made.push(make("p", `${standIns()}, while your time was out or your page was closed.`));
  if (over.text) made.push(make("p", over.text));
  const why = steps.find((step) => step.kind === "ended");
  if (why) made.push(make("p", `${why.text} ${endingFigures(tables[tables.length - 1])}`));
  if (own) made.push(make("p", [margin(own, ranked), mergersPaid(own, ranked)].filter(Boolean).join(" ")));
  if (ranked.length) made.push(scoreTable(ranked));
  if (own && over.again && !retried && isOwnGame()) made.push(make("p", record(own, over.game ?? 0)));
  if (retried) made.push(make("p", retried.first), wayOn("Back to the analysis", `analysis?game=${retried.game}`, `of the game from which turn ${retried.turn} was retried.`));
  if (over.again) made.push(wayOn(retried ? "New game" : "Rematch", "again", retried ? "from its beginning." : `against ${new Intl.ListFormat("en-GB").format(seats.filter((_, place) => place !== seat.me).map(({ name }) => name))}.`));
  const other = own && !retried ? over.levels?.find((level) => level === (own.rank > 1 ? "easier" : "harder")) : undefined;
  if (other) made.push(wayOn(other === "easier" ? "Easier game" : "Harder game", `again?level=${other}`, `against ${other === "easier" ? "weaker" : "stronger"} built-in players.`));
  if (own && over.again && over.replay) {
    const [of, turn] = retried ? [retried.game, retried.turn] : [over.game, 1], from = { game: String(of), turn: String(turn), name: game.seats[seat.me].name };
    made.push(wayOn(retried ? `Turn ${turn} again` : "Same tiles again", `again?${new URLSearchParams(from)}`, `with planner on the other seats: can you get more than ${dollars(own.score)}?`));
  }
  if (over.replay) {
    const earlier = Array.from({ length: (over.game ?? 1) - 1 }, (_, place) => place + 1);
    if (earlier.length) {
      const line = make("p", "Replays of your earlier games here: ");
      for (const number of earlier) {
        const link = make("a", String(number));
        link.href = `replay?game=${number}`;
        link.target = "_blank";
        line.append(link, number === earlier.length ? "." : ", ");
      }
      made.push(line);
    }
    made.push(wayOn("Analyse", `analysis?game=${over.game}`, "what every decision was worth, as it is found."), wayOn("Watch the replay", `replay?game=${over.game}`, ""), make("p", "Analysis and replay open in a new tab, while this page is open.", "note"));
  }
  if (own && over.game) made.push(whatDecided(over.game)); // last, as it grows
  if (data.lobby) made.push(wayOn("Take another seat", "/", ""), wayOn(ranked.length ? "Watch the replay" : "Watch the game", matchLink(), ""), wayOn("Lobby", inLobby("/"), ""));
  part.replaceChildren(...made);
}
