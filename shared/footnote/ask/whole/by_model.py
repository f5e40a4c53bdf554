"""Has a model read a document part by part and choose lines by their numbers.

What it chooses is shown in the document's own words. So it can miss a line or choose a wrong one,
but it can make nothing up.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.ask.question.structured_output import ask_for
from footnote.ask.whole.lines import WholeLine, lines_of, passage_of
from footnote.model import Document, Entry, ModelReply, Note, Whole
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.shapes import ChosenLines, ReadReply
from footnote.prompts.tasks import request_for
from footnote.text.instructions import is_instruction
from footnote.text.quotes import unmark
from footnote.text.terms import terms
from footnote.text.tokens import NUMBER, estimate_tokens

PART_TOKENS = 3_000  # of a document that the model is shown at once
MOST_LINES = 4  # of one item


class Reading(NamedTuple):
    """The notes on a document and the replies that were paid for. `failed`: rules have to read."""

    notes: tuple[Note, ...]
    replies: tuple[ModelReply, ...]
    failed: bool = False


def read_by_model(whole: Whole, entry: Entry, document: Document, llm: LLM) -> Reading:
    """Returns the lines of a document, or of its share, that a model chooses."""
    notes: list[Note] = []
    replies: list[ModelReply] = []
    for part in parts_of(share_of(entry, list(lines_of(document)))):
        request = request_for(
            "read",
            wanted=KINDS[whole.kind].reads,
            question=fence_texts({"question": whole.question}),
            document=fence_texts({"document": _show(part, entry)}),
        )
        reply, made = ask_for(ReadReply, request, llm, ReadReply)
        replies += made
        if made[-1].mode == "extractive":
            return Reading(tuple(notes), tuple(replies), failed=True)
        notes += [note for one in reply.items if (note := _note(one, part, entry, document))]
    return Reading(tuple(notes), tuple(replies))


def share_of(entry: Entry, lines: Sequence[WholeLine]) -> Sequence[WholeLine]:
    """Returns the lines of an entry's share of its document."""
    return lines[entry.share * len(lines) // entry.of : (entry.share + 1) * len(lines) // entry.of]


type Part = dict[int, WholeLine]
"""Lines that are shown together, by number."""


def parts_of(lines: Sequence[WholeLine]) -> Iterator[Part]:
    """Yields the lines in parts of at most PART_TOKENS, or of one line."""
    part: Part = {}
    tokens = 0
    for number, line in enumerate(lines, 1):
        own = estimate_tokens(line.text) + NUMBER
        if part and tokens + own > PART_TOKENS:
            yield part
            part, tokens = {}, 0
        part[number] = line
        tokens += own
    if part:
        yield part


def _show(part: Part, entry: Entry) -> str:
    """Returns the lines with their numbers, below the headings and columns they stand under."""
    shown = [f"{entry.document}: {entry.title}"]
    section: tuple[str, ...] | None = None
    header = ""
    for number, line in part.items():
        if line.section != section:
            section = line.section
            shown.append(f"\n{' > '.join(section)}".rstrip())
        if line.header != header:
            header = line.header
            shown += [f"columns: {header}"] if header.strip("| ") else []
        shown.append(f"{number} {unmark(line.text)}")
    return "\n".join(shown)


def _note(chosen: ChosenLines, part: Part, entry: Entry, document: Document) -> Note | None:
    """Returns a note on lines that a model chose; None where there are no such lines.

    Lines that do not follow each other are cut off: the first run states the item.
    """
    numbers = [number for number in sorted(set(chosen.lines)) if number in part]
    run = [number for n, number in enumerate(numbers) if number == numbers[0] + n][:MOST_LINES]
    if not run or part[run[0]].is_row:
        run = run[:1]
    if not run or any(is_instruction(part[number].text) for number in run):
        return None
    passage = passage_of(entry, document, part[run[0]].start, part[run[-1]].end)
    name = " ".join(chosen.name.split())
    is_named = bool(terms(name)) and set(terms(name)) <= set(terms(passage.text))
    return Note(passage=passage, why="chosen", name=name if is_named else "")
