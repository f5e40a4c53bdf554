"""Reads from a page's style sheets which elements a browser does not display.

It heeds rules with simple selectors: a tag, a class, an id, or these together. A rule with a longer
selector only counts where it displays an element that a simple one hides.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import html

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"[{};]")
_COMPOUND = re.compile(r"([a-z][\w-]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_PART = re.compile(r"([.#])([\w-]+)")
_FOR_SCREENS = re.compile(r"@(?:media\s+(?:all|screen)|supports\b.*|layer\b.*)\s*", re.IGNORECASE)
_DISPLAY = re.compile(r"(?:^|;)\s*(?:display|visibility)\s*:\s*([\w-]+)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])"
)
_SHOWN = re.compile(r"display\s*:\s*[a-z]")
_MOST_RULES = 50  # that one tag, class or id may have
_BY_SEVERAL = (9, 9, 9)  # the weight of a rule whose selector names more than one element


class _Rule(NamedTuple):
    weight: tuple[int, int, int]  # ids, classes, tags: CSS 2.1, 6.4.3
    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    hides: bool


class StyleSheet:
    """The rules of a page that set `display` or `visibility`."""

    def __init__(self, root: html.HtmlElement) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        for style in root.iter("style"):
            for selectors, declarations in _blocks(_COMMENT.sub("", style.text or "")):
                values = _DISPLAY.findall(declarations)
                if values:
                    hides = values[-1].lower() in {"none", "hidden", "collapse"}
                    self._add(selectors, hides=hides)

    def _add(self, selectors: str, *, hides: bool) -> None:
        for selector in selectors.split(","):
            parts = selector.split()
            if not parts or (hides and len(parts) > 1):
                continue
            compound = _COMPOUND.fullmatch(parts[-1])
            if compound and ":" not in selector:
                self._store(compound, is_alone=len(parts) == 1, hides=hides)

    def _store(self, compound: re.Match[str], *, is_alone: bool, hides: bool) -> None:
        tag = (compound[1] or "").lower()
        names: dict[str, set[str]] = {".": set(), "#": set()}
        for sign, name in _PART.findall(compound[2]):
            names[sign].add(name)
        weight = (len(names["#"]), len(names["."]), bool(tag)) if is_alone else _BY_SEVERAL
        rule = _Rule(weight, tag, frozenset(names["."]), frozenset(names["#"]), hides)
        key = next((f"{sign}{name}" for sign in "#." for name in names[sign]), tag)
        rules = self._rules.setdefault(key, [])
        if len(rules) < _MOST_RULES:
            rules.append(rule)

    def hides(self, element: html.HtmlElement) -> bool:
        """Tells whether the element's own style or the rules for it hide the element."""
        own = element.get("style", "").casefold()
        if own and _HIDDEN.search(own):
            return True
        if not self._rules or (own and _SHOWN.search(own)):
            return False
        last: _Rule | None = None
        for rule in self._rules_for(element):
            if last is None or rule.weight >= last.weight:
                last = rule
        return last is not None and last.hides

    def _rules_for(self, element: html.HtmlElement) -> Iterator[_Rule]:
        name, own_id = str(element.tag), element.get("id", "")
        classes = frozenset(element.get("class", "").split())
        for key in (name, *(f".{each}" for each in classes), f"#{own_id}"):
            for rule in self._rules.get(key, ()):
                is_named = rule.tag in {"", name} and rule.ids <= {own_id}
                if is_named and rule.classes <= classes:
                    yield rule


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yields the selectors and declarations that hold on a screen of any size."""
    is_open: list[bool] = []  # for each at-rule around: whether it holds
    start = 0
    selectors = ""
    for brace in _BRACE.finditer(css):
        text = css[start : brace.start()].strip()
        if brace[0] == ";":
            if not selectors:
                start = brace.end()  # "@import …;"
            continue
        start = brace.end()
        if brace[0] == "{" and text.startswith("@"):
            is_open.append(bool(_FOR_SCREENS.fullmatch(text)))
        elif brace[0] == "{":
            selectors = text
        elif selectors:
            if all(is_open):
                yield selectors, text
            selectors = ""
        elif is_open:
            is_open.pop()
