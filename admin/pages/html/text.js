// What all pages make their parts with.
/** @import { Elements } from "./elements.js" */
const SVG = "http://www.w3.org/2000/svg";

// The element with this id; its type is that of `Elements`.
/** @template {keyof Elements} Id @param {Id} id @returns {Elements[Id]} */
export function byId(id) {
  const found = /** @type {Elements[Id] | null} */ (/** @type {unknown} */ (document.getElementById(id)));
  if (!found) throw new Error(`There is no ${id} on this page.`);
  return found;
}

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
// Halves are rounded away from zero, as Python does here; 0.285 times 100 is a little less than 28.5.
/** @param {number} value */
export const whole = (value) => Math.sign(value) * Math.round(Math.abs(value) + 5e-7);
/** @param {number} amount */
export const dollars = (amount) => `$${amount.toLocaleString("en")}`;

// End every Unicode isolate that a name leaves open, or the text after it would be part of it.
/** @param {string} text */
export function closed(text) {
  let open = 0;
  for (const char of text) {
    if (/[\u2066-\u2068]/.test(char)) open += 1;
    else if (char === "\u2069" && open) open -= 1;
  }
  return text + "\u2069".repeat(open);
}

/** @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {string | number} [text] @param {string} [kind] */
export function make(tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = closed(String(text));
  if (kind) made.className = kind;
  return made;
}

/** @template {keyof SVGElementTagNameMap} Tag @param {Tag} tag @param {Record<string, string | number>} attributes @param {string | number} [text] */
export function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = String(text);
  return made;
}

// Say something above the page; screen readers announce it once, not at every step.
/** @param {string} text */
export function notice(text) {
  if (byId("notice").textContent === text) return;
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}
