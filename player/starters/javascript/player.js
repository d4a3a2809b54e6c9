// A starter: it plays legally in every position, and you choose what it aims for.
//
// Usage: node player.js HOST PORT NAME
//
// It needs only Node's built-in modules, and plays by all five rulebooks.
// Copy it and change the functions under YOUR IDEA, near the end: they choose among what is legal
// only. docs/reference/protocol.md has the messages and the rules.
// Where one of them fails, that is printed, and the first legal choice is taken instead.
// Exit codes: 0 the game ended and the score is printed; 1 there is no score, and standard error
// has the reason; 2 wrong usage; 3 as 0, but a choice of yours has failed.
"use strict";
const net = require("node:net");
const { once } = require("node:events");

const SIZES = [0, 2, 3, 4, 5, 6, 11, 21, 31, 41]; // from each of them on, a certificate costs:
const PRICES = {
  cheap: [0, 200, 300, 400, 500, 600, 700, 800, 900, 1000],
  medium: [200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100],
  expensive: [300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200],
};
const COLUMNS = 12, ROWS = "ABCDEFGHI";
const CERTIFICATES = 25; // of each hotel
const LOOSE = ""; // stands in a board for an unincorporated tile

// A rulebook, as far as a player has to know it. The other four differ from `revised` more than from
// each other. The hotels are in alphabetical order, with their price tiers; cash is what each player
// begins with; a hotel of `safe` tiles cannot be acquired, with one of `large` the game may end;
// `atMost` certificates are bought in a turn.
const REVISED = {
  tiers: {
    American: "medium",
    Continental: "expensive",
    Festival: "medium",
    Imperial: "medium",
    Sackson: "cheap",
    Tower: "expensive",
    Worldwide: "cheap",
  },
  isRevised: true, cash: 8000, safe: 12, large: 40, atMost: 2,
};
const CLASSIC = { tiers: REVISED.tiers, isRevised: false, cash: 6000, safe: 11, large: 41, atMost: 3 };
const CORPORATIONS = {
  ...CLASSIC,
  tiers: {
    America: "medium",
    Fusion: "medium",
    Hydra: "medium",
    Phoenix: "expensive",
    Quantum: "expensive",
    Sackson: "cheap",
    Zeta: "cheap",
  },
};
const RULEBOOKS = {
  revised: REVISED, classic: CLASSIC, wikipedia: CLASSIC, corporations: CORPORATIONS, digest: CORPORATIONS,
};
let rules = REVISED; // those of this game: the answer to the sign-up names them
let HOTELS = Object.keys(rules.tiers);

// A board is a Map from each tile on it, such as "3F", to its hotel, or LOOSE.
// Players are a Map by name, in turn order, to what each has, {cash, shares, tiles}:
// dollars, certificates of each hotel, tiles in hand.
// A move is a legal placement, {kind, tile, hotel, board}; kind is alone, found, grow or merge,
// the hotel is the one founded, grown or surviving, the board is after it.
// An order is a list of the hotels of which one certificate each is bought.
// A disposal is {sell, trade}: how many certificates of an acquired hotel are sold, and how many
// are traded two for one.

// Why a game ended without a score; the text is printed.
class NoScoreError extends Error {}

