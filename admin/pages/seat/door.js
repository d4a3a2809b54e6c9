// The page on which people take a seat.
import { byId } from "../html/text.js";

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @param {string} text */
  const why = (text) => {
    byId("why").hidden = !text;
    byId("why").textContent = text;
  };
  why("");
  try {
    const body = JSON.stringify({ name: byId("name").value, secret: byId("secret").value });
    const answer = await fetch("/join", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (answer.ok) location.href = (await answer.json()).path;
    else why(await answer.text());
  } catch {
    why("The referee has stopped.");
  }
});
byId("name").focus();
