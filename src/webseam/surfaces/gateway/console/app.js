/**
 * The console: who is signed in, and which part is shown.
 * @module
 */

import { createActivity } from "./activity.js";
import { createApi, wasAborted } from "./api.js";
import { announce, fill, foreign } from "./dom.js";
import { duration } from "./format.js";
import { createPlayground } from "./playground.js";
import { createPolicy } from "./policy.js";
import { createProviders } from "./providers.js";
import { closeRecord } from "./record.js";
import { createTabs } from "./tabs.js";
import { createUsage } from "./usage.js";

const PARTS = {
  playground: createPlayground,
  activity: createActivity,
  providers: createProviders,
  usage: createUsage,
  policy: createPolicy,
};

const REVOKED = "The token is no longer accepted: it was revoked, or has run out. What was shown is gone.";
const CLOSED = "This gateway asks for a token now.";
const api = createApi({ refused: (had) => leave(had ? REVOKED : CLOSED) });
const tabs = createTabs(byId("tabs"), (name) => show(name));

/** Whether the person wants the token kept, once it proves to be good. */
let keeping = false;
/** The parts of whoever is signed in, by name; empty while nobody is. */
let parts = {};
let shown = null;

function byId(id) {
  return document.getElementById(id);
}

/** Ask who this is, and show what they may see. */
async function enter() {
  only("waiting");
  try {
    const { data } = await api.get("/v1/console");
    api.welcomed();
    if (keeping) api.keep();
    welcome(data);
    return true;
  } catch (error) {
    if (wasAborted(error)) return false;
    if (error.status === 401) askForToken(api.hasToken() ? "This token is not accepted. Check it, or have a new one made." : "");
    else trouble(error);
    return false;
  }
}

function welcome(info) {
  const context = { api, info };
  parts = Object.fromEntries(Object.entries(PARTS).map(([name, create]) => [name, create(byId(`panel-${name}`), context)]));
  shown = null;
  fill(byId("who"), "Tenant ", foreign(info.tenant, "b"), info.admin ? ", sees all tenants" : "", " · webseam ", info.version);
  byId("sign-out").hidden = !api.hasToken();
  only("panels");
  tabs.begin();
}

/** Show a part; the one before rests, so that one stream at most is open. */
function show(name) {
  if (!parts[name]) return;
  parts[shown]?.hide?.();
  shown = name;
  parts[name].show?.();
}

/** One of the four: the parts, the question for a token, the trouble, the wait for an answer. */
function only(name) {
  for (const id of ["panels", "sign-in", "trouble", "waiting"]) byId(id).hidden = id !== name;
  byId("tabs").hidden = name !== "panels";
}

/** Forget everything that this token showed. */
function leave(why) {
  api.forget();
  parts[shown]?.hide?.();
  for (const part of Object.values(parts)) part.clear();
  parts = {};
  shown = null;
  closeRecord();
  fill(byId("who"));
  byId("sign-out").hidden = true;
  askForToken(why);
}

function askForToken(why) {
  only("sign-in");
  const told = byId("sign-in-why");
  told.hidden = why === "";
  fill(told, why);
  api.forget();
  document.title = "Sign in – webseam console";
  byId("token").value = "";
  byId("token").setAttribute("aria-invalid", String(why !== ""));
  byId("token").focus();
  announce(why || "A token is needed.");
}

function trouble(error) {
  only("trouble");
  byId("sign-out").hidden = !api.hasToken();
  const wait = error.retryAfter ? ` Wait ${duration(error.retryAfter * 1000)} before trying again.` : "";
  fill(byId("trouble-text"), `${error.message} (${error.code ?? "no code"})${wait}`);
  byId("trouble-again").focus();
  announce(error.message);
}

async function signIn(event) {
  event.preventDefault();
  const given = byId("token").value.trim();
  keeping = byId("remember").checked;
  byId("token").value = "";
  if (!given) askForToken("Paste a token first.");
  else if (!api.take(given)) askForToken("This is no token: one has only letters, digits and signs without spaces.");
  else if (await enter()) {
    byId(`tab-${tabs.current()}`).focus();
    announce("Signed in.");
  }
}

async function tryAgain() {
  if (await enter()) byId(`tab-${tabs.current()}`).focus();
}

async function signOut() {
  leave("");
  if (await enter()) announce("Signed out. This gateway asks for no token.");
  else announce("Signed out.");
}

byId("sign-in-form").addEventListener("submit", signIn);
byId("sign-out").addEventListener("click", signOut);
byId("trouble-again").addEventListener("click", tryAgain);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address's hash names the tab
  byId("main").focus();
});
enter();
