// A starter: it plays legally in every position, and you choose what it aims for.
//
// Usage: node player.js HOST PORT NAME
//
// It needs only Node's built-in modules. Python and Java have the same program.
// Copy it and change the three functions under YOUR IDEA, near the end: they choose among legal
// moves only. docs/protocol.md has the messages and the rules, those of rulebook `revised`.
// Where one of them fails, that is printed, and the first legal choice is taken instead.
// Exit codes: 0 the match ended and the score is printed; 1 there is no score, and standard error
// has the reason; 2 wrong usage; 3 as 0, but a choice of yours has failed.
"use strict";
const net = require("node:net");
const { once } = require("node:events");

const TIERS = { // the hotels in alphabetical order, with their price tiers
  American: "medium",
  Continental: "expensive",
  Festival: "medium",
  Imperial: "medium",
  Sackson: "cheap",
  Tower: "expensive",
  Worldwide: "cheap",
};
const HOTELS = Object.keys(TIERS);
const SIZES = [0, 2, 3, 4, 5, 6, 11, 21, 31, 41]; // from each of them on, a certificate costs:
const PRICES = {
  cheap: [0, 200, 300, 400, 500, 600, 700, 800, 900, 1000],
  medium: [200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100],
  expensive: [300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200],
};
const COLUMNS = 12, ROWS = "ABCDEFGHI";
const CERTIFICATES = 25, SAFE = 12, AT_MOST = 2; // of a hotel; tiles; bought in a turn
const LOOSE = ""; // stands in a board for an unincorporated tile

// A board is a Map from each tile on it, such as "3F", to its hotel, or LOOSE.
// Players are a Map by name, in turn order, to what each has, {cash, shares, tiles}:
// dollars, certificates of each hotel, tiles in hand.
// A move is a legal placement, {kind, tile, hotel, board}; kind is alone, found, grow or merge,
// the hotel is the one founded, grown or surviving, the board is after it.
// An order is {hotel, count}: how many certificates of which hotel.
const NOTHING = { hotel: "", count: 0 };

// Why a match ended without a score; the text is printed.
class NoScoreError extends Error {}