// The conversation -------------------------------------------------------------------------------
// Play one game and return the score.
async function play(socket, me) {
  send(socket, `<signup name="${escaped(me)}"/>`);
  let board = new Map(), players = new Map(); // the last position received
  let begun = new Map(); // the board at the beginning of our turn
  let after = new Map(); // the board after our placement, which <players> of `revised` does not have
  for await (const message of elements(socket)) {
    if (inside(message, "player").length > 0) {
      players = readPlayers(message);
      board = inside(message, "board").length > 0 ? readBoard(message) : after;
    }
    switch (message.tag) {
      case "signup": // no answer: nothing is expected until the table is full
        useRulebook(message.attributes.rulebook ?? "revised");
        me = message.attributes.name; // with a suffix if the name was taken
        break;
      case "state":
      case "tile":
      case "market":
      case "holders":
        send(socket, "<void/>");
        break;
      case "replace": // a hand without a playable tile
        send(socket, "<replace><true/></replace>");
        break;
      case "turn": {
        begun = board;
        const moves = players.get(me).tiles.flatMap((tile) => legalMoves(board, tile));
        if (moves.length === 0) {
          send(socket, `<pbuy>${answeredOrder(board, board, players, me)}</pbuy>`);
          break;
        }
        const move = chosenMove(moves, board, players, me);
        after = move.board;
        let answer = placementXml(move);
        if (move.kind !== "merge") { // in a merger the order is requested later
          const withTile = playersAfter(board, players, me, move);
          answer = `<pbuy>${answer}${answeredOrder(board, after, withTile, me)}</pbuy>`;
        }
        send(socket, answer);
        break;
      }
      case "keep": {
        const hotels = inside(message, "hotel").map((hotel) => hotel.attributes.label);
        send(socket, keepXml(chosenKeep(hotels, board, players, me)));
        break;
      }
      case "dispose":
        send(socket, disposalXml(chosenDisposal(message.attributes, board, players, me)));
        break;
      case "merger": // a tile of the market, at a table of two
        send(socket, placementXml(chosenMove(legalMoves(board, readTiles(message)[0]), board, players, me)));
        break;
      case "players":
        send(socket, answeredOrder(begun, board, players, me));
        break;
      case "score":
        send(socket, "<void/>");
        return Number(message.children.find((result) => result.attributes.name === me).attributes.score);
      case "ejected":
        throw new NoScoreError(`ejected (${message.attributes.reason}): ${message.text}`);
      default:
        throw new NoScoreError(`the referee sent <${message.tag}>, which is unknown`);
    }
  }
  throw new NoScoreError("the connection was closed before the score");
}

// Play by the rulebook of this name.
function useRulebook(name) {
  if (!Object.hasOwn(RULEBOOKS, name))
    throw new NoScoreError(`the rulebook is ${name}, not one of ${Object.keys(RULEBOOKS).join(", ")}`);
  rules = RULEBOOKS[name];
  HOTELS = Object.keys(rules.tiers);
}

