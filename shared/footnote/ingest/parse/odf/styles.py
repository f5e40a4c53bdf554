"""Reads ODF's styles: what they hide, raise or number, and the master pages."""

from collections.abc import Iterator

from footnote.ingest.parse.odf.numbers import NO_LEVELS, Levels
from footnote.ingest.parse.odf.xml import attribute, children, has_text, own_attribute
from footnote.ingest.parse.safe_xml import Element, local_name

_GROUPS = ("styles", "automatic-styles", "master-styles")
_FORMATS = frozenset(
    f"{kind}-style" for kind in ("number", "currency", "percentage", "date", "time", "text")
)
_HEEDED = frozenset(
    {
        "background-objects-visible",
        "display",
        "display-date-time",
        "display-footer",
        "text-position",
        "visibility",
    }
)
"""The properties that decide what a document shows."""
_NO_CONTENT = frozenset({"map", "text-properties"})
_MOST_PARENTS = 20  # a style may be its own ancestor


class Styles:
    """The styles of `styles.xml` and of `content.xml`, by family and name."""

    def __init__(self, common: Element | None, content: Element) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._lists: dict[str, Levels] = {}
        self._heeded: dict[tuple[str, str], dict[str, str]] = {}
        self._own: dict[tuple[str, str, str], str | None] = {}
        self._blank_formats: set[str] = set()
        self.outline = Levels()
        self.masters: dict[str, Element] = {}
        for root in (common, content):
            for group in children(root, *_GROUPS) if root is not None else ():
                for style in group:
                    self._add(style)

        self.blank_cells = frozenset(
            name
            for (family, name), style in self._styles.items()
            if self._blank_formats
            and family == "table-cell"
            and own_attribute(style, "data-style-name") in self._blank_formats
        )
        """Styles of cells whose number format shows nothing, as ";;;" does."""

    def _add(self, style: Element) -> None:
        tag, name = local_name(style.tag), attribute(style, "name")
        if tag in {"style", "default-style"}:
            self._styles[own_attribute(style, "family"), name] = style
        elif tag == "list-style":
            self._lists[name] = Levels(style)
        elif tag == "outline-style":
            self.outline = Levels(style)
        elif tag in _FORMATS and not any(map(_shows_value, style)):
            self._blank_formats.add(name)
        elif tag == "master-page":
            self.masters.setdefault(name, style)

    def value(self, family: str, name: str, key: str) -> str:
        """Returns one of `_HEEDED` of a style or of the next ancestor that sets it; or ""."""
        return self._properties(family, name).get(key, "") if name else ""

    def _properties(self, family: str, name: str) -> dict[str, str]:
        """Returns what a style and its ancestors set of `_HEEDED`."""
        known = self._heeded.get((family, name))
        if known is None:
            known = self._heeded[family, name] = {}
            for style in self._chain(family, name):
                for properties in style:
                    for key, value in properties.items():
                        if (short := local_name(key)) in _HEEDED:
                            known.setdefault(short, str(value))
        return known

    def own(self, family: str, name: str, key: str) -> str | None:
        """Returns an attribute of a style itself, or of the next ancestor that has it."""
        place = (family, name, key)
        if place not in self._own:
            self._own[place] = next(
                (
                    str(value)
                    for style in self._chain(family, name)
                    for each, value in style.items()
                    if local_name(each) == key
                ),
                None,
            )
        return self._own[place]

    def _chain(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(_MOST_PARENTS):
            style = self._styles.get((family, name), self._styles.get(("", name)))
            if style is None:
                return
            yield style
            if not name:
                return  # it was the default style
            name = own_attribute(style, "parent-style-name")

    def is_hidden(self, family: str, name: str) -> bool:
        """Tells whether text of this style is not displayed."""
        return self.value(family, name, "display") in {"none", "false"}

    def is_raised(self, name: str) -> bool:
        """Tells whether a text style raises its text above the line."""
        position = self.value("text", name, "text-position").split(" ")[0]
        return position == "super" or (
            position.endswith("%") and position[0].isdigit() and position != "0%"
        )

    @property
    def has_lists(self) -> bool:
        return bool(self._lists)

    def list_levels(self, name: str) -> Levels:
        return self._lists.get(name, NO_LEVELS)

    def master_pages(self) -> list[Element]:
        """Returns the master pages that the content uses, the default one first."""
        used = dict.fromkeys(
            ["Standard" if "Standard" in self.masters else next(iter(self.masters), "")]
        )
        for style in self._styles.values():
            used[own_attribute(style, "master-page-name")] = None
        for name in list(used):
            master = self.masters.get(name)
            if master is not None:
                used[own_attribute(master, "next-style-name")] = None
        return [self.masters[name] for name in used if name in self.masters]


def _shows_value(part: Element) -> bool:
    """Tells whether a part of a number format shows something."""
    tag = local_name(part.tag)
    return has_text(part) if tag == "text" else tag not in _NO_CONTENT
