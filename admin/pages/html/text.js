"use strict";
const byId = (id) => document.getElementById(id);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// End every Unicode isolate that a name leaves open, or the text after it would be part of it.
function closed(text) {
  let open = 0;
  for (const char of text) {
    if (/[\u2066-\u2068]/.test(char)) open += 1;
    else if (char === "\u2069" && open) open -= 1;
  }
  return text + "\u2069".repeat(open);
}

function make(tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = closed(String(text));
  if (kind) made.className = kind;
  return made;
}
