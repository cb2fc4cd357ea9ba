/**
 * A part that is read from the gateway whenever it is shown.
 * @module
 */

import { wasAborted } from "./api.js";
import { announce, el, fill } from "./dom.js";
import { problem } from "./result.js";

/** The latest reading of each node: what an older one brings comes too late. */
const latest = new WeakMap();

/**
 * Read, then show; a failure is shown in its place. What stands there stays until then.
 * @template T
 * @param {HTMLElement} node
 * @param {() => Promise<T>} read
 * @param {(answer: T) => unknown} view
 * @returns {Promise<void>}
 */
export async function loaded(node, read, view) {
  const mine = {};
  latest.set(node, mine);
  node.setAttribute("aria-busy", "true");
  if (!node.childElementCount) fill(node, el("p", { class: "help" }, "Loading…"));
  try {
    const answer = await read();
    if (latest.get(node) === mine && node.isConnected) fill(node, view(answer));
  } catch (error) {
    if (wasAborted(error)) return;
    if (error.name !== "ApiError") throw error;
    if (latest.get(node) === mine) refused(node, error);
  } finally {
    node.setAttribute("aria-busy", "false");
  }
}

function refused(node, error) {
  fill(node, problem({ code: error.code, title: error.title, message: error.message, retry_after: error.retryAfter }));
  announce(`Refused: ${error.code}.`);
}