// The conversation -------------------------------------------------------------------------------
// Play one match and return the score.
async function play(socket, me) {
  send(socket, `<signup name="${escaped(me)}"/>`);
  let board = new Map(), players = new Map(); // the last position received
  let after = new Map(); // the board after our own placement, which a merger's messages do not have
  for await (const message of elements(socket)) {
    switch (message.tag) {
      case "signup": // no answer: nothing is expected until the table is full
        if ((message.attributes.rulebook ?? "revised") !== "revised")
          throw new NoScoreError(`the rulebook is ${message.attributes.rulebook}, not revised`);
        me = message.attributes.name; // with a suffix if the name was taken
        break;
      case "state":
        [board, players] = [readBoard(message), readPlayers(message)];
        send(socket, "<void/>");
        break;
      case "tile":
        send(socket, "<void/>");
        break;
      case "turn": {
        [board, players] = [readBoard(message), readPlayers(message)];
        const move = chosenMove(board, players, me);
        after = move.board;
        let answer = placementXml(move);
        if (move.kind !== "merge") { // in a merger the order is requested later
          const order = chosenOrder(after, playersAfter(players, me, move), me);
          answer = `<pbuy>${answer}${orderXml(order)}</pbuy>`;
        }
        send(socket, answer);
        break;
      }
      case "keep": {
        const hotels = inside(message, "hotel").map((hotel) => hotel.attributes.label);
        send(socket, keepXml(chosenKeep(hotels, board, players, me)));
        break;
      }
      case "players":
        send(socket, orderXml(chosenOrder(after, readPlayers(message), me)));
        break;
      case "score":
        send(socket, "<void/>");
        return Number(message.children.find((result) => result.attributes.name === me).attributes.score);
      case "ejected":
        throw new NoScoreError(`ejected (${message.attributes.reason}): ${message.text}`);
      default:
        throw new NoScoreError(`the administrator sent <${message.tag}>, which is not in revised`);
    }
  }
  throw new NoScoreError("the connection was closed before the score");
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
        throw new NoScoreError(`the administrator sent invalid XML: ${tag} closes nothing`);
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

// Read the players of a position.
function readPlayers(position) {
  const players = new Map();
  for (const player of inside(position, "player")) {
    const shares = Object.fromEntries(HOTELS.map((hotel) => [hotel, 0]));
    for (const { attributes } of inside(player, "share")) shares[attributes.name] = Number(attributes.count);
    const cash = Number(player.attributes.cash);
    players.set(player.attributes.name, { cash, shares, tiles: readTiles(player) });
  }
  return players;
}

// Write a placement; it names a hotel that is founded or survives, but not one that grows.
function placementXml(move) {
  const hotel = move.kind === "found" || move.kind === "merge" ? `<hotel label="${move.hotel}"/>` : "";
  const column = move.tile.slice(0, -1), row = move.tile.at(-1);
  return `<placement><tile column="${column}" row="${row}"/>${hotel}</placement>`;
}

// Write an order.
function orderXml(order) {
  const hotels = `<hotel label="${order.hotel}"/>`.repeat(order.count);
  return hotels ? `<order>${hotels}</order>` : "<order/>";
}

// Write which certificates are kept and which are returned.
function keepXml(kept) {
  return `<keep>${kept.map((keep) => (keep ? "<true/>" : "<false/>")).join("")}</keep>`;
}

// Choices ----------------------------------------------------------------------------------------
let failed = 0; // how often a choice of yours has failed

// Ask your idea for a move.
function chosenMove(board, players, me) {
  const moves = players.get(me).tiles.flatMap((tile) => legalMoves(board, tile));
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

// Ask your idea for an order.
function chosenOrder(board, players, me) {
  const orders = legalOrders(board, players, me);
  const isLegal = (order) => orders.includes(order);
  const expected = "one of the orders it was given";
  return tried(chooseOrder, isLegal, orders[0], expected, [orders, board, players, me]);
}

// Ask your idea; where it fails, print why, and return the first legal choice.
function tried(choose, isLegal, first, expected, given) {
  try {
    const choice = choose(...given);
    if (isLegal(choice)) return choice;
    console.error(`${choose.name} must return ${expected}`);
  } catch (reason) { // whatever it is, the match goes on
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
  if (hotels.length === 0) {
    const unfounded = HOTELS.filter((hotel) => size(board, hotel) === 0);
    if (touched.length === 0 || unfounded.length === 0) // with all seven on the board, none is founded
      return [{ kind: "alone", tile, hotel: LOOSE, board: laid(board, [tile], LOOSE) }];
    const chain = connected(board, tile);
    return unfounded.map((hotel) => ({ kind: "found", tile, hotel, board: laid(board, chain, hotel) }));
  }
  const largest = Math.max(...hotels.map((hotel) => size(board, hotel)));
  if (touched.includes(LOOSE) || (hotels.length > 1 && largest >= SAFE)) return [];
  const kind = hotels.length > 1 ? "merge" : "grow";
  const cells = [tile, ...[...board.keys()].filter((cell) => hotels.includes(board.get(cell)))];
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

// Return the dollars for a certificate, 0 if it has no price: a cheap hotel off the board.
function price(board, hotel) {
  const tiles = size(board, hotel);
  return PRICES[TIERS[hotel]][SIZES.filter((least) => tiles >= least).length - 1];
}

// Return how many certificates of a hotel the bank has.
function inBank(players, hotel) {
  return [...players.values()].reduce((left, player) => left - player.shares[hotel], CERTIFICATES);
}

// Return the players after a move; a founder gets a certificate, if the bank has one.
function playersAfter(players, me, move) {
  const tiles = players.get(me).tiles.filter((tile) => tile !== move.tile);
  const shares = { ...players.get(me).shares };
  if (move.kind === "found" && inBank(players, move.hotel) > 0) shares[move.hotel] += 1;
  return new Map([...players, [me, { cash: players.get(me).cash, shares, tiles }]]);
}

// Return every order that you can pay for and the bank can fill; the first is NOTHING.
function legalOrders(board, players, me) {
  const orders = [NOTHING];
  for (const hotel of HOTELS) {
    const cost = price(board, hotel);
    if (cost === 0) continue;
    const most = Math.min(AT_MOST, inBank(players, hotel), Math.floor(players.get(me).cash / cost));
    for (let count = 1; count <= most; count += 1) orders.push({ hotel, count });
  }
  return orders;
}

// ================================================================================================
// YOUR IDEA
//
// Three choices among legal moves. `board` maps each tile on the board to its hotel, `players`
// maps each name to what that player has, in turn order, the mover first, and `me` is your name:
// players.get(me).cash, players.get(me).shares.Tower, players.get(me).tiles, board.get("3F").
// The functions size, price, inBank and beside, above, are there for you to use.
// ================================================================================================
// Choose one of the moves; each knows its kind, tile and hotel, and the board after it.
function chooseMove(moves, board, players, me) {
  return moves.find((move) => move.kind === "found") ?? moves[0];
}

// Choose for each acquired hotel, in this order: true keeps your certificates, false sells.
//
// Board and players are the last ones received, from before the merging tile. Do not rely on
// another player's merger: that player can still be ejected, and then it never happened.
function chooseKeep(hotels, board, players, me) {
  return hotels.map(() => false); // money buys the next majority
}

// Choose one of the orders; board and players are after the placement and its merger.
function chooseOrder(orders, board, players, me) {
  const onBoard = orders.filter((order) => size(board, order.hotel) > 0 && order !== NOTHING);
  const rank = (order) => price(board, order.hotel) * 10 - order.count; // the larger of two equally dear first
  return onBoard.reduce((best, order) => (rank(order) < rank(best) ? order : best), onBoard[0] ?? NOTHING);
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
