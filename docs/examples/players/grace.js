// Grace looks for majorities: an example player, Node's built-in modules only.
// Usage: node grace.js HOST PORT NAME
//
// To make a player of your own, change the idea, at the end: all it chooses among is legal.
// Messages and rules are those of docs/protocol.md, rulebook `revised`.
// Exit codes: 0 the score has come; 1 ejected or disconnected, why is said on standard error;
// 2 not called as above.
"use strict";
const net = require("node:net");

const CHEAP = ["Sackson", "Worldwide"], DEAR = ["Continental", "Tower"];
const HOTELS = [...CHEAP, "American", "Festival", "Imperial", ...DEAR];
const STEPS = [2, 3, 4, 5, 6, 11, 21, 31, 41]; // at each of these sizes the price rises by $100
const ROWS = "ABCDEFGHI", COLUMNS = 12;
const CERTIFICATES = 25, SAFE = 12, AT_MOST = 2; // of a hotel; tiles; bought in a turn
const LOOSE = ""; // what the board says of the cell of an unincorporated tile

// The conversation -------------------------------------------------------------------------------
// Play one match; resolves to the score, or is rejected with an Error that says why there is none.
async function play(socket, name) {
  let board; // kept from `turn`: after a merger only the players are told
  socket.write(`<signup name="${escaped(name)}"/>`);
  for await (const said of elements(socket)) {
    switch (said.tag) {
      case "signup":
        if ((said.attributes.rulebook ?? "revised") !== "revised")
          throw new Error(`Grace does not know the rulebook ${said.attributes.rulebook}`);
        name = said.attributes.name; // ours from now on: with a suffix if the other was taken
        break; // nothing is due until the table is full
      case "state": case "tile":
        socket.write("<void/>");
        break;
      case "turn": {
        board = readBoard(said);
        const players = readPlayers(said);
        const moves = players.get(name).hand.flatMap((tile) => placements(board, tile));
        const move = chooseMove(moves, board, players, name);
        board = move.board;
        socket.write(move.kind === "merge" // in a merger the order is asked for later
          ? placementXml(move)
          : `<pbuy>${placementXml(move)}${orderXml(board, founderPaid(players, name, move), name)}</pbuy>`);
        break;
      }
      case "keep": // one answer for each hotel: money buys the next majority
        socket.write(`<keep>${"<false/>".repeat(said.children.length)}</keep>`);
        break;
      case "players":
        socket.write(orderXml(board, readPlayers(said), name));
        break;
      case "score":
        socket.end("<void/>");
        return said.children.find((child) => child.attributes.name === name).attributes.score;
      case "ejected":
        throw new Error(`ejected (${said.attributes.reason}): ${said.text}`);
    }
  }
  throw new Error("the connection was closed before the score");
}

// The socket -------------------------------------------------------------------------------------
// A tag: whether it is an end tag, name, attributes, whether it is empty. In quotes anything may be.
const TAG = /<(\/?)([^\s\/>]+)((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>/;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

// Yield each element {tag, attributes, children, text} as soon as its end tag is there.
// TCP keeps the order of the bytes, not the pieces sent: one can end anywhere or hold two elements.
// So bytes wait in `rest` for their tag to be whole, and elements in `open` for their end tags.
async function* elements(socket) {
  let rest = "", open = [];
  socket.setEncoding("utf8"); // also puts together a letter whose bytes came in two pieces
  for await (const piece of socket) {
    rest += piece;
    for (let match; (match = TAG.exec(rest)); ) {
      const [whole, isEnd, tag, attributes, isEmpty] = match;
      if (open.length > 0) open.at(-1).text += unescaped(rest.slice(0, match.index));
      rest = rest.slice(match.index + whole.length);
      if (!isEnd) {
        const pairs = [...attributes.matchAll(ATTRIBUTE)].map((a) => [a[1], unescaped(a[2] ?? a[3])]);
        const element = { tag, attributes: Object.fromEntries(pairs), children: [], text: "" };
        open.at(-1)?.children.push(element);
        open.push(element);
      }
      if (isEnd || isEmpty) {
        const closed = open.pop();
        if (open.length === 0) yield closed;
      }
    }
  }
}

const escaped = (text) => text.replace(/[<>&"'\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, word) =>
    word ? ENTITIES[word] : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)));
}

