// The elements of the pages by their ids, for `byId` of text.js: an id that no template and no script
// gives is an error, and so is a property that its element does not have.
export interface Elements {
  // the viewer and a person's page
  data: HTMLScriptElement;
  sentence: HTMLElement;
  board: SVGSVGElement;
  marks: SVGGElement;
  players: HTMLTableElement;
  hotels: HTMLTableElement;
  events: HTMLOListElement;
  facts: HTMLElement;
  since: HTMLOListElement;
  prices: HTMLTableElement;
  notice: HTMLElement;
  near: HTMLElement;
  /** A hidden field on a person's page. */
  view: HTMLSelectElement | HTMLInputElement;
  // the viewer
  names: HTMLElement;
  "view-part": HTMLElement;
  speed: HTMLSelectElement;
  play: HTMLButtonElement;
  keys: HTMLElement;
  letters: HTMLInputElement;
  plot: SVGSVGElement;
  hovered: SVGGElement;
  place: SVGLineElement;
  dots: SVGGElement;
  reading: HTMLElement;
  outcome: HTMLElement;
  merger: HTMLElement;
  flying: HTMLElement;
  turning: HTMLElement;
  "turning-head": HTMLElement;
  "most-costly": HTMLElement;
  "most-costly-head": HTMLElement;
  odds: SVGSVGElement;
  "odds-part": HTMLElement;
  "odds-place": SVGLineElement;
  decisions: HTMLElement;
  "costly-count": HTMLElement;
  "costly-back": HTMLButtonElement;
  "costly-on": HTMLButtonElement;
  "why-note": HTMLElement;
  outputs: HTMLElement;
  "printed-back": HTMLButtonElement;
  "printed-on": HTMLButtonElement;
  // a live game
  waited: HTMLElement;
  jump: HTMLButtonElement;
  save: HTMLButtonElement;
  // a person's page
  clock: HTMLElement;
  "to-game": HTMLAnchorElement;
  "to-lobby": HTMLAnchorElement;
  absent: HTMLElement;
  "absent-why": HTMLElement;
  back: HTMLButtonElement;
  skip: HTMLButtonElement;
  lesson: HTMLElement;
  "lesson-head": HTMLElement;
  "lesson-text": HTMLElement;
  understood: HTMLButtonElement;
  explain: HTMLInputElement;
  move: HTMLFormElement;
  task: HTMLElement;
  standing: HTMLElement;
  choices: HTMLElement;
  hint: HTMLElement;
  advice: HTMLElement;
  refusal: HTMLElement;
  "send-part": HTMLElement;
  send: HTMLButtonElement;
  undo: HTMLButtonElement;
  suggest: HTMLButtonElement;
  summary: HTMLElement;
  result: HTMLElement;
  hints: HTMLInputElement;
  learn: HTMLButtonElement;
  intro: HTMLDialogElement;
  close: HTMLButtonElement;
  // the door
  form: HTMLFormElement;
  name: HTMLInputElement;
  secret: HTMLInputElement;
  why: HTMLElement;
  // the lobby
  title: HTMLElement;
  counts: HTMLElement;
  report: HTMLElement;
  bar: HTMLProgressElement;
  waiting: HTMLElement;
  "waiting-head": HTMLElement;
  lobby: HTMLElement;
  "waiting-part": HTMLElement;
  join: HTMLElement;
  live: HTMLElement;
  "live-part": HTMLElement;
  finished: HTMLElement;
  abandoned: HTMLElement;
  "abandoned-part": HTMLElement;
  standings: HTMLTableElement;
  "standings-part": HTMLElement;
  // the report of a tournament
  filter: HTMLFormElement;
  games: HTMLElement;
  "games-table": HTMLTableElement;
  "by-player": HTMLSelectElement;
  "by-verdict": HTMLSelectElement;
  more: HTMLButtonElement;
  shown: HTMLElement;
}
