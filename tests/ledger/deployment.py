"""Promises of the Dockerfile, of deploy/ and of docs/deployment.md."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "deployment:egress:table": Requirement("The NetworkPolicy, the unit and the script of the Docker bridge deny what the guard refuses, no more and no less but for blocks that are named.", "issue 7.7; design 7"),
    "deployment:egress:page": Requirement("Each of them denies every range that SECURITY.md asks to deny.", "issue 7.7"),
    "deployment:egress:exceptions": Requirement("What is open inside is told one by one: DNS and Valkey by label and port, loopback by single addresses.", "issue 7.7"),
    "deployment:egress:bridge": Requirement("The script holds a bridge's containers to the rule, lets answers pass, may be run again, and can be undone.", "issue 7.7"),
    "deployment:image:build": Requirement("The image is built in stages from the pinned versions, with the extras serve, mcp, fleet and telemetry, and names no package index.", "issue 7.7"),
    "deployment:image:user": Requirement("The image runs as a user of its own that may write to its data folder alone.", "issue 7.7"),
    "deployment:image:health": Requirement("The image's health check passes while the gateway answers, and fails when it does not.", "issue 7.7"),
    "deployment:image:context": Requirement("What the image is built from is let in by name; everything else stays outside.", "issue 7.7"),
    "deployment:configuration": Requirement("The configuration that is delivered loads, and every variable, command and path of the deployment files is one of webseam's own.", "issue 7.7"),
    "deployment:compose": Requirement("The compose file runs two gateways with a read-only root and no capabilities, and Valkey on a network without a way out.", "issue 7.7"),
    "deployment:compose:valkey": Requirement("The compose file's Valkey takes its password from standard input and refuses whoever has none.", "issue 7.7"),
    "deployment:unit": Requirement("The unit is one that systemd takes, and what it opens is told and small.", "issue 7.7"),
    "deployment:unit:credentials": Requirement("The unit hands tokens and keys over in a form that the gateway takes.", "issue 7.7"),
    "deployment:kubernetes:pods": Requirement("The pods keep to the restricted standard, have bounds for memory, and end no call on the way out.", "issue 7.7"),
    "deployment:kubernetes:probes": Requirement("The probes' paths answer without a token under the Host that a kubelet sends.", "issue 7.7"),
    "deployment:kubernetes:names": Requirement("Every name that one manifest uses is given by another, or is a Secret that the page says how to make.", "issue 7.7"),
    "deployment:page": Requirement("The page says how each way is run, and that no container was run to test it.", "issue 7.7"),
}  # fmt: skip
