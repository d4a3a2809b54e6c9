// What the person has chosen of the question so far. Nothing of it is sent before the end.
const me = match.me;
let question = null, over = null, draft = {}, sending = false;

const tileOf = () => question?.tiles?.find((tile) => tile.cell === draft.cell);
const optionsNow = () => (question?.kind === "merger" ? question.options : tileOf()?.options) ?? [];
const sameHotel = () => optionsNow().filter((option) => option.hotel === draft.hotel);
const optionNow = () => sameHotel().find((option) => String(option.equals) === String(draft.equals)) ?? null;
const purchaseNow = () => (question?.kind === "order" || question?.purchase ? question.purchase : optionNow()?.purchase ?? null);
const countOf = (hotel) => draft.order.filter((other) => other === hotel).length;
const priceOf = (hotel) => purchaseNow().hotels.find((row) => row.hotel === hotel).price;
const cost = () => draft.order.reduce((sum, hotel) => sum + priceOf(hotel), 0);

function emptyDraft() {
  const empty = { cell: null, hotel: undefined, equals: undefined, order: [], end: false, keep: [], sell: 0, trade: 0, replace: null, touched: false };
  if (question?.kind === "merger") Object.assign(empty, { cell: question.tile });
  if (question?.kind === "keep") empty.keep = question.hotels.map((one) => (one.count ? null : false));
  return empty;
}

// Take what is the only choice.
function settle() {
  const hotels = [...new Set(optionsNow().map((option) => option.hotel))];
  if (hotels.length === 1) draft.hotel = hotels[0];
  if (draft.hotel !== undefined && sameHotel().length === 1) draft.equals = sameHotel()[0].equals;
}

function canBuy(row) {
  const purchase = purchaseNow();
  const others = !purchase.mixed && draft.order.some((hotel) => hotel !== row.hotel);
  return draft.order.length < purchase.limit && !others && countOf(row.hotel) < row.left && cost() + row.price <= purchase.cash;
}

function change(changes) {
  Object.assign(draft, { touched: true }, changes);
  settle();
  refuse("");
  drawAll();
}

function chooseTile(cell) {
  const tile = question?.tiles?.find((other) => other.cell === cell);
  if (!tile) return;
  if (!tile.options) return refuse(`${cellName(cell)} cannot be placed. ${tile.why}`);
  if (draft.cell === cell) return;
  draft = emptyDraft();
  change({ cell });
}

function undo() {
  if (draft.end) return change({ end: false });
  if (draft.order.length) return change({ order: draft.order.slice(0, -1) });
  draft = emptyDraft();
  change({ touched: false });
}

const isEmpty = () => !draft.touched;

function isReady() {
  switch (question?.kind) {
    case "turn": return Boolean(optionNow()) || Boolean(question.purchase);
    case "merger": return Boolean(optionNow());
    case "keep": return draft.keep.every((kept) => kept !== null);
    case "replace": return draft.replace !== null;
    default: return Boolean(question);
  }
}

function asAnswer() {
  const equals = sameHotel().length > 1 ? draft.equals : [];
  const { order, end, keep, sell, trade, replace } = draft;
  return { id: question.id, tile: question.tiles ? draft.cell : null, hotel: draft.hotel ?? null, equals, order, end, keep, sell, trade, replace };
}
