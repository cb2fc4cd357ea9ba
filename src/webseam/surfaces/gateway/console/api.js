/**
 * The gateway's routes. The token lives in this closure, and in the tab's storage only where a person asked for it.
 * @module
 */

import { parsed } from "./json.js";

/** Where the gateway is, which may be below a path of its host; other gateways may be beside it. */
const HERE = new URL("./", document.baseURI);
const KEPT = `webseam.token ${HERE.pathname}`;
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** An answer that is none: the gateway's problem, or no answer at all (`status` 0). */
export class ApiError extends Error {
  /** @param {{status: number, code: string, detail: string, title?: string, retryAfter?: number, requestId?: string}} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "ApiError";
    Object.assign(this, problem);
  }
}

/**
 * Whether the person, or a sign-out, ended a request.
 * @param {unknown} error
 * @returns {boolean}
 */
export function wasAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * The routes under one token.
 * @param {{refused: (had: boolean) => void}} hears `refused` is called when what was good is not taken any more, with
 *   whether there was a token.
 * @returns {object} `get`, `post`, `open` (a response whose body is read on), and what holds the token.
 */
export function createApi({ refused }) {
  let token = stored((storage) => storage.getItem(KEPT)) ?? null;
  let life = new AbortController();
  let welcome = false;

  async function open(path, { body, signal, headers = {} } = {}) {
    const asked = life;
    const response = await sent(path, {
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...authorization(token), ...headers },
      signal: signal ? AbortSignal.any([signal, asked.signal]) : asked.signal,
    });
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (response.status === 401 && welcome && asked === life) {
      const had = token !== null;
      forget();
      refused(had);
    }
    throw problem;
  }

  /** End every request and drop the token. */
  function forget() {
    life.abort();
    life = new AbortController();
    token = null;
    welcome = false;
    stored((storage) => storage.removeItem(KEPT));
  }

  return {
    open,
    get: async (path, options = {}) => read(await open(path, options)),
    post: async (path, body, options = {}) => read(await open(path, { ...options, body })),
    forget,
    /** From now on a refusal means that the token was taken back. */
    welcomed: () => { welcome = true; },
    /** @returns {boolean} */
    hasToken: () => token !== null,
    /**
     * Use a token from now on.
     * @param {string} given
     * @returns {boolean} whether it can be one at all
     */
    take: (given) => {
      token = TOKEN.test(given) ? given : null;
      return token !== null;
    },
    /** Keep the token for this tab. */
    keep: () => { if (token !== null) stored((storage) => storage.setItem(KEPT, token)); },
  };
}

/** A browser may keep pages from storing anything; then nothing is kept. */
function stored(use) {
  try {
    return use(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function authorization(token) {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

async function sent(path, options) {
  try {
    return await fetch(new URL(`.${path}`, HERE), { ...options, cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
  } catch (error) {
    throw wasAborted(error) ? error : unreachable(error);
  }
}

async function read(response) {
  let data;
  try {
    data = parsed(await response.text());
  } catch (error) {
    throw wasAborted(error) ? error : unreachable(error);
  }
  return { data, requestId: response.headers.get("x-request-id") ?? "" };
}

function unreachable(cause) {
  const detail = "The gateway cannot be reached, or the connection ended before its answer was whole. Is it running?";
  return Object.assign(new ApiError({ status: 0, code: "UNREACHABLE", detail }), { cause });
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  return new ApiError({
    status: response.status,
    code: String(told?.code ?? `HTTP_${response.status}`),
    title: String(told?.title ?? "The gateway refused"),
    detail: String(told?.detail ?? "The answer did not say why. A proxy in between may have given it."),
    retryAfter: waitOf(response.headers),
    requestId: response.headers.get("x-request-id") ?? "",
  });
}

/** Seconds to wait, said as such or as a date (RFC 9110, 10.2.3), which is held against the gateway's own clock. */
function waitOf(headers) {
  const said = headers.get("retry-after")?.trim() ?? "";
  const wait = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - (Date.parse(headers.get("date")) || Date.now())) / 1000;
  return wait > 0 ? Math.ceil(wait) : undefined;
}
