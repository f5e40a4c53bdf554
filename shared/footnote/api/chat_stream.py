"""An answer as a chat is told it while it is written: what is sent stands, or is said to be void.

A chat cannot take words back. So a sentence is sent once it has been checked and will stand as it
is: one that cites nothing may yet be all that there is, a row belongs into a table, and one that
nothing confirms needs its quotes. From the first of these on, all waits for the end.
"""

import re

from footnote.api.chat import Written
from footnote.model import Event
from footnote.text.answer_layout import cells_of
from footnote.text.escaping import escape_around

ANEW = "\n\n---\n\n*The answer is written anew. What stands above this line is void.*\n\n"
_MARKERS = re.compile(r"\[(\d+)\]")


class Telling:
    """What a chat has been told, and what it is told next.

    `at_once`: sentences are told as they come, which only helps where a model takes its time.
    """

    def __init__(self, *, at_once: bool) -> None:
        self._at_once = at_once
        self._waits = not at_once
        self._before = 0  # characters that were sent and are void
        self._said = ""
        self._cited: set[int] = set()

    def hear(self, event: Event) -> str:
        """Returns what an event of the trace lets the chat be told, or ""."""
        if event.kind == "restart":
            return self._start_over()
        if event.kind != "words" or self._waits:
            return ""
        data = event.data
        text = str(data["text"])
        if data["checked"] in {"", "unconfirmed"} or len(cells_of(text)) > 1:
            self._waits = True
            return ""
        self._cited |= {int(mark) for mark in _MARKERS.findall(text)}
        between = ("\n\n" if data["new_line"] else " ") if self._said else ""
        new = between + escape_around(self._cited, text)
        self._said += new
        return new

    def end(self, written: Written) -> Written:
        """Returns what is left to tell of the answer; its annotations count from the beginning."""
        again = "" if written.text.startswith(self._said) else self._start_over()
        left = written.text[len(self._said) :]
        moved: list[dict[str, object]] = []
        for note in written.annotations:
            link = note["url_citation"]
            assert isinstance(link, dict)  # noqa: S101  # `annotation` makes it
            at = {name: link[name] + self._before for name in ("start_index", "end_index")}
            moved.append({**note, "url_citation": {**link, **at}})
        return Written(again + left, moved)

    def _start_over(self) -> str:
        """Makes all that was told void, and says so where something was."""
        void = ANEW if self._said else ""
        self._before += len(self._said) + len(void)
        self._said, self._waits = "", not self._at_once
        return void
