"""Explains why a claim does not hold, and shows it without what an attacker may have put there."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from footnote.ask.check import Difference, Verdict
from footnote.ask.guard.screen import GAP, blank_out, codes, is_instruction
from footnote.model import Passage, RemovedSentence
from footnote.text.disguise import normalise
from footnote.text.language import words
from footnote.text.sentences import sentences

MAX_NAMED = 3  # differences that are named


def closest_differences(verdicts: Iterable[Verdict]) -> tuple[Difference, ...]:
    """Returns the closest passage's differences: only those that refute, if there are any."""
    ranked = sorted(verdicts, key=lambda verdict: len(verdict.differences) or 99)
    found = ranked[0].differences if ranked else ()
    wrong = [one for one in found if one.refutes]
    return tuple(wrong or found)


def explain(differences: Sequence[Difference], show: Callable[[str], str] = str) -> str:
    """Puts the differences in words; `show` screens those words that are not ours."""
    return "; ".join(dict.fromkeys(_explain_one(one, show) for one in differences[:MAX_NAMED]))


def _explain_one(difference: Difference, show: Callable[[str], str]) -> str:
    about = difference.about
    part, instead = show(difference.part), show(difference.instead)
    if about == "wording":
        return f"“{part}” is not in the passage" if part else "nothing in it can be compared"
    if not part:
        return f"it leaves out “{instead}” ({about})"
    if not instead:
        return f"“{part}” is not in the passage ({about})"
    return f"“{part}” where the passage has “{instead}” ({about})"


def describe_removed(
    text: str,
    problem: str,
    differences: Sequence[Difference],
    question: str,
    passages: Sequence[Passage],
) -> RemovedSentence:
    """Returns what is told of a sentence that is left out: its words, and why.

    Its words are shown, but for those that only an attacker can have put there: links, codes, and
    what stands in instructions of the passages and nowhere else.
    """
    known = [question, *statements(passages)]
    known.append(" ".join(_own_words(text, passages, known)))

    def show(part: str) -> str:
        return blank_out(part, known)

    shown = GAP if is_instruction(text) else show(text)
    return RemovedSentence(text=shown, reason=explain(differences, show) or problem)


def _own_words(text: str, passages: Sequence[Passage], known: Sequence[str]) -> list[str]:
    """Returns the words of a sentence that no instruction of a passage can have put there."""
    orders = {word for said in _instructions(passages) for word in words(normalise(said))}
    for code in codes(text) - {code for one in known for code in codes(one)}:
        orders.update(words(code))
    return [word for word in words(normalise(text)) if word not in orders]


def statements(passages: Iterable[Passage]) -> Iterator[str]:
    """Yields the sentences of passages that do not instruct whoever answers."""
    return (said for passage in passages for said in _said_in(passage) if not is_instruction(said))


def _instructions(passages: Iterable[Passage]) -> Iterator[str]:
    """Yields what instructs whoever answers: sentences of passages, headings, names of files."""
    for passage in passages:
        names = (re.sub(r"[_/.-]+", " ", passage.document), passage.title, *passage.section)
        above = [passage.above.text] if passage.above else []
        yield from filter(is_instruction, (*_said_in(passage), *names, *above))


def _said_in(passage: Passage) -> list[str]:
    return [passage.text[start:end] for start, end in sentences(passage.text)]
