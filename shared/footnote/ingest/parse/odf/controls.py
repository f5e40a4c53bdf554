"""Reads what the form controls of ODF show: labels, values, chosen entries, ticked boxes."""

from footnote.ingest.parse.characters import TICKED, UNTICKED
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.odf.xml import attribute, children
from footnote.ingest.parse.safe_xml import Element, local_name

_VALUES = frozenset(
    {"text", "textarea", "formatted-text", "number", "date", "time", "combobox", "generic-control"}
)
_LABELS = frozenset({"button", "fixed-text", "frame"})
_WITHOUT_TEXT = frozenset({"password", "hidden", "file", "image", "image-frame", "grid"})


class Controls:
    """The controls of a document by their names, which `draw:control` refers to."""

    def __init__(self, content: Element) -> None:
        self._content = content
        self._controls: dict[str, Element] | None = None

    def text(self, name: str, ledger: Ledger) -> str:
        """Returns what a control shows. Counts one that it cannot read."""
        control = self._all().get(name)
        tag = local_name(control.tag) if control is not None else ""
        if control is None or (tag not in _WITHOUT_TEXT and tag not in _READ):
            ledger.count("form_field", tag)
            return ""
        return _shown(control, tag)

    def _all(self) -> dict[str, Element]:
        if self._controls is None:
            self._controls = {
                str(value): control
                for forms in self._content.iter("{*}forms")
                for control in forms.iter("{*}*")
                for key, value in control.items()
                if local_name(key) == "id"
            }
        return self._controls


def _shown(control: Element, tag: str) -> str:
    label = attribute(control, "label")
    if tag in _VALUES:
        return attribute(control, "current-value") or attribute(control, "value") or label
    if tag in {"checkbox", "radio"}:
        return f"{TICKED if _is_ticked(control) else UNTICKED} {label}".strip()
    if tag == "listbox":
        return ", ".join(attribute(option, "label") for option in _chosen(control))
    return label if tag in _LABELS else ""


def _is_ticked(control: Element) -> bool:
    state = attribute(control, "current-state") or attribute(control, "state")
    selected = attribute(control, "current-selected") or attribute(control, "selected")
    return state == "checked" or selected == "true"


def _chosen(control: Element) -> list[Element]:
    options = list(children(control, "option"))
    now = [option for option in options if attribute(option, "current-selected") == "true"]
    return now or [option for option in options if attribute(option, "selected") == "true"]


_READ = _VALUES | _LABELS | {"checkbox", "radio", "listbox"}
