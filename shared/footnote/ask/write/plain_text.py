"""Turns a model's reply into plain text with markers of one form, while it is being written.

Markup goes, but for links and the like, which a guard refuses later. Every decision rests on what
has come so far only where more text cannot change it. So pieces of a reply give the same as all of
it at once, and nothing is held back longer than a construct that is open.
"""

import re
from collections.abc import Mapping, Sequence

from footnote.ask.evidence.pieces import pieces_of
from footnote.ask.write.json_reply import BEGINS_JSON, MAY_BE_JSON, text_of_json
from footnote.ask.write.lines import LineReader
from footnote.ask.write.markers import (
    NUMBERS,
    Pointer,
    ends_sentence,
    names_sources,
    read_marker,
    read_numbers,
    show_markers,
)
from footnote.model import Passage

VOID = "\ufdd0"
"""Stands where thoughts end whose beginning has no tag: all before it were thoughts."""

_OPENERS = re.compile(r"[\n\[\u3010(\\<*_`~^$\u00b2\u00b3\u00b9\u2070\u2074-\u2079]")
_CITING = r"(?:cite[a-z]{0,8}|footnote(?:mark)?|textsuperscript)"  # commands of LaTeX
_THOUGHTS = "think|thinking|thoughts?|reasoning|analysis|scratchpad"
_MAY_GO_ON = {
    "[": re.compile(r"\[{1,2}[^\[\]\n]{0,80}(?:\]{1,2}(?:\([^()\n]{0,120})?)?"),
    "\u3010": re.compile(r"\u3010[^\u3011\n]{0,80}"),
    "(": re.compile(r"\([^()\n]{0,80}(?:\)[.!?]*[ \t]*)?"),
    "\\": re.compile(
        r"\\(?:\[[^\[\]\n\\]{0,80}\\?|\([\d.,\s]{0,24}(?:\\%?)?\s?\\?"
        r"|[a-z]{1,16}(?:\[[^\[\]\n]{0,24}|\{[^{}\n]{0,120})?)?"
    ),
    "<": re.compile(r"<[^<>\n]{0,16}|<sup>[^<>\n]{0,24}(?:<[^<>\n]{0,4})?"),
    "^": re.compile(r"\^\{?\[?\d{0,2}(?:\.\d{0,2})?\]?\}?\^?"),
    "$": re.compile(r"\$(?:\s?[\d.,]*\s?\\?%?\s?|\^?\{?\[?[\d.,\s]{0,24}\]?\}?)"),
}
_FORMS = {
    "[": re.compile(r"\[{1,2}(?P<inner>[^\[\]\n]{1,80})\]{1,2}(?:\([^()\n]{0,120}\))?"),
    "\u3010": re.compile(r"\u3010(?P<inner>[^\u3011\n]{1,80})\u3011"),
    "(": re.compile(r"\((?P<inner>[^()\n]{1,80})\)"),
    "\\": re.compile(
        r"\\(?:\[(?P<inner>[^\[\]\n\\]{1,80})\\\]"
        rf"|{_CITING}[\[{{]\[?(?P<cited>{NUMBERS})\]?[\]}}]"
        r"|(?:textbf|textit|emph|text|underline)\{(?P<set>[^{}\n]{1,120})\}"
        r"|\(\s?(?P<figure>[\d.,]+\s?\\?%?)\s?\\\)"
        r"|(?P<plain>[*_#%$&>~`|.+()-]))"
    ),
    "<": re.compile(
        rf"<sup>\s*\[?(?P<inner>{NUMBERS})\]?\s*</sup>|<(?P<thought>/?)(?:{_THOUGHTS})>"
        r"|</?(?P<tag>b|i|u|em|strong|p|br|ul|ol|li|mark|cite|sub|sup|answer|response|final)\s?/?>"
    ),
    "^": re.compile(r"\^\{?\[?(?P<inner>\d{1,2}(?:\.\d{1,2})?)\]?\}?\^?"),
    "$": re.compile(
        rf"\$(?:\s?(?P<plain>[\d.,]+\s?\\?%?)\s?|(?:\^\{{?)?\[?(?P<inner>{NUMBERS})\]?\}}?)\$"
    ),
}
_RAISED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
)
_RUNS = re.compile(r"\*+|_+|`+|~+|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
_BRACKETS = re.compile(r"[\[\]]")
_IN_BRACKETS = re.compile(r"[\[\u3010]")
_RAISABLE = re.compile(r"(?:[.!?,;:)\u201d\"']|[^\W\d_]{3})\Z")
_POWER = re.compile(r"(?:\b10|\b[a-zA-Z]{1,2})\Z")  # m<sup>2</sup>
_TAIL = 12  # characters before a sign that are looked at


class PlainText:
    """A reader that takes pieces of a reply and gives back plain text with markers like [1][2]."""

    def __init__(self, passages: Mapping[int, Passage]) -> None:
        self._passages = passages
        self._rest = ""
        self._tail = ""  # the end of what was given back
        self._thinks = False
        self._has_begun = False
        self._in_brackets = False  # whether the reply cites like [1]: then (1) is a document's own
        self._lines = LineReader(lambda text: plain_text(text, passages), passages)

    def feed(self, piece: str) -> str:
        self._rest += piece
        return self._read(final=False)

    def close(self) -> str:
        """Returns what is left when the reply has ended."""
        return self._read(final=True)

    def _read(self, *, final: bool) -> str:
        made: list[str] = []
        while self._rest and (step := self._step(final=final)) is not None:
            made.append(step)
            self._tail = (self._tail + step)[-_TAIL:]
        return "".join(made)

    def _step(self, *, final: bool) -> str | None:
        """Returns what is given back next; None where more text is needed to tell."""
        if self._thinks:
            return self._skip_thoughts()
        if not self._has_begun and self._may_be_json():
            return self._take_json() if final else None
        if self._lines.is_at_start:
            return self._begin_line(final=final)
        self._has_begun = True
        found = _OPENERS.search(self._rest)
        if found is None or found.start():
            return self._take(found.start() if found else len(self._rest))
        return self._sign(found[0], final=final)

    def _may_be_json(self) -> bool:
        """Returns whether the reply is JSON as far as can be told, or has no letter yet."""
        self._rest = self._rest.lstrip()
        self._lines.is_at_start = True
        is_json = MAY_BE_JSON.fullmatch(self._rest) or BEGINS_JSON.match(self._rest)
        return bool(is_json) or not self._rest

    def _begin_line(self, *, final: bool) -> str | None:
        line = self._lines.begin(self._rest, final=final)
        if line is None:
            return None
        self._take(line.used)
        self._has_begun = self._has_begun or not line.is_fence
        return line.text

    def _take(self, length: int) -> str:
        text, self._rest = self._rest[:length], self._rest[length:]
        return text

    def _skip_thoughts(self) -> str | None:
        found = re.search(rf"</(?:{_THOUGHTS})>", self._rest)
        if found is None:
            self._rest = self._rest[-_TAIL * 2 :]
            return None
        self._rest, self._thinks = self._rest[found.end() :], False
        self._lines.is_at_start = True
        return ""

    def _take_json(self) -> str:
        """Returns the answer in a reply of JSON; what is no JSON is read as text."""
        text, self._rest, self._has_begun = self._rest, "", True
        told = text_of_json(text)
        return plain_text(told, self._passages) if told is not None else text

    def _sign(self, sign: str, *, final: bool) -> str | None:
        """Reads what begins with a sign that may be markup or a marker."""
        if sign == "\n":
            self._lines.is_at_start = True
            return self._take(1)
        if sign not in _FORMS:
            return self._run(final=final)
        if not final and _MAY_GO_ON[sign].fullmatch(self._rest):
            return None
        form = _FORMS[sign].match(self._rest)
        told = self._told_by(sign, form) if form else None
        if form is None or told is None:
            return self._take(1)
        self._rest = self._rest[form.end() :]
        return told

    def _told_by(self, sign: str, form: re.Match[str]) -> str | None:
        """Returns what a form stands for; None where it is no form but text."""
        named = form.groupdict()
        if (text := named.get("plain") or named.get("set") or named.get("figure")) is not None:
            return text.replace("\\", "")
        if named.get("thought") is not None:
            self._thinks = not form["thought"]
            self._has_begun = self._thinks and bool(self._tail.strip())
            return "" if self._thinks else VOID
        if named.get("tag"):
            return "\n" if form["tag"] in {"p", "br", "li"} else ""
        inner = named.get("cited") or form["inner"]
        if sign == "(" and "[" in inner:
            inner = _BRACKETS.sub(" ", inner.replace("][", "], ["))
        numbers = read_marker(inner.strip(), self._passages)
        if not numbers or not self._is_marker(sign, form, numbers):
            return form["inner"] if sign == "<" else None
        self._in_brackets = self._in_brackets or sign in "[\u3010"
        return show_markers(numbers)

    def _is_marker(self, sign: str, form: re.Match[str], pointers: Sequence[Pointer]) -> bool:
        """Returns whether numbers cite: raised ones may be a power."""
        is_known = all(map(self._is_known, pointers))
        match sign:
            case "<":
                return is_known and not _POWER.search(self._tail)
            case "^" | "$":
                return is_known and bool(_RAISABLE.search(self._tail.rstrip()))
            case "(" if "[" not in form["inner"]:
                if (names := names_sources(form[0], self._passages)) is not None:
                    return names
                after = self._rest[form.end() :]
                cites_else = self._in_brackets or _IN_BRACKETS.match(after.lstrip(" \t.!?"))
                return is_known and not cites_else and ends_sentence(form[0], self._tail, after)
        return True

    def _is_known(self, pointer: Pointer) -> bool:
        """Returns whether there is such a passage, with such a piece."""
        passage = self._passages.get(pointer.passage)
        return passage is not None and pointer.piece <= len(pieces_of(passage))

    def _run(self, *, final: bool) -> str | None:
        """Reads a run of one sign, which is emphasis, code, or a number that is raised."""
        found = _RUNS.match(self._rest)
        run = found[0] if found else self._rest[0]
        after = self._rest[len(run) : len(run) + 1]
        if not after and not final:
            return None
        text = self._take(len(run))
        if run == "~" and after == "\\":  # LaTeX ties words with it: slow~\cite{1}
            return " "
        if run[0] not in "*_`~":
            numbers = read_numbers(run.translate(_RAISED), self._passages)
            is_marker = _RAISABLE.search(self._tail) and all(map(self._is_known, numbers))
            return show_markers(numbers) if is_marker else text
        before = self._tail[-1:]
        is_inside = before.isalnum() and after.isalnum()
        is_alone = len(run) == 1 and (before or " ").isspace() and (after or " ").isspace()
        if is_inside or is_alone or (run == "~") or (run[0] == "`" and self._has_code()):
            return text
        return ""

    def _has_code(self) -> bool:
        return any("`" in passage.text for passage in self._passages.values())


def plain_text(text: str, passages: Mapping[int, Passage]) -> str:
    """Returns a whole reply as plain text."""
    reader = PlainText(passages)
    return (reader.feed(text) + reader.close()).rpartition(VOID)[2]