// What is said -----------------------------------------------------------------------------------
// A cell is "3F"; a board is a Map from the cells that have a tile to hotels, or LOOSE.
const inside = (parent, tag) => parent.children.filter((child) => child.tag === tag);
const readTiles = (parent) =>
  inside(parent, "tile").map(({ attributes }) => Number(attributes.column) + attributes.row);

function readBoard(turn) {
  const [board] = turn.children;
  const cells = new Map(readTiles(board).map((cell) => [cell, LOOSE]));
  for (const hotel of inside(board, "hotel"))
    for (const cell of readTiles(hotel)) cells.set(cell, hotel.attributes.name);
  return cells;
}

function readPlayers(position) {
  return new Map(inside(position, "player").map((player) => {
    const { name, cash } = player.attributes;
    const shares = inside(player, "share").map(({ attributes: a }) => [a.name, Number(a.count)]);
    return [name, { cash: Number(cash), shares: Object.fromEntries(shares), hand: readTiles(player) }];
  }));
}

// A placement names a hotel that is founded or survives, not one that grows.
function placementXml({ kind, tile, hotel }) {
  const label = kind === "found" || kind === "merge" ? `<hotel label="${hotel}"/>` : "";
  return `<placement><tile column="${parseInt(tile)}" row="${tile.at(-1)}"/>${label}</placement>`;
}

function orderXml(board, players, name) {
  const { hotel, count } = chooseOrder(board, players, name, offers(board, players, name));
  return `<order>${`<hotel label="${hotel}"/>`.repeat(count)}</order>`;
}

// The rules --------------------------------------------------------------------------------------
function beside(tile) {
  const column = parseInt(tile), row = ROWS.indexOf(tile.at(-1));
  const around = [[column, row - 1], [column, row + 1], [column - 1, row], [column + 1, row]];
  return around.filter(([c, r]) => c >= 1 && c <= COLUMNS && ROWS[r]).map(([c, r]) => c + ROWS[r]);
}
const size = (board, hotel) => [...board.values()].filter((owner) => owner === hotel).length;

// The legal placements of a tile: one for each hotel that can be named, or none.
function placements(board, tile) {
  const touched = new Set(beside(tile).filter((cell) => board.has(cell)).map((cell) => board.get(cell)));
  const hotels = HOTELS.filter((hotel) => touched.has(hotel));
  const unfounded = HOTELS.filter((hotel) => size(board, hotel) === 0);
  const move = (kind, hotel, cells) =>
    ({ kind, tile, hotel, board: new Map([...board, ...cells.map((c) => [c, hotel])]) });
  if (hotels.length === 0) {
    if (!touched.has(LOOSE) || unfounded.length === 0) return [move("alone", LOOSE, [tile])];
    return unfounded.map((hotel) => move("found", hotel, connected(board, tile)));
  }
  const largest = Math.max(...hotels.map((hotel) => size(board, hotel)));
  if (touched.has(LOOSE) || (hotels.length > 1 && largest >= SAFE)) return [];
  const cells = [tile, ...[...board.keys()].filter((cell) => hotels.includes(board.get(cell)))];
  return hotels.filter((hotel) => size(board, hotel) === largest)
    .map((hotel) => move(hotels.length > 1 ? "merge" : "grow", hotel, cells));
}

// The tile and all unincorporated tiles that hang together with it.
function connected(board, tile) {
  const chain = new Set([tile]); // what is added to a Set while it is gone through, is gone through
  for (const cell of chain)
    for (const next of beside(cell)) if (board.get(next) === LOOSE) chain.add(next);
  return [...chain];
}

