"""What the JSON-LD of a page says about the page itself: bounded, and silent where it speaks of several things."""

import json
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from webseam.core.limits import JSON_LD_CHARS, JSON_LD_NODES

if TYPE_CHECKING:
    from turbohtml import Document, Element

_Node: TypeAlias = dict[str, Any]

_TYPE: Final = "application/ld+json"
_ARTICLES: Final = ("Article", "Posting", "Report", "Recipe", "Dataset")  # how the names of types end
_PAGES: Final = ("Page",)
_SITE: Final = "WebSite"
_LIST: Final = 16  # values read of a list
_WRAPPERS: Final = (
    *("<!--", "-->", "//<![CDATA[", "//]]>", "/*<![CDATA[*/", "/*]]>*/", "/* <![CDATA[ */", "/* ]]> */"),
    *("<![CDATA[", "]]>", ";"),
)
_NAMING: Final = ("name", "url", "contentUrl")


def page_facts(doc: "Document") -> Mapping[str, list[str]]:
    """`title`, `description`, `author`, `published`, `modified`, `language`, `image` and `site`, where they are said.

    They come from the one article of the page, else from the one node that is a web page: two articles are a list of
    links, and say nothing about the page. What is no JSON, nested too deep or longer than 200,000 characters counts as
    absent. Nothing is raised.
    """
    blocks = [one for one in page_elements(doc, "script") if _is_json_ld(one)]
    if not blocks:
        return {}
    nodes = list(islice(_nodes(blocks), JSON_LD_NODES))
    named = (one for one in reversed(nodes) if isinstance(one.get("@id"), str) and not one.keys().isdisjoint(_NAMING))
    by_id = {one["@id"]: one for one in named}
    article, page, site = _only(nodes, _ARTICLES), _only(nodes, _PAGES), _only(nodes, (_SITE,))
    facts: dict[str, list[str]] = {}
    for node in (article, page):
        if node is not None:
            facts = _said_by(node, by_id) | facts
    names = _strings(site.get("name"), "name") if site else []
    return facts | ({"site": names} if names else {})


def _is_json_ld(script: "Element") -> bool:
    return (script.attr("type") or "").partition(";")[0].strip().lower() == _TYPE


def page_elements(doc: "Document", tag: str) -> "list[Element]":
    """Elements of a page by tag, in its order; those in a `<template>` are none of it."""
    found = doc.select(tag)
    return [one for one in found if one.closest("template") is None] if found and doc.select("template") else found


def _said_by(node: _Node, by_id: Mapping[str, _Node]) -> dict[str, list[str]]:
    said = {
        "title": _strings(node.get("headline"), "name") or _strings(node.get("name"), "name"),
        "description": _strings(node.get("description"), "name"),
        "author": _strings(node.get("author"), "name", by_id) or _strings(node.get("creator"), "name", by_id),
        "published": _strings(node.get("datePublished"), "@value"),
        "modified": _strings(node.get("dateModified"), "@value"),
        "language": _strings(node.get("inLanguage"), "alternateName"),
        "image": _strings(node.get("image"), "url", by_id) or _strings(node.get("image"), "contentUrl", by_id),
    }
    return {name: values for name, values in said.items() if values}


def _strings(value: Any, key: str, by_id: Mapping[str, _Node] | None = None) -> list[str]:
    """The texts of a value that may be a text, an object with one under `key`, a reference, or a list of these."""
    found: list[str] = []
    for one in value[:_LIST] if isinstance(value, list) else (value,):
        text = one
        if isinstance(one, dict):
            named = one.get(key)
            target = (by_id or {}).get(one["@id"]) if named is None and isinstance(one.get("@id"), str) else None
            text = target.get(key) if target is not None else one.get("@value") if named is None else named
        if isinstance(text, str) and text.strip():
            found.append(unescape(text.strip()))  # JSON that is in HTML is often escaped once more
    return found


def _nodes(blocks: "list[Element]") -> Iterator[_Node]:
    """Top-level objects, the members of top-level lists and of `@graph`, and what a page says it is about."""
    left = JSON_LD_CHARS
    for block in blocks:
        text = block.text
        left -= len(text)
        if left < 0:
            return
        value = _parsed(text)
        for one in value if isinstance(value, list) else (value,):
            if not isinstance(one, dict):
                continue
            graph = one.get("@graph")
            members = graph if isinstance(graph, list) else (graph,)
            for node in (one, *members):
                if isinstance(node, dict):
                    yield node
                    if isinstance(node.get("mainEntity"), dict):
                        yield node["mainEntity"]


def _parsed(text: str) -> Any:
    text = text.strip().removeprefix("\ufeff")
    for mark in _WRAPPERS:
        text = text.removeprefix(mark).removesuffix(mark).strip()
    try:
        return json.loads(text, strict=False)  # line breaks in strings are a common fault
    except (ValueError, RecursionError):
        return None  # a page whose JSON-LD is broken says nothing in it


def _only(nodes: list[_Node], endings: tuple[str, ...]) -> _Node | None:
    """The one node of such a type, which may be said twice; None where there are several, or none."""
    found = [node for node in nodes if any(kind.endswith(endings) for kind in _kinds(node))]
    headlines = {str(node.get("headline") or place) for place, node in enumerate(found)}
    return found[0] if len(headlines) == 1 else None


def _kinds(node: _Node) -> Iterator[str]:
    kind = node.get("@type")
    for one in kind[:_LIST] if isinstance(kind, list) else (kind,):
        if isinstance(one, str):
            yield one.rpartition("/")[2].rpartition("#")[2]
