// What this browser keeps between games: settings, lessons that were read, and how games have ended.
/** @import { RankedStep } from "../html/page_data.js" */
import { game } from "../html/course.js";
import { dollars, plural } from "../html/text.js";

const YEAR = 31536000;

// Remembered by a cookie: the page has another port in every game, and cookies do not mind.
/** @param {string} name */
export const remembered = (name) => document.cookie.split("; ").find((each) => each.startsWith(`acquire-${name}=`))?.split("=")[1] ?? "";
/** @param {string} name @param {string} value */
export function remember(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing on pages without encryption, as this one
  document.cookie = `acquire-${name}=${value}; max-age=${value ? YEAR : 0}; path=/; samesite=strict`;
}

// How the games by this rulebook have ended; `number` is that of the game on this page, which counts once,
// however often the page is loaded.
/** @param {RankedStep} own @param {number} number */
export function record({ rank, score }, number) {
  const name = `record-${game.rulebook}`, counted = `${location.pathname}${number}`;
  let [won = 0, played = 0, best = 0] = remembered(name).split(".").map(Number);
  if (!localStorage.getItem(counted)) [won, played, best] = [won + Number(rank === 1), played + 1, Math.max(best, score)];
  localStorage.setItem(counted, "1");
  remember(name, [won, played, best].join("."));
  return `In this browser you have won ${won} of ${plural(played, "game")} by rulebook ${game.rulebook}. Your best score: ${dollars(best)}.`;
}