// The socket -------------------------------------------------------------------------------------
// Text before a tag or a comment, then the whole tag or comment. Quotes may hold anything, even >.
const TAG = /([^<]*)(<!--.*?-->|<\?.*?\?>|<(?![!?])(?:[^>"']|"[^"]*"|'[^']*')*>)/gsy;
// The parts of a tag: the slash of an end tag, name, attributes, the slash of an empty element.
const PARTS = /^<(\/?)([^\s\/>]+)(.*?)(\/?)>$/s;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

// Yield each element as soon as its end tag has arrived, until the connection is closed.
//
// TCP keeps the order of the bytes but not the pieces in which they were sent: a piece can end
// anywhere and can hold two elements. So an element ends where every open tag is closed.
async function* elements(socket) {
  let received = "", seen = 0, begin = 0, depth = 0;
  for await (const piece of pieces(socket)) {
    received += piece;
    for (let found; (found = match(TAG, received, seen)); ) {
      const tag = found[2];
      seen = found.index + found[0].length;
      if (tag.startsWith("<!") || tag.startsWith("<?")) continue; // a comment, or an XML declaration
      if (depth === 0) begin = seen - tag.length;
      if (tag.startsWith("</")) depth -= 1;
      else if (!tag.endsWith("/>")) depth += 1;
      if (depth === 0) {
        yield parsed(received.slice(begin, seen));
        [received, seen] = [received.slice(seen), 0];
      }
    }
  }
}

function match(pattern, text, from) {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

// Parse a whole element: {tag, attributes, children, text}.
function parsed(element) {
  const open = [{ children: [], text: "" }]; // the elements that are open; this one contains all others
  for (let at = 0, found; (found = match(TAG, element, at)); at += found[0].length) {
    const [, before, tag] = found;
    open.at(-1).text += unescaped(before);
    if (tag.startsWith("<!") || tag.startsWith("<?")) continue;
    const [, isEnd, name, attributes, isEmpty] = tag.match(PARTS);
    if (!isEnd) {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map((a) => [a[1], unescaped(a[2] ?? a[3])]);
      const child = { tag: name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      open.at(-1).children.push(child);
      open.push(child);
    }
    if (isEnd || isEmpty) {
      if (open.pop().tag !== name)
        throw new NoScoreError(`the referee sent invalid XML: ${tag} closes nothing`);
    }
  }
  return open[0].children[0];
}

const escaped = (text) => text.replace(/[<>&"'\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, word) =>
    word ? ENTITIES[word] : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)));
}

// Yield what arrives, piece by piece, until the connection is closed.
async function* pieces(socket) {
  socket.setEncoding("utf8"); // also joins a letter whose bytes arrived in two pieces
  try {
    yield* socket;
  } catch (reason) {
    throw new NoScoreError(`the connection was lost: ${reason.message}`);
  }
}

// Send an element.
function send(socket, element) {
  socket.write(element); // if the connection is gone, reading reports it
}

// Messages ---------------------------------------------------------------------------------------
const inside = (parent, tag) => parent.children.filter((child) => child.tag === tag);

// Read the tiles directly inside an element.
function readTiles(parent) {
  return inside(parent, "tile").map(({ attributes }) => Number(attributes.column) + attributes.row);
}

// Read the board of a position: the unincorporated tiles, then each hotel's.
function readBoard(position) {
  const [message] = inside(position, "board");
  let board = laid(new Map(), readTiles(message), LOOSE);
  for (const hotel of inside(message, "hotel")) board = laid(board, readTiles(hotel), hotel.attributes.name);
  return board;
}

// Read the players of a position; what is hidden of the others is guessed.
//
// Their cash is then what everybody began with; what neither the bank nor a visible player has of
// a hotel is divided evenly.
function readPlayers(position) {
  const seats = inside(position, "player");
  const isHidden = (seat) => "certificates" in seat.attributes;
  const visible = seats.filter((seat) => !isHidden(seat)).map(readShares);
  let hidden = seats.length - visible.length;
  const players = new Map();
  for (const seat of seats) {
    const shares = readShares(seat);
    if (isHidden(seat)) {
      const bank = readShares(inside(position, "bank")[0]);
      for (const hotel of HOTELS) {
        const unseen = visible.reduce((left, other) => left - other[hotel], CERTIFICATES - bank[hotel]);
        shares[hotel] = Math.floor(unseen / hidden);
      }
      visible.push(shares);
      hidden -= 1;
    }
    const cash = Number(seat.attributes.cash ?? rules.cash);
    players.set(seat.attributes.name, { cash, shares, tiles: readTiles(seat) });
  }
  return players;
}

// Read the certificates of a player or the bank.
function readShares(parent) {
  const shares = Object.fromEntries(HOTELS.map((hotel) => [hotel, 0]));
  for (const { attributes } of inside(parent, "share")) shares[attributes.name] = Number(attributes.count);
  return shares;
}

// Write a placement; it names a hotel that is founded or survives, but not one that grows.
function placementXml(move) {
  const hotel = move.kind === "found" || move.kind === "merge" ? `<hotel label="${move.hotel}"/>` : "";
  const column = move.tile.slice(0, -1), row = move.tile.at(-1);
  return `<placement><tile column="${column}" row="${row}"/>${hotel}</placement>`;
}

// Write an order, with the declaration of the end if there is one.
function orderXml(order, end) {
  const hotels = order.map((hotel) => `<hotel label="${hotel}"/>`).join("") + (end ? "<end/>" : "");
  return hotels ? `<order>${hotels}</order>` : "<order/>";
}

// Write how many certificates are sold and traded.
function disposalXml({ sell, trade }) {
  return `<dispose sell="${sell}" trade="${trade}"/>`;
}

// Write which certificates are kept and which are returned.
function keepXml(kept) {
  return `<keep>${kept.map((keep) => (keep ? "<true/>" : "<false/>")).join("")}</keep>`;
}

// Choices ----------------------------------------------------------------------------------------
let failed = 0; // how often a choice of yours has failed

// Ask your idea for a move.
function chosenMove(moves, board, players, me) {
  const isLegal = (move) => moves.includes(move);
  const expected = "one of the moves it was given";
  return tried(chooseMove, isLegal, moves[0], expected, [moves, board, players, me]);
}

// Ask your idea what to keep.
function chosenKeep(hotels, board, players, me) {
  const isBoolean = (keep) => typeof keep === "boolean";
  const isLegal = (kept) =>
    Array.isArray(kept) && kept.length === hotels.length && kept.every(isBoolean);
  const expected = "a list of one true or false for each hotel";
  const nothing = hotels.map(() => false);
  return tried(chooseKeep, isLegal, nothing, expected, [hotels, board, players, me]);
}

// Ask your idea what to sell and trade of an acquired hotel.
function chosenDisposal({ hotel, price, survivor }, board, players, me) {
  const disposals = legalDisposals(players.get(me).shares[hotel], inBank(players, survivor));
  const isLegal = (disposal) => disposals.includes(disposal);
  const expected = "one of the disposals it was given";
  const given = [disposals, Number(price), survivor, board, players, me];
  return tried(chooseDisposal, isLegal, disposals[0], expected, given);
}

// Ask your idea for an order and, where it may be declared, for the end; write both.
//
// The end may be declared if that was allowed when the turn began, or is allowed now.
function answeredOrder(begun, board, players, me) {
  const orders = legalOrders(board, players, me);
  const isLegal = (order) => orders.includes(order);
  const expected = "one of the orders it was given";
  const order = tried(chooseOrder, isLegal, orders[0], expected, [orders, board, players, me]);
  let end = false;
  if (!rules.isRevised && (mayEnd(begun) || mayEnd(board))) {
    const isBoolean = (choice) => typeof choice === "boolean";
    end = tried(chooseEnd, isBoolean, false, "true or false", [board, players, me]);
  }
  return orderXml(order, end);
}

// Ask your idea; where it fails, print why, and return the first legal choice.
function tried(choose, isLegal, first, expected, given) {
  try {
    const choice = choose(...given);
    if (isLegal(choice)) return choice;
    console.error(`${choose.name} must return ${expected}`);
  } catch (reason) { // whatever it is, the game goes on
    console.error(reason);
  }
  failed += 1;
  return first;
}

// The rules --------------------------------------------------------------------------------------
// Return the two to four cells beside a tile.
function beside(tile) {
  const column = parseInt(tile), row = ROWS.indexOf(tile.at(-1));
  const cells = [[column, row - 1], [column - 1, row], [column + 1, row], [column, row + 1]];
  return cells.filter(([c, r]) => c >= 1 && c <= COLUMNS && ROWS[r]).map(([c, r]) => c + ROWS[r]);
}

// Return the number of tiles of a hotel: 0 if it is not on the board.
function size(board, hotel) {
  return [...board.values()].filter((owner) => owner === hotel).length;
}

// Return the legal placements of a tile: one for each hotel it can name, or none at all.
function legalMoves(board, tile) {
  const touched = beside(tile).filter((cell) => board.has(cell)).map((cell) => board.get(cell));
  const hotels = HOTELS.filter((hotel) => touched.includes(hotel));
  const chain = connected(board, tile);
  if (hotels.length === 0) {
    const unfounded = HOTELS.filter((hotel) => size(board, hotel) === 0);
    if (touched.length > 0 && unfounded.length > 0)
      return unfounded.map((hotel) => ({ kind: "found", tile, hotel, board: laid(board, chain, hotel) }));
    if (touched.length > 0 && !rules.isRevised) return []; // all seven are on the board
    return [{ kind: "alone", tile, hotel: LOOSE, board: laid(board, [tile], LOOSE) }];
  }
  const safe = hotels.filter((hotel) => size(board, hotel) >= rules.safe);
  if (hotels.length > 1 && safe.length > (rules.isRevised ? 0 : 1)) return [];
  if (touched.includes(LOOSE) && rules.isRevised) return [];
  const kind = hotels.length > 1 ? "merge" : "grow";
  const cells = [...chain, ...[...board.keys()].filter((cell) => hotels.includes(board.get(cell)))];
  const largest = Math.max(...hotels.map((hotel) => size(board, hotel)));
  const survivors = hotels.filter((hotel) => size(board, hotel) === largest);
  return survivors.map((hotel) => ({ kind, tile, hotel, board: laid(board, cells, hotel) }));
}

// Return the tile and all unincorporated tiles connected to it.
function connected(board, tile) {
  const chain = [tile];
  for (const cell of chain) // which grows during the loop
    chain.push(...beside(cell).filter((c) => board.get(c) === LOOSE && !chain.includes(c)));
  return chain;
}

// Return the board on which these are tiles of this hotel.
function laid(board, tiles, hotel) {
  return new Map([...board, ...tiles.map((tile) => [tile, hotel])]);
}

// Return the dollars for a certificate, 0 if it has no price.
//
// Only `revised` has prices off the board, and there none of a cheap hotel.
function price(board, hotel) {
  const tiles = size(board, hotel);
  if (tiles === 0 && !rules.isRevised) return 0;
  return PRICES[rules.tiers[hotel]][SIZES.filter((least) => tiles >= least).length - 1];
}

// Return how many certificates of a hotel the bank has.
function inBank(players, hotel) {
  return [...players.values()].reduce((left, player) => left - player.shares[hotel], CERTIFICATES);
}

// Return the players after a move: what it would bring everybody.
//
// A founder gets a certificate, if the bank has one. A merger pays its bonuses, and here everybody
// then sells the certificates of the acquired hotels. `board` is the one before it.
function playersAfter(board, players, me, move) {
  const after = new Map();
  for (const [name, { cash, shares, tiles }] of players)
    after.set(name, { cash, shares: { ...shares }, tiles: tiles.filter((tile) => tile !== move.tile) });
  if (move.kind === "found" && inBank(players, move.hotel) > 0) after.get(me).shares[move.hotel] += 1;
  if (move.kind === "merge") {
    const touched = beside(move.tile).map((cell) => board.get(cell));
    for (const hotel of HOTELS.filter((each) => touched.includes(each) && each !== move.hotel)) {
      const paid = bonuses(board, players, hotel);
      for (const [name, player] of after) {
        player.cash += (paid.get(name) ?? 0) + player.shares[hotel] * price(board, hotel);
        player.shares[hotel] = 0;
      }
    }
  }
  return after;
}

// Return who gets which bonus, a Map, if a hotel is acquired now, or paid out at the end.
//
// What the stock market gets at a table of two is not known before its tile is drawn.
function bonuses(board, players, hotel) {
  const unit = price(board, hotel);
  const held = [...players].map(([name, { shares }]) => [name, shares[hotel]]).filter(([, count]) => count);
  if (held.length === 1 && !rules.isRevised) return new Map([[held[0][0], 15 * unit]]); // it gets both
  const due = new Map(), places = [10 * unit, 5 * unit]; // the majority bonus, the minority bonus
  const counts = [...new Set(held.map(([, count]) => count))].sort((a, b) => b - a);
  for (const count of counts) {
    const tied = held.filter(([, other]) => other === count);
    const pool = places.splice(0, tied.length).reduce((sum, bonus) => sum + bonus, 0);
    if (pool > 0) for (const [name] of tied) due.set(name, shared(pool, tied.length));
  }
  return due;
}

// Return what each of the tied holders gets: to the nearest dollar, or up to the next 100.
function shared(bonus, holders) {
  if (holders === 1) return bonus;
  return rules.isRevised ? Math.round(bonus / holders) : Math.ceil(bonus / holders / 100) * 100;
}

// Return what everybody would have, a Map, if the game were over: cash, certificates, bonuses.
function worth(board, players) {
  const money = new Map([...players].map(([name, player]) => [name, player.cash]));
  const add = (name, dollars) => money.set(name, money.get(name) + dollars);
  for (const hotel of HOTELS.filter((each) => size(board, each) > 0)) {
    for (const [name, { shares }] of players) add(name, shares[hotel] * price(board, hotel));
    for (const [name, bonus] of bonuses(board, players, hotel)) add(name, bonus);
  }
  return money;
}

// Return whether a player may declare the end: a large hotel, or none that is not safe.
function mayEnd(board) {
  const sizes = HOTELS.map((hotel) => size(board, hotel)).filter((tiles) => tiles > 0);
  return sizes.some((tiles) => tiles >= rules.large)
    || (sizes.length > 0 && sizes.every((tiles) => tiles >= rules.safe));
}

// Return every order that you can pay for and the bank can fill; the first is for nothing.
//
// Under `revised` all certificates of an order are of the same hotel.
function legalOrders(board, players, me) {
  const orders = [[]];
  for (const hotel of HOTELS) {
    const most = price(board, hotel) > 0 ? inBank(players, hotel) : 0;
    for (const order of rules.isRevised ? [[]] : [...orders])
      for (let count = 1; count <= Math.min(most, rules.atMost - order.length); count += 1) {
        const longer = [...order, ...Array(count).fill(hotel)];
        if (cost(board, longer) <= players.get(me).cash) orders.push(longer);
      }
  }
  return orders;
}

// Return the dollars that an order costs.
function cost(board, order) {
  return order.reduce((sum, hotel) => sum + price(board, hotel), 0);
}

// Return every way to sell and trade `owned` certificates; the first is to hold them all.
//
// The bank has `left` certificates of the survivor.
function legalDisposals(owned, left) {
  const disposals = [];
  for (let sell = 0; sell <= owned; sell += 1)
    for (let trade = 0; trade <= Math.min(owned - sell, 2 * left); trade += 2)
      disposals.push({ sell, trade });
  return disposals;
}

// ================================================================================================
// YOUR IDEA
//
// Choices among what is legal. `board` maps each tile on the board to its hotel, `players` maps
// each name to what that player has, in turn order, the mover first, and `me` is your name:
// players.get(me).cash, players.get(me).shares.Tower, players.get(me).tiles, board.get("3F").
// The functions above are there for you to use: size, price, inBank, beside; bonuses and worth, in
// dollars by name; playersAfter, which simulates a merger; HOTELS and rules.isRevised.
// ================================================================================================
// Choose one of the moves; each knows its kind, tile and hotel, and the board after it.
function chooseMove(moves, board, players, me) {
  return moves.find((move) => move.kind === "found") ?? moves[0];
}

// Choose for each acquired hotel: true keeps your certificates, false sells (only `revised`).
//
// Board and players are the last ones received, from before the merging tile. Do not rely on
// another player's merger: that player can still be ejected, and then it never happened.
function chooseKeep(hotels, board, players, me) {
  return hotels.map(() => false); // money buys the next majority
}

// Choose what to do with an acquired hotel's certificates, except under `revised`.
//
// One that is sold brings `paid` dollars; two are traded for one of the survivor; the rest is held.
// Board and players are those after the bonuses.
function chooseDisposal(disposals, paid, survivor, board, players, me) {
  const one = price(board, survivor);
  const value = ({ sell, trade }) => sell * paid + (trade / 2) * one;
  return disposals.reduce((best, other) => (value(other) > value(best) ? other : best));
}

// Choose one of the orders; board and players are after the placement and its merger.
function chooseOrder(orders, board, players, me) {
  const onBoard = orders.filter((order) => order.length > 0 && order.every((hotel) => size(board, hotel) > 0));
  const rank = (order) => (cost(board, order) / order.length) * 10 - order.length; // the larger of two equally dear first
  return onBoard.reduce((best, order) => (rank(order) < rank(best) ? order : best), onBoard[0] ?? orders[0]);
}

// Choose whether to declare the end, where that is allowed; never asked under `revised`.
function chooseEnd(board, players, me) {
  const money = worth(board, players);
  return money.get(me) === Math.max(...money.values());
}

// ================================================================================================
// END OF YOUR IDEA
// ================================================================================================
// Run the command line and set the exit code.
async function main(commandLine) {
  if (commandLine.length !== 3 || !/^[0-9]{1,5}$/.test(commandLine[1])) {
    console.error("Usage: node player.js HOST PORT NAME");
    process.exitCode = 2;
    return;
  }
  const [host, port, name] = commandLine;
  try {
    console.log(await play(await connect(host, Number(port)), name));
    if (failed) process.exitCode = 3;
  } catch (reason) {
    console.error(reason instanceof NoScoreError ? `${name}: ${reason.message}` : reason);
    process.exitCode = 1;
  }
}

async function connect(host, port) {
  try {
    const socket = net.connect(port, host);
    await once(socket, "connect");
    return socket;
  } catch (reason) {
    throw new NoScoreError(`cannot connect to ${host} port ${port}: ${reason.message || reason.code}`);
  }
}

main(process.argv.slice(2));
