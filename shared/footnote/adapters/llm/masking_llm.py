"""An LLM that wraps another: personal data leaves as placeholders, and comes back as it was.

So a provider never reads it, while all that is stored, checked and shown has the documents' words.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from footnote.model import Block, Citable, Message, ModelReply, ModelRequest, Task, ToolCall, digest
from footnote.ports import LLM
from footnote.text.personal import NAME, PERSONAL_KINDS, PersonalKind, find_personal

NOTE = (
    "\n\nWords in capitals such as EMAILK7M3QX2B or NAMEB7K3QXZ4 stand for personal data that is"
    " withheld from you. Treat each as the name, number or address that its beginning says, and"
    " copy it letter by letter where you mention it. Two that differ only in their last two"
    " signs are spellings of the same."
)
_SIGNS = "BCDFGHJKMNPQRSTVWXZ23456789"  # no vowels: they spell no words
_SAME, _SPELT = 6, 2  # signs for what it is, and for how it is spelt
_PLACEHOLDER = re.compile(
    rf"(?:{'|'.join((*PERSONAL_KINDS, NAME)).upper()})[{_SIGNS}]{{{_SAME + _SPELT}}}",
    re.IGNORECASE,
)
_OPEN_END = re.compile(r"[0-9A-Za-z]{1,64}\Z")  # a placeholder may go on in the next piece


type Tell = Callable[[Task, Mapping[str, int], str], None]
"""Gets a task, how many values of each kind its request hides, and a name for this very news."""


class Masks(NamedTuple):
    """What is masked: these kinds of personal data, and names."""

    kinds: tuple[PersonalKind, ...]
    names: "re.Pattern[str] | None" = None


class Mask:
    """Replaces personal data in texts, and remembers it for the way back.

    The same key and value have the same placeholder, whoever replaces it. Nobody can tell the
    value from it without the key, which must be a random one.
    """

    def __init__(self, masks: Masks, key: str) -> None:
        self._masks = masks
        self._key = key.encode()[:64]
        self.hidden: dict[str, str] = {}  # placeholder → value

    def hide(self, text: str) -> str:
        """Returns the text with placeholders."""
        parts, last = [], 0
        for start, end, kind in find_personal(text, self._masks.kinds, self._masks.names):
            value = text[start:end]
            same = re.sub(r"[^\w@]", "", value).casefold()
            placeholder = f"{kind.upper()}{self._signs(same, _SAME)}{self._signs(value, _SPELT)}"
            self.hidden[placeholder] = value
            parts += [text[last:start], placeholder]
            last = end
        return "".join([*parts, text[last:]])

    def show(self, text: str, *, in_json: bool = False) -> str:
        """Returns the text with the values of its placeholders, escaped where it is JSON."""

        def value_of(match: "re.Match[str]") -> str:
            value = self.hidden.get(match[0].upper(), match[0])
            return json.dumps(value, ensure_ascii=False)[1:-1] if in_json else value

        return _PLACEHOLDER.sub(value_of, text)

    def _signs(self, value: str, count: int) -> str:
        hashed = blake2b(value.encode("utf-8", "surrogatepass"), key=self._key).digest()
        number = int.from_bytes(hashed[:16])
        return "".join(_SIGNS[number // len(_SIGNS) ** n % len(_SIGNS)] for n in range(count))


class MaskingLLM:
    """Implements LLM. `tell` is told what a request hides and no earlier one has hidden.

    Masked are the user's and the assistant's turns, passages, and what tools were called with and
    said. Not masked are the system's half, shapes and descriptions of tools, which are ours, and
    what a provider has signed, which is its own. A placeholder that no turn has stays as it is.
    """

    def __init__(self, llm: LLM, masks: Masks, key: str, tell: Tell) -> None:
        self._llm = llm
        self._masks = masks
        self._key = key
        self._tell = tell
        self._told: set[str] = set()

    def complete(self, request: ModelRequest) -> ModelReply:
        mask, asked = self._mask(request)
        return _shown(self._llm.complete(asked), mask, in_json=request.shape is not None)

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        mask, asked = self._mask(request)
        in_json, held = request.shape is not None, ""
        for piece in self._llm.stream(asked):
            if isinstance(piece, ModelReply):
                if held:
                    yield mask.show(held, in_json=in_json)
                yield _shown(piece, mask, in_json=in_json)
                return
            said = held + piece
            is_open = _OPEN_END.search(said) if mask.hidden else None
            end = is_open.start() if is_open else len(said)
            held = said[end:]
            if end:
                yield mask.show(said[:end], in_json=in_json)

    def _mask(self, request: ModelRequest) -> tuple[Mask, ModelRequest]:
        """Returns a mask that knows what the request hides, and the request without it."""
        mask = Mask(self._masks, self._key)
        messages = tuple(_masked(message, mask) for message in request.messages)
        if not mask.hidden:
            return mask, request
        if new := mask.hidden.keys() - self._told:
            self._told |= new
            counts = Counter(one[: -_SAME - _SPELT].lower() for one in new)
            self._tell(request.task, counts, digest(request.task, *sorted(new)))
        system = request.system + NOTE
        return mask, request.model_copy(update={"system": system, "messages": messages})


def _masked(message: Message, mask: Mask) -> Message:
    return message.model_copy(
        update={
            "blocks": tuple(_masked_block(block, mask) for block in message.blocks),
            "calls": tuple(_with_arguments(call, mask.hide) for call in message.calls),
            "results": tuple(
                result.model_copy(update={"text": mask.hide(result.text)})
                for result in message.results
            ),
        }
    )


def _masked_block(block: Block, mask: Mask) -> Block:
    citable = tuple(
        Citable(
            number=one.number,
            about=mask.hide(one.about),
            pieces=tuple((n, mask.hide(text)) for n, text in one.pieces),
        )
        for one in block.citable
    )
    return block.model_copy(update={"text": mask.hide(block.text), "citable": citable})


def _shown(reply: ModelReply, mask: Mask, *, in_json: bool) -> ModelReply:
    calls = tuple(_with_arguments(call, mask.show) for call in reply.calls)
    text = mask.show(reply.text, in_json=in_json)
    return reply.model_copy(update={"text": text, "calls": calls})


def _with_arguments(call: ToolCall, change: Callable[[str], str]) -> ToolCall:
    def changed(value: object) -> object:
        match value:
            case str():
                return change(value)
            case Mapping():
                return {name: changed(one) for name, one in value.items()}
            case list() | tuple():
                return [changed(one) for one in value]
            case _:
                return value

    arguments = {name: changed(value) for name, value in call.arguments.items()}
    return call.model_copy(update={"arguments": arguments})
