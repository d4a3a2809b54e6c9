// What a page hears from its server, and that it hears nothing any more. A server that has stopped, or a network
// that is gone, may leave a connection open; so it counts as lost when not even a sign of life comes.

const SILENCE = 40; // seconds; the server gives a sign of life every 15

// Take the messages at an address, until what is returned is called. `lose` is told that the connection is lost, and
// is tried again; or gone, when the server answers that there is nothing to hear.
/** @param {string} address @param {(message: any) => void} take @param {(isGone: boolean) => void} lose @returns {() => void} */
export function hear(address, take, lose) {
  /** @type {EventSource | null} */
  let source = null;
  let heard = performance.now();
  const stop = () => {
    source?.close();
    clearInterval(watching);
  };
  const connect = () => {
    source?.close();
    const made = new EventSource(address), alive = () => { heard = performance.now(); };
    source = made;
    made.addEventListener("alive", alive);
    made.onopen = alive;
    made.onmessage = ({ data: text }) => {
      alive();
      take(JSON.parse(text));
    };
    made.onerror = () => {
      const isGone = made.readyState === EventSource.CLOSED;
      if (isGone) stop();
      lose(isGone);
    };
  };
  const watching = setInterval(() => {
    if (performance.now() - heard < SILENCE * 1000) return;
    heard = performance.now();
    lose(false);
    connect();
  }, 1000);
  connect();
  return stop;
}
