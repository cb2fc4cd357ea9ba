"""Promises of the seam itself."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "core:selection:table": Requirement(
        "Each row of the selection table holds: one provider or the code that says why none.", "design 3; dsh-14"
    ),
    "core:selection:configured-unavailable": Requirement(
        "A configured provider that is unavailable is an error and never another provider in silence.", "R152; dsh-14"
    ),
    "core:selection:ambiguous": Requirement(
        "An ambiguous choice lists the available ids and names the setting that decides.", "design 3"
    ),
    "core:selection:blank": Requirement(
        "A blank id, an empty route and a blank member are no choice; repeated members count once.",
        "R153; dsh-13; design 3",
    ),
    "core:selection:nearest": Requirement(
        "An unknown id is refused with the nearest registered one and the list of all.", "R154; design 3"
    ),
    "core:selection:separate": Requirement(
        "Search, fetch and extract have separate registries, and an error names the providers that can.", "R155; dsh-9"
    ),
    "core:selection:each-call": Requirement("Availability is asked at each call and never cached.", "dsh-14; dsh-15"),
    "core:selection:broken-check": Requirement(
        "A provider whose availability check raises is unavailable, says so, and breaks nobody else.", "dsh-7; design 2"
    ),
    "core:selection:order": Requirement(
        "The order of registration decides neither the provider nor the error.", "design 3; dsh-14"
    ),
    "core:selection:no-fanout": Requirement(
        "A fan-out for fetch or extract is a configuration error at construction.", "design 4"
    ),
    "core:describe:agrees": Requirement(
        "Describing the selection tells exactly what a call would do now, its error included.", "design 3; dsh-15"
    ),
    "core:registry:duplicate": Requirement(
        "A second provider of one id in one capability is refused at once and the first stays.", "dsh-10; design 3"
    ),
    "core:registry:disposer": Requirement(
        "A disposer is idempotent and removes only its own registration, never a later one.", "dsh-11; design 3"
    ),
    "core:registry:mid-call": Requirement(
        "Registrations may come and go during calls; a running call ends normally and the next one sees the change.",
        "design 3",
    ),
    "core:guarantee:max-results": Requirement(
        "At most the asked number of sources comes back, a cut is marked, and a vendor's own mark stays.",
        "dsh-16; design 3",
    ),
    "core:guarantee:web-urls": Requirement(
        "Only http and https sources with a host come back; the others are dropped and counted.", "design 3"
    ),
    "core:guarantee:credentials": Requirement(
        "No source's URL carries a user name or a password: the page comes under its bare URL, in the prose too.",
        "design 3; design 8",
    ),
    "core:guarantee:duplicates": Requirement("A URL comes back once and the folded rows are counted.", "design 3"),
    "core:guarantee:domains": Requirement(
        "Domain controls hold on the final URLs, over case, IDN and trailing dots, at the boundary of a dot.",
        "design 3; R038",
    ),
    "core:guarantee:ungrounded": Requirement(
        "An ungrounded answer has no sources, its URLs are counted, and grounding is never told from their number.",
        "design 2; enso-3",
    ),
    "core:guarantee:marks": Requirement(
        "No mark in an answer leads to a page that was refused, and the rest are numbered as the sources are listed.",
        "issue 3.3, design 3",
    ),
    "core:guarantee:absent": Requirement("What is absent is None and never an empty string.", "dsh-3; design 2"),
    "core:guarantee:raw": Requirement(
        "The vendor's payload is in the result only when the call asked for it.", "design 2"
    ),
    "core:arguments:max-results": Requirement(
        "A bound below one is refused before a provider is called.", "design 4; dsh-16"
    ),
    "core:arguments:query": Requirement(
        "A blank, endless or broken query is refused before a provider is called, any other reaches it verbatim.",
        "R150; dsh-16; design 5",
    ),
    "core:arguments:types": Requirement(
        "A request, URL or timeout of the wrong type is refused in words, not with a traceback.",
        "design 5",
    ),
    "core:arguments:domains": Requirement(
        "A domain control that is no host name is refused instead of being dropped in silence.", "design 3"
    ),
    "core:arguments:timeout": Requirement(
        "A timeout that is no positive finite number is refused as an invalid argument.", "design 6; dsh-25"
    ),
    "core:controls:plan": Requirement("Each control asked is reported as native, enforced or unsupported.", "design 2"),
    "core:controls:strict": Requirement(
        "In strict mode a control that nobody honours is refused before the provider is called.", "design 2; design 4"
    ),
    "core:controls:fanout": Requirement(
        "A fan-out reports for each control the weakest status among its members.", "design 4"
    ),
    "core:route:usage": Requirement(
        "The usage of a route holds what every answer cost, also of those passed over.", "design 2, R165"
    ),
    "core:route:causes": Requirement("An exhausted route keeps each member's error as its cause.", "design 5"),
    "core:route:order": Requirement(
        "Members of a route are tried in order, each at most once, and the first good answer wins.", "design 4"
    ),
    "core:route:moves-on": Requirement(
        "Every code moves on or ends the route as the design says, at every position.", "design 4; enso-15"
    ),
    "core:route:members": Requirement(
        "A member that is missing, unavailable or without credentials is passed over and told.", "design 4"
    ),
    "core:route:ungrounded": Requirement(
        "An ungrounded answer moves on while a later member is available and survives what comes after.",
        "design 4; enso-15",
    ),
    "core:route:state-machine": Requirement(
        "Each row of the fallback state machine holds, with the remark on billing only after dispatch.",
        "enso-15; enso-4",
    ),
    "core:route:exhausted": Requirement(
        "An exhausted route names each member with its code and speaks of a bill only when something left.", "design 4"
    ),
    "core:route:capabilities": Requirement("Fetch and extract have the same routes as search.", "design 4"),
    "core:route:any-script": Requirement(
        "Whatever its members do, a route follows the rule: attempts, outcome, time and billing agree.",
        "design 4; enso-16",
    ),
    "core:ungrounded:error": Requirement(
        "Where configured, an ungrounded answer is an error with its attempts.", "design 4; dsh-65"
    ),
    "core:attempts:rotation": Requirement("Tries recorded inside a provider are told one by one.", "design 4"),
    "core:attempts:own": Requirement(
        "An error keeps its class, cause and traceback, and each call is told its own attempts.", "design 5"
    ),
    "core:fetch:any-status": Requirement(
        "Any HTTP status is a result and never a reason to fall back.", "dsh-18; design 5"
    ),
    "core:deadline:route": Requirement(
        "All members of a route share one deadline, and a spent one ends the route before the next attempt.",
        "enso-16; design 4",
    ),
    "core:deadline:stalled": Requirement(
        "A stalled provider ends at the deadline with its capability's code and leaves nothing to the next.",
        "enso-16; dsh-30",
    ),
    "core:deadline:call-wins": Requirement(
        "A deadline in the call wins over a timeout, and a timeout over the configured time.", "design 6"
    ),
    "core:deadline:spent": Requirement("A call whose deadline is spent starts nothing.", "enso-16"),
    "core:deadline:point": Requirement(
        "A deadline is a point on an injectable clock and a part of it can only be sooner.", "design 6"
    ),
    "core:deadline:again": Requirement(
        "A block that swallows its cancellation, as asyncio.wait_for of Python 3.11 may, is cancelled till it ends.",
        "design 6",
    ),
    "core:deadline:bounded": Requirement(
        "A bounded block ends by deadline or abort whatever it makes of its cancellation.", "design 6; dsh-29; dsh-30"
    ),
    "core:call:check": Requirement("A call that is over says why, the abort before the deadline.", "dsh-28; design 6"),
    "core:signals:inner-timeout": Requirement(
        "A provider's own timeout is no spent deadline while time is left.", "dsh-30; design 4"
    ),
    "core:signals:told-by-signal": Requirement(
        "Deadline and abort are told apart by the signal, whatever exception a provider makes of it.",
        "dsh-30; dsh-67; design 6",
    ),
    "core:signals:swallowed": Requirement(
        "A provider that swallows its cancellation gets no late answer through.", "design 6"
    ),
    "core:abort:before": Requirement("An abort set beforehand starts nothing and judges nothing.", "dsh-28"),
    "core:abort:during": Requirement(
        "An abort during a call ends it as aborted, says whether the request had left, and leaves no task.",
        "design 6; dsh-19",
    ),
    "core:abort:between": Requirement(
        "An abort between two members ends the route, with an answer in hand or without.", "design 4"
    ),
    "core:cancel:through": Requirement(
        "Cancelling the task cancels the provider, waits for its clean-up, and passes through untouched.", "design 6"
    ),
    "core:cancel:swallowed": Requirement(
        "A provider cannot swallow the caller's cancellation, and no later member is billed after it.", "design 6"
    ),
    "core:cancel:own": Requirement(
        "A cancellation that nobody asked for is a failure of the provider.", "dsh-30; design 6"
    ),
    "core:errors:foreign": Requirement(
        "A foreign exception becomes a provider error with its cause chained and without its words.", "design 5; dsh-19"
    ),
    "core:errors:misfit": Requirement(
        "A provider that returns no result of its capability has failed.", "dsh-47; design 5"
    ),
    "core:errors:base-exception": Requirement("What is no Exception is never swallowed.", "design 6"),
    "core:errors:exit-codes": Requirement(
        "Every code has the exit code of the table, and there is no code beside it.", "design 5"
    ),
    "core:errors:open-codes": Requirement("An unknown code is carried as it is.", "dsh-8; design 5"),
    "core:errors:retryable": Requirement(
        "What may succeed later is told from the code unless the provider says so itself.", "design 5"
    ),
    "core:errors:plain": Requirement(
        "An error as plain data holds what is known and nothing of its cause.", "design 5"
    ),
    "core:errors:wait": Requirement(
        "A failure's wait is none or at most a day, whatever a plugin says; what is no time is no wait.", "design 5"
    ),
    "core:errors:text": Requirement("An error as text is its code and message.", "dsh-8"),
    "core:errors:travels": Requirement("An error survives copying and pickling whole.", "design 11"),
    "core:fanout:rank": Requirement(
        "A fan-out merges by reciprocal rank: each URL once, and only ties depend on the order of members.", "design 4"
    ),
    "core:fanout:partial": Requirement(
        "Parts of a fan-out that failed are told and do not spoil the rest.", "design 4"
    ),
    "core:fanout:all-fail": Requirement("A fan-out fails only when all parts fail, and names each.", "design 4"),
    "core:fanout:ungrounded": Requirement("A fan-out is ungrounded only when no part searched.", "design 4; design 2"),
    "core:fanout:merge": Requirement(
        "The merged answer keeps notices, payloads and summable usage, and the bound holds for the whole.",
        "design 4; design 3",
    ),
    "core:fanout:time": Requirement(
        "A fan-out keeps what came in time, and ends as aborted when the caller aborts.", "design 4; design 6"
    ),
    "core:fanout:at-once": Requirement(
        "Members of a fan-out are asked at once and report no progress.", "design 4; enso-17"
    ),
    "core:gate:once": Requirement(
        "The gate is asked once per search, fetch or extraction about what the provider gets.", "design 2; design 7"
    ),
    "core:gate:denied": Requirement(
        "What the gate denies never reaches a provider and ends the route.", "design 4; design 8"
    ),
    "core:gate:fails-closed": Requirement("A gate that fails is a denial.", "design 8; enso-8"),
    "core:gate:bounded": Requirement("A gate that waits for a person waits no longer than the call.", "design 6"),
    "core:gate:held-page": Requirement(
        "A page already here is held to the URL rules and the gate before it is shown.", "design 7"
    ),
    "core:events:order": Requirement(
        "An observer hears permission, selection, request and end of each try in order.", "dsh-68"
    ),
    "core:events:stops": Requirement(
        "An observer that raises stops the call before dispatch, whatever a provider makes of it.", "dsh-68"
    ),
    "core:progress:stops": Requirement(
        "A progress callback that raises ends the call as the caller's abort; no provider is blamed or tried after it.",
        "design 2; dsh-68",
    ),
    "core:progress:route": Requirement(
        "Each member of a route tells its own answer's text from the start.", "design 2; enso-17"
    ),
    "core:dispatch:tries": Requirement(
        "Who cancels a call knows every try that it had made.", "design 4: attempts; enso-15"
    ),
    "core:route:retry": Requirement(
        "A route that failed is worth another call when one of its failures is, after the shortest wait named.",
        "design 5",
    ),
    "core:dispatch:above": Requirement(
        "A dispatch mark reaches the call above even when the call is cancelled.", "enso-4; design 4"
    ),
    "core:url:canonical": Requirement(
        "Every spelling of a URL has one canonical form that survives being parsed again.", "design 7; dsh-93"
    ),
    "core:url:refused": Requirement(
        "What cannot be asked of the web is refused with its code and no other exception.", "dsh-20; dsh-27; design 7"
    ),
    "core:url:length": Requirement("A URL has at most 2,048 code points, inclusive.", "dsh-24; dsh-95"),
    "core:url:order": Requirement(
        "Length is checked before parse, scheme, credentials and host, in this order.", "dsh-27"
    ),
    "core:url:parts": Requirement("Equal origin is equal scheme, host and port, default ports left out.", "dsh-33"),
    "core:url:join": Requirement("A relative URL is joined to its page and held to the same rules.", "dsh-32; R031"),
    "core:url:host": Requirement("A host name has one ASCII form, and a domain ends at a dot.", "R038; design 7"),
    "core:text:one-line": Requirement(
        "Text of a server goes on one line without control or invisible characters, and a cut is marked.", "design 5"
    ),
    "core:text:redacted": Requirement(
        "Given secrets and what stands where a key would are taken out of an error, common words are not.", "design 5"
    ),
    "core:text:linear": Requirement("Cleaning a hostile error text costs no more than its length.", "design promise 2"),
    "core:plain:shape": Requirement(
        "Every value has one plain form: absent fields left out, bytes as base64, kinds kept.", "design 2; dsh-79"
    ),
    "core:snapshots:keys": Requirement(
        "A kept page is found under the URL asked and the final one, fragment off.", "R168; design 8"
    ),
    "core:snapshots:fresh": Requirement("A kept page is fresh for its time and then gone.", "design 8"),
    "core:snapshots:bytes": Requirement(
        "Kept pages never take more memory than their bound; the oldest go first.", "design 8; design promise 2"
    ),
    "core:walls:imports": Requirement("Core imports the standard library, itself and one URL parser.", "design 1"),
    "core:walls:light": Requirement("Importing the package or its core loads nothing heavy.", "design 1"),
    "core:web:closed": Requirement("A closed Web refuses every call in words and asks nobody.", "design 9"),
    "core:web:close": Requirement("Closing runs what was added, last first, once.", "design 9"),
    "testing:fakes:script": Requirement(
        "The fakes play their script in order under their own id.", "style 4; design 1"
    ),
    "testing:fakes:honest": Requirement(
        "The fakes keep the provider contract: dispatch marks, cancellation, the call handed on.", "style 4; design 1"
    ),
    "testing:fakes:clock": Requirement("The manual clock moves by hand and never back.", "design 6"),
    "core:vocabulary:values": Requirement(
        "Every word of the seam is a frozen, slotted, keyword-only value.", "design 2"
    ),
    "core:vocabulary:requests": Requirement(
        "A fetch is a URL and nothing else; a search is a query, a bound and neutral controls.",
        "dsh-1; dsh-4; design 2",
    ),
    "core:vocabulary:body": Requirement("A body is one of five kinds, told apart by its kind.", "dsh-6; design 2"),
    "core:vocabulary:absent": Requirement("What a vendor did not give is absent.", "dsh-3; design 2"),
    "core:call:handed-on": Requirement("What the caller gave reaches the provider as it is.", "dsh-16; design 2"),
    "core:dates:read": Requirement(
        "A source's date is read in the forms that vendors send, as the day that is written there.",
        "INDEX section 4.3; design 2",
    ),
    "core:dates:not-read": Requirement(
        "A relative, ambiguous or nonsensical date is no day, and no text makes the reader fail.", "INDEX section 4.3"
    ),
    "core:guarantee:dates": Requirement(
        "Where a vendor honours dates, a source that is dated clearly outside them is dropped and counted; a date that "
        "stands for an unknown one is none.",
        "design 2; design 3",
    ),
    "core:arguments:forms": Requirement(
        "A day, country, language or safe search of the wrong form is refused before anybody is asked.", "design 2"
    ),
    "core:default-controls:held": Requirement(
        "Configured controls hold for every search and are reported like any other.", "design 2; design 10"
    ),
    "core:default-controls:own": Requirement(
        "A request's own country, language and dates win; exclusions add up; the stricter safe search holds.",
        "design 2; design 10",
    ),
    "core:default-controls:pinned": Requirement(
        "A request may narrow within the configured domains, and is refused when it asks beyond them.",
        "design 2; design 10",
    ),
    "core:default-controls:unsupported": Requirement(
        "A configured control that a provider cannot honour is refused, and said to come from the configuration.",
        "design 2; design 5",
    ),
    "core:default-controls:checked": Requirement(
        "Configured controls of a wrong form are refused when the seam is made, by the setting's name.", "design 10"
    ),
    "core:controls:lenient-values": Requirement(
        "Leniently, a value that a vendor refuses before anything leaves is left out and reported, domains are held.",
        "issue 3 point 3; design 2",
    ),
}
