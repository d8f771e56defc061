/** The one socket of the page: the pure `Link` bound to the browser's WebSocket and clock. */
import { Link } from "../core/reconnect.js";
import { newId } from "./ids.js";

/** @param {import("../core/reconnect.js").SocketEvents} events */
function connect(events) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/ws`);
  socket.addEventListener("open", events.onOpen);
  socket.addEventListener("message", (message) => events.onText(message.data));
  socket.addEventListener("close", (close) => events.onClose(close.code));
  return {
    send: (/** @type {string} */ text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}

/** The hash of the static folder, from this module's own address; "dev" outside a server. */
const build = /\/s\/([^/]+)\//.exec(import.meta.url)?.[1] ?? "dev";

/**
 * @param {import("../core/store.js").Store} store
 * @param {ConstructorParameters<typeof Link>[2]} hooks
 */
export function browserLink(store, hooks) {
  const link = new Link(store, {
    connect,
    now: () => performance.now(),
    after: (ms, then) => setTimeout(then, ms),
    cancel: (timer) => clearTimeout(/** @type {any} */ (timer)),
    random: Math.random,
    newId,
    build,
  }, hooks);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") link.probe();
  });
  addEventListener("online", () => link.probe());
  return link;
}
