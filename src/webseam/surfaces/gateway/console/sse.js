/**
 * Server-sent events read with fetch: EventSource cannot send a token (WHATWG HTML, section 9.2).
 * @module
 */

import { wasAborted } from "./api.js";
import { parsed } from "./json.js";

/** The gateway says something every 15 s; three silences are an end that nobody told. */
const SILENCE = 45_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** What a gateway may ask for: a timer that is set for more than 24 days rings at once, and a person waits no longer. */
const LONGEST_ASKED = 600_000;
/** A stream that ended sooner has failed again, though it was opened. */
const STEADY = 5_000;

/**
 * The events of a stream.
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} heard is called whenever something came, comments included.
 * @returns {AsyncGenerator<{event: string, id: string, data: string}>}
 */
export async function* events(body, heard = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let lines = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      const split = (rest + value).split("\n");
      rest = split.pop();
      for (const line of split.map((one) => one.replace(/\r$/, ""))) {
        if (line) lines.push(line);
        else {
          const event = eventOf(lines);
          lines = [];
          if (event.data) yield event;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // it may have failed already, and nobody waits for it
  }
}

function eventOf(lines) {
  const found = { event: "message", id: "", data: [] };
  for (const line of lines.filter((one) => !one.startsWith(":"))) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (name === "data") found.data.push(value);
    else if (name === "event" || name === "id") found[name] = value;
  }
  return { ...found, data: found.data.join("\n") };
}

/**
 * Follow a stream until it is stopped, and connect again whenever it ends, each time after a longer wait.
 * @param {{api: object, path: string, hears: {opened: () => void, event: (name: string, data: unknown) => void,
 *   state: (name: "connecting"|"live"|"waiting", seconds?: number, why?: string) => void}}} given
 * @returns {{stop: () => void, now: () => void}} `now` ends a wait.
 */
export function follow({ api, path, hears }) {
  const ended = new AbortController();
  let wake = () => {};
  let failures = 0;

  async function run() {
    while (!ended.signal.aborted) {
      hears.state("connecting");
      const problem = await once();
      if (ended.signal.aborted || problem?.status === 401) return;
      const wait = waitFor(failures++, problem?.retryAfter);
      hears.state("waiting", Math.ceil(wait / 1000), problem?.code === "UNREACHABLE" ? "" : problem?.message);
      await pause(wait);
    }
  }

  /** One connection; returns what ended it. */
  async function once() {
    const quiet = new AbortController();
    const began = performance.now();
    let timer = setTimeout(() => quiet.abort(), SILENCE);
    const heard = () => { clearTimeout(timer); timer = setTimeout(() => quiet.abort(), SILENCE); };
    try {
      const response = await api.open(path, { signal: AbortSignal.any([ended.signal, quiet.signal]), headers: { Accept: "text/event-stream" } });
      hears.state("live");
      hears.opened();
      for await (const event of events(response.body, heard)) told(event);
      return null;
    } catch (error) {
      if (!wasAborted(error) && !(error instanceof TypeError) && error.name !== "ApiError") throw error;
      return error.name === "ApiError" ? error : null;
    } finally {
      clearTimeout(timer);
      if (performance.now() - began > STEADY) failures = 0;
    }
  }

  function told({ event, data }) {
    let value;
    try {
      value = parsed(data);
    } catch {
      return; // half an event, as a proxy may leave it; the list is read anew after each connection
    }
    hears.event(event, value);
  }

  function pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  run();
  return { stop: () => { ended.abort(); wake(); }, now: () => { failures = 0; wake(); } };
}

/** Doubling, with a fifth of chance so that many pages do not come back at once. */
function waitFor(failures, asked = 0) {
  const doubled = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));
  return Math.max(Math.min(LONGEST_ASKED, asked * 1000), doubled * (0.9 + 0.2 * Math.random()));
}
