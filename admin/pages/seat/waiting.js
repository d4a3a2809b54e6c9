// The page before the game has begun.
/** @import { SeatUpdate } from "../html/page_data.js" */
import { byId } from "../html/text.js";

const source = new EventSource("events");
source.onmessage = (message) => {
  /** @type {SeatUpdate} */
  const update = JSON.parse(message.data);
  if (update.frames.length) location.reload();
  else if (update.over) {
    source.close();
    byId("sentence").textContent = update.over.text;
  }
};
source.onerror = () => { byId("sentence").textContent = "The connection is lost."; };
