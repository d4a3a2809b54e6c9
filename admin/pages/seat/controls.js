// The controls of the panel, made anew from the draft each time.
/** @import { DisposeQuestion, KeepQuestion, Purchase, TurnQuestion } from "../html/page_data.js" */
import { cellName } from "../html/course.js";
import { chip } from "../html/sentences.js";
import { row } from "../html/tables.js";
import { dollars, make, plural } from "../html/text.js";
import { canBuy, change, chooseTile, cost, countOf, isBuying, optionsNow, purchaseNow, sameHotel, seat } from "./draft.js";
import { hints, hotelName, isFounding } from "./words.js";

/** @param {string} key @param {string | undefined} text @param {() => void} does @param {boolean} [pressed] */
export function button(key, text, does, pressed) {
  const made = make("button", text);
  made.type = "button";
  made.dataset.key = key;
  if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
  made.addEventListener("click", does);
  return made;
}

/** @param {string} title @param {string} kind @param {Node[]} parts */
function part(title, kind, parts) {
  const made = make("div", undefined, kind);
  made.append(...parts);
  return title ? [make("h2", title), made] : [made];
}

// With hints every tile says what it would do, until one is chosen, and so does every hotel. Those that cannot be
// placed come last.
/** @param {TurnQuestion} question */
function tileButtons(question) {
  const { draft } = seat, told = hints() && draft.cell === null, tiles = [...question.tiles.filter((tile) => tile.options), ...question.tiles.filter((tile) => !tile.options)];
  return part("", told ? "tiles told" : draft.cell === null ? "tiles" : "tiles short", tiles.map((tile) => {
    const made = button(`tile-${tile.cell}`, undefined, () => chooseTile(tile.cell), draft.cell === tile.cell);
    made.append(make("b", cellName(tile.cell)), make("small", tile.options ? tile.does : tile.never ? "never allowed" : "not now"));
    if (told) made.append(make("span", tile.hint));
    if (!tile.options) Object.assign(made, { className: "barred", title: tile.why });
    return made;
  }));
}

function hotelButtons() {
  const hotels = [...new Set(optionsNow().map((option) => option.hotel))];
  if (hotels.length < 2) return [];
  const { draft } = seat, founding = isFounding(), chosen = draft.hotel !== undefined && purchaseNow();
  return part(founding ? "Which hotel do you found?" : "They are equal: which hotel survives?", chosen ? "options short" : "options even", hotels.map((hotel) => {
    const made = button(`hotel-${hotel}`, undefined, () => change({ hotel, equals: undefined, order: [], end: false }), draft.hotel === hotel);
    const note = optionsNow().find((option) => option.hotel === hotel)?.note;
    if (hotel === null) made.append("none");
    else made.append(chip(hotel), ` ${hotelName(hotel)}`);
    made.append(make("small", note));
    return made;
  }));
}

function equalsButtons() {
  const { draft } = seat;
  if (draft.hotel === undefined || sameHotel().length < 2) return [];
  return part("Equal hotels: which is settled first?", "options", sameHotel().map((option) =>
    button(`equals-${option.equals}`, option.equals.map(hotelName).join(", then "), () => change({ equals: option.equals }), String(option.equals) === String(draft.equals))));
}

/** @param {string} key @param {number} count @param {(() => void) | null} less @param {(() => void) | null} more @param {string} what */
function counter(key, count, less, more, what) {
  const made = make("span", undefined, "count");
  const minus = button(`${key}-less`, "−", less ?? (() => {})), plus = button(`${key}-more`, "+", more ?? (() => {}));
  minus.setAttribute("aria-label", `One less ${what}`);
  plus.setAttribute("aria-label", `One more ${what}`);
  minus.disabled = !less;
  plus.disabled = !more;
  made.append(minus, make("output", count), plus);
  return made;
}

function purchaseRows() {
  const purchase = purchaseNow(), { draft } = seat;
  if (!purchase) return [];
  const table = make("table"), head = make("thead"), body = make("tbody");
  head.append(row("th", ["hotel", "bank", "buy", "then you have"]));
  for (const line of purchase.hotels) {
    const { hotel } = line, count = countOf(hotel), name = make("span");
    name.append(chip(hotel), ` ${hotelName(hotel)}`, make("small", `${dollars(line.price)} · ${line.size ? plural(line.size, "tile") : "not founded"}`));
    const less = count ? () => { const order = draft.order.slice(); order.splice(order.lastIndexOf(hotel), 1); change({ order }); } : null;
    const more = canBuy(line) ? () => change({ order: [...draft.order, hotel] }) : null;
    const means = line.left ? line.effects[count] : ["sold out", line.effects[0]].filter(Boolean).join("; ");
    const made = row("td", [name, String(line.left), counter(`buy-${hotel}`, count, less, more, hotelName(hotel)), means]);
    nameColumns(made);
    body.append(made);
  }
  nameColumns(head.rows[0]);
  table.className = "purchase";
  table.append(head, body);
  const rule = `up to ${purchase.limit}${purchase.mixed ? "" : ", all of one hotel"}`;
  const why = !body.children.length ? "no hotel has a price" : purchase.hotels.every((line) => !line.left) ? "all certificates are sold" : `you have ${dollars(purchase.cash)}`;
  const found = isBuying()
    ? part(`Buy certificates (${rule}): ${dollars(cost())} of ${dollars(purchase.cash)}`, "scroll", [table])
    : [make("p", `Nothing can be bought: ${why}.`)];
  return [...found, ...endChoice(purchase)];
}

