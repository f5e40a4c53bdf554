"""Anthropic's own citations: passages go as documents of which each piece is a block.

https://platform.claude.com/docs/en/build-with-claude/citations: the API says which blocks each
piece of the reply rests on. They become markers of the form that writers use elsewhere, [3.2].
"""

from collections.abc import Iterable, Iterator
from typing import Any

from anthropic.types import TextCitation

from footnote.model import Citable, Message, ModelRequest
from footnote.text.characters import replace_surrogates

type Sent = dict[str, Any]


def citable_in(request: ModelRequest) -> list[Citable]:
    """Returns the passages of a request in the order in which they are sent."""
    return [one for turn in request.messages for block in turn.blocks for one in block.citable]


def documents_of(turn: Message) -> Iterator[Sent]:
    """Yields the documents of a turn. What is said of a passage is their context, not citable."""
    for passage in (one for block in turn.blocks for one in block.citable):
        blocks = [{"type": "text", "text": replace_surrogates(text)} for _, text in passage.pieces]
        yield {
            "type": "document",
            "source": {"type": "content", "content": blocks},
            "title": f"passage {passage.number}",
            "context": replace_surrogates(passage.about),
            "citations": {"enabled": True},
        }


class CitedText:
    """The text of a reply as it comes, with markers behind each block that cites.

    Blanks at the end of what has come wait: markers must not begin the next line. Without a
    request nothing is cited, and text goes on as it comes.
    """

    def __init__(self, request: ModelRequest | None) -> None:
        self._passages = citable_in(request) if request else []
        self._blanks = ""

    def take(self, text: str) -> str:
        """Returns what may be passed on of a piece of text."""
        if not self._passages:
            return text
        whole = self._blanks + text
        plain = whole.rstrip()
        self._blanks = whole[len(plain) :]
        return plain

    def end_block(self, cited: Iterable[TextCitation]) -> str:
        """Returns what follows the text of a block that has ended: its markers, then blanks."""
        blanks, self._blanks = self._blanks, ""
        return self._markers(cited) + blanks

    def _markers(self, cited: Iterable[TextCitation]) -> str:
        """Returns the pieces that are cited; what names none of ours is left out."""
        markers: list[str] = []
        for one in cited:
            if one.type == "content_block_location" and one.document_index < len(self._passages):
                passage = self._passages[one.document_index]
                pieces = passage.pieces[one.start_block_index : one.end_block_index]
                markers += [f"[{passage.number}.{number}]" for number, _ in pieces]
        return "".join(dict.fromkeys(markers))
