"""An answer while it is being written: each sentence is checked, repaired once or left out."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from footnote.ask.guard.screen import blank_out, content_words, is_instruction, is_unsafe
from footnote.ask.question.stand_in import NO_REPLY, reply_by_rule
from footnote.ask.write.citations import Checker, Documents, Refusal, Words
from footnote.ask.write.claims import Claim, Claims, claims
from footnote.ask.write.explain import explain
from footnote.ask.write.judge import make_judge
from footnote.ask.write.repair import repair
from footnote.ask.write.rests_on_ocr import read_of
from footnote.errors import FootnoteError, ModelReplyError
from footnote.model import ModelReply, ModelRequest, Passage, Plan, RemovedSentence, Sentence
from footnote.ports import LLM
from footnote.text.own_words import NOT_SAID
from footnote.text.sentences import sentences

type Emit = Callable[[str, Mapping[str, object]], None]
"""Takes (kind, data) for the trace: "words" {text, read}, "removed" {text, reason} or "restart" {}.

A restart makes all words so far void.
"""

_SAYING = content_words("whether anything information about mention state give detail exactly")
MAX_REPAIRS = 3  # of one answer: each is a call of the writer


class Draft:
    """The sentences that hold, their citations, what was removed, and the replies paid for."""

    def __init__(  # noqa: PLR0917 - three of them are ports
        self,
        plan: Plan,
        passages: Mapping[int, Passage],
        documents: Documents,
        words: Words,
        llm: LLM | None,
        emit: Emit,
    ) -> None:
        self._plan = plan
        self._sources = (passages, documents, words)
        self._llm = llm
        self._emit = emit
        self.replies: list[ModelReply] = []
        self._repairs = MAX_REPAIRS
        self._start()

    def _start(self) -> None:
        self.checker = Checker(*self._sources, judge=make_judge(self._llm, self.replies.extend))
        self.sentences: list[Sentence] = []
        self.removed: list[RemovedSentence] = []
        self.breaks: set[int] = set()  # indexes of sentences that begin a new line

    def write(self, request: ModelRequest, by_rule: Callable[[], str]) -> None:
        """Streams a model's answer. Rules write it where there is none, or it is of no use."""
        started, failure = time.perf_counter(), None
        if self._llm:
            failure = self._hear(self._llm.stream(request))
            if failure is None:
                return
        text, reply = reply_by_rule(by_rule, request.task, failure, started)
        self._take(iter(claims(text)))
        self.replies.append(reply)

    def _hear(self, stream: Iterator[str | ModelReply]) -> FootnoteError | None:
        """Reads a stream. Returns why it is of no use, its words being void, or None."""
        reader, reply, streamed = Claims(), None, False
        failure: FootnoteError | None = None
        for piece in _with_its_failure(stream):
            if isinstance(piece, str):
                streamed = True
                self._take(reader.feed(piece))
            elif isinstance(piece, ModelReply):
                reply = piece
            else:
                failure = piece
        if reply and not reply.stopped:  # the half sentence of a cut answer is no claim
            self._take(reader.close())
        elif reply and not any(sentence.citations for sentence in self.sentences):
            failure = ModelReplyError(f"it was cut short: {reply.stopped}", spent=reply)
        if failure is None:
            self.replies += [reply] if reply else []
        elif streamed:
            self._start()
            self._emit("restart", {})
        return failure

    def add(self, found: Iterable[Sentence]) -> None:
        """Adds sentences that code has made of what was checked, each on a line of its own."""
        for sentence in found:
            self.breaks.add(len(self.sentences))
            self._say(sentence)

    def _take(self, found: Iterator[Claim]) -> None:
        for claim in found:
            for piece in self.checker.pieces(claim):
                self._settle(piece)

    def _settle(self, claim: Claim) -> None:
        result = self._note(claim) or self.checker.check(claim)
        if isinstance(result, Refusal):
            result = self._mend(result) or result
        if isinstance(result, Refusal):
            self._remove(result)
            return
        if claim.new_line and self.sentences:
            self.breaks.add(len(self.sentences))
        self._say(result)

    def _say(self, sentence: Sentence) -> None:
        self.sentences.append(sentence)
        read = read_of(sentence.citations, self.checker.citations)
        self._emit("words", {"text": with_markers(sentence), "read": read})

    def _mend(self, refusal: Refusal) -> Sentence | None:
        """Returns the first sentence that holds of those written in the claim's place, or None."""
        if not refusal.differences or not self._repairs:
            return None
        self._repairs -= 1
        why = explain(refusal.differences) or refusal.problem
        found, replies = repair(refusal.claim, why, self._plan.question, refusal.cited, self._llm)
        self.replies += replies
        said = {sentence.text for sentence in self.sentences}
        for claim in found:
            result = self.checker.check(claim)
            if isinstance(result, Sentence) and result.text not in said:
                return result.model_copy(update={"repaired": True})
        return None

    def _remove(self, refusal: Refusal) -> None:
        """Notes what is left out, without words that neither the question nor a passage has."""
        known = [self._plan.question, *statements(refusal.cited.values())]

        def show(text: str) -> str:
            return blank_out(text, known)

        removed = RemovedSentence(
            text=show(refusal.claim.text),
            reason=explain(refusal.differences, show) or refusal.problem,
        )
        self.removed.append(removed)
        self._emit("removed", removed.model_dump())

    def _note(self, claim: Claim) -> Sentence | None:
        """Returns the claim as a sentence if it says what the documents do not say, else None.

        Such a sentence needs no citation, and may speak of nothing else.
        """
        if claim.markers or not claim.text.startswith(NOT_SAID):
            return None
        asked = (self._plan.question, *(q.text for q in self._plan.sub_questions))
        said = claim.text.removeprefix(NOT_SAID)
        return Sentence(text=claim.text) if _is_about(said, asked) else None


def _with_its_failure(
    stream: Iterator[str | ModelReply],
) -> Iterator[str | ModelReply | FootnoteError]:
    """Yields the error that ends a stream: one of whoever reads it is raised all the same."""
    try:
        yield from stream
    except (*NO_REPLY, ModelReplyError) as error:
        yield error


def statements(passages: Iterable[Passage]) -> Iterator[str]:
    """Yields the sentences of passages that do not instruct whoever answers."""
    for passage in passages:
        spans = sentences(passage.text)
        said = (passage.text[start:end] for start, end in spans)
        yield from (sentence for sentence in said if not is_instruction(sentence))


def to_text(sentences: Sequence[Sentence], breaks: set[int]) -> str:
    """Returns the answer as one text, each sentence with its markers."""
    text = ""
    for n, sentence in enumerate(sentences):
        between = "\n\n" if n in breaks else " "
        text += (between if n else "") + with_markers(sentence)
    return text


def with_markers(sentence: Sentence) -> str:
    """Returns the sentence as it is shown, with its markers."""
    markers = "".join(f"[{n}]" for n in sentence.citations)
    return f"{sentence.text} {markers}".rstrip()


def _is_about(said: str, asked: Sequence[str]) -> bool:
    """Returns whether `said` uses words of the questions alone.

    `said`: what the documents do not say, in the words of the claim.
    """
    if said.strip(" :.?!") in {text.strip(" :.?!") for text in asked}:
        return True
    new = content_words(said) - content_words(" ".join(asked)) - _SAYING
    return not new and len(sentences(said)) <= 1 and not is_unsafe(said, asked)