/** @param {HTMLTableRowElement} line */
function nameColumns({ cells }) {
  cells[0].className = "who";
  cells[1].className = "left";
  cells[cells.length - 1].className = "effect";
}

/** @param {Purchase} purchase */
function endChoice(purchase) {
  if (!purchase.end) return [];
  const label = make("label"), box = make("input");
  box.type = "checkbox";
  box.checked = seat.draft.end;
  box.dataset.key = "end";
  box.addEventListener("change", () => change({ end: box.checked }));
  label.append(box, make("span", `Declare the end of the game. ${purchase.end} ${purchase.ending}`));
  return [label];
}

/** @param {KeepQuestion} question */
function keepRows(question) {
  return question.hotels.flatMap((one, place) => {
    const { keep } = seat.draft;
    /** @param {boolean} kept */
    const set = (kept) => () => change({ keep: keep.map((was, other) => (other === place ? kept : was)) });
    const certificates = plural(one.count, `${hotelName(one.hotel)} certificate`);
    if (!one.count) return [make("p", `${hotelName(one.hotel)} is acquired; you hold none of it.`)];
    return part(`${hotelName(one.hotel)} is acquired. You hold ${certificates}.`, "options", [
      button(`keep-${place}`, `Keep ${one.count === 1 ? "it" : "all"}, in case it is founded again`, set(true), keep[place] === true),
      button(`return-${place}`, `Return for ${dollars(one.count * one.price)}`, set(false), keep[place] === false),
    ]);
  });
}

/** @param {DisposeQuestion} question */
function disposalRows(question) {
  const { hotel, survivor, count, left, effects, price: each } = question, { sell, trade } = seat.draft;
  const sold = sell ?? 0, traded = trade ?? 0, free = count - sold - traded, most = 2 * Math.min(Math.floor(count / 2), left);
  /** @param {string} key @param {string} text @param {number} toSell @param {number} toTrade */
  const whole = (key, text, toSell, toTrade) => {
    const made = button(key, text, () => change({ sell: toSell, trade: toTrade }), sell === toSell && trade === toTrade);
    made.append(make("small", key === "sell-all" ? `for ${dollars(count * each)}` : key === "hold-all" ? "in case it is founded again"
      : most ? `${most} for ${most / 2} ${hotelName(survivor)}${count > most ? `, hold ${count - most}` : ""}` : left ? "needs 2" : "the bank has none"));
    return made;
  };
  const tradeAll = whole("trade-all", "Trade all", 0, most);
  tradeAll.disabled = !most;
  const table = make("table"), body = make("tbody");
  /** @param {number} toSell @param {number} toTrade */
  const set = (toSell, toTrade) => () => change({ sell: toSell, trade: toTrade });
  body.append(
    row("td", [`sell at ${dollars(each)}`, counter("sell", sold, sold ? set(sold - 1, traded) : null, free ? set(sold + 1, traded) : null, "to sell"), `you get ${dollars(sold * each)}`]),
    row("td", [`trade 2 for 1 ${hotelName(survivor)}`, counter("trade", traded, traded ? set(sold, traded - 2) : null, free >= 2 && traded / 2 < left ? set(sold, traded + 2) : null, "pair to trade"), traded || count > 1 ? effects[traded / 2] : "needs 2"]),
    row("td", ["hold", make("b", sell === null ? "?" : String(free)), sell === null ? "choose above, or count" : "in case it is founded again"]),
  );
  for (const { cells } of body.rows) {
    cells[0].className = "who";
    cells[cells.length - 1].className = "effect";
  }
  table.append(body);
  return [
    ...part(`You hold ${plural(count, `${hotelName(hotel)} certificate`)}; the bank has ${left} of ${hotelName(survivor)}.`, "options all", [whole("sell-all", "Sell all", count, 0), tradeAll, whole("hold-all", "Hold all", 0, 0)]),
    ...part("", "scroll", [table]),
  ];
}

function replaceButtons() {
  const { draft } = seat;
  return part("", "options", [
    button("replace-yes", "Replace the whole hand", () => change({ replace: true }), draft.replace === true),
    button("replace-no", "Keep this hand", () => change({ replace: false }), draft.replace === false),
  ]);
}

export function panel() {
  const { question } = seat;
  switch (question?.kind) {
    case "turn": return [...tileButtons(question), ...hotelButtons(), ...equalsButtons(), ...purchaseRows()];
    case "merger": return [...hotelButtons(), ...equalsButtons()];
    case "order": return purchaseRows();
    case "keep": return keepRows(question);
    case "dispose": return disposalRows(question);
    case "replace": return replaceButtons();
    default: return [];
  }
}