// Dollars for a certificate; a cheap hotel off the board has no price.
function price(board, hotel) {
  const tiles = size(board, hotel);
  if (tiles === 0 && CHEAP.includes(hotel)) return undefined;
  const base = CHEAP.includes(hotel) ? 100 : DEAR.includes(hotel) ? 300 : 200;
  return base + 100 * STEPS.filter((step) => tiles >= step).length;
}
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const held = (player, hotel) => player.shares[hotel] ?? 0;
const left = (players, hotel) =>
  CERTIFICATES - sum([...players.values()].map((player) => held(player, hotel)));

// The players after a founder was given a certificate, if the bank has one.
const founderPaid = (players, name, { kind, hotel }) =>
  kind === "found" && left(players, hotel) > 0 ? withMore(players, name, hotel, 1) : players;

// The players after one was given certificates.
function withMore(players, name, hotel, count) {
  const player = players.get(name);
  const shares = { ...player.shares, [hotel]: held(player, hotel) + count };
  return new Map([...players, [name, { ...player, shares }]]); // in the place of the old one
}

// Every order of one or two certificates that can be paid and that the bank can fill.
function offers(board, players, name) {
  return HOTELS.filter((hotel) => price(board, hotel)).flatMap((hotel) => {
    const payable = Math.floor(players.get(name).cash / price(board, hotel));
    const most = Math.min(AT_MOST, left(players, hotel), payable);
    return Array.from({ length: Math.max(most, 0) }, (_, index) => ({ hotel, count: index + 1 }));
  });
}

// What a hotel's bonuses are to a player: those tied for most share both, and then nobody is second.
function bonus(players, name, hotel, cost) {
  const mine = held(players.get(name), hotel);
  const counts = [...players.values()].map((player) => held(player, hotel)).sort((a, b) => b - a);
  const tied = counts.filter((count) => count === mine).length;
  if (mine === 0 || (mine < counts[0] && counts[0] === counts[1])) return 0;
  if (mine < counts[0]) return mine === counts[1] ? (5 * cost) / tied : 0;
  return (tied > 1 ? 15 : 10) * cost / tied;
}

// The idea ---------------------------------------------------------------------------------------
const best = (choices, merit) => choices.toSorted((a, b) => merit(b) - merit(a))[0];

// How many dollars a hotel would put a player ahead of the others' mean, if it were paid out now.
function lead(players, name, hotel, cost) {
  const worth = (who) => bonus(players, who, hotel, cost) + held(players.get(who), hotel) * cost;
  const others = [...players.keys()].filter((other) => other !== name);
  return worth(name) - sum(others.map(worth)) / Math.max(others.length, 1);
}

// Place the tile after which the hotels, and those that it had acquired, put Grace furthest ahead.
function chooseMove(moves, board, players, name) {
  const merit = (move) => sum(HOTELS.map((hotel) => {
    // A hotel that is gone after the move was acquired, and is paid at its price before.
    const then = size(move.board, hotel) > 0 ? move.board : board;
    if (size(then, hotel) === 0) return 0;
    return lead(founderPaid(players, name, move), name, hotel, price(then, hotel));
  }));
  return best(moves, merit);
}

// Buy where it wins the most bonuses for Grace and takes them from others; else in the closest race.
function chooseOrder(board, players, name, orders) {
  const merit = ({ hotel, count }) => {
    const cost = price(board, hotel), mine = held(players.get(name), hotel);
    const more = withMore(players, name, hotel, count);
    const won = lead(more, name, hotel, cost) - lead(players, name, hotel, cost) - count * cost;
    const rival = Math.max(...[...players].map(([who, p]) => (who === name ? 0 : held(p, hotel))));
    return won + (count * cost) / (1 + Math.abs(mine - rival));
  };
  const founded = orders.filter(({ hotel }) => size(board, hotel) > 0);
  return best(founded, merit) ?? { hotel: "", count: 0 };
}

const [host, port, name, ...more] = process.argv.slice(2);
if (!name || more.length > 0 || !/^\d+$/.test(port)) {
  console.error("Usage: node grace.js HOST PORT NAME");
  process.exitCode = 2;
} else {
  play(net.connect(Number(port), host), name).then(console.log, (reason) => {
    console.error(`grace: ${reason.message || reason.code}`);
    process.exitCode = 1;
  });
}
