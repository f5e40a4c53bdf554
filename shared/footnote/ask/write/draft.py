"""An answer while it is being written: each sentence is settled as soon as it is whole."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from footnote.ask.check.table_labels import labels_at
from footnote.ask.question.stand_in import NO_REPLY, reply_by_rule
from footnote.ask.write.answer_text import words_event
from footnote.ask.write.checker import Checker, Refusal
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.claims import Claim, Claims, claims
from footnote.ask.write.explain import describe_removed
from footnote.ask.write.judge import make_judge
from footnote.ask.write.not_said import is_denial, read_not_said
from footnote.ask.write.opening import Open, numbers_to_open
from footnote.ask.write.plain_text import VOID, PlainText
from footnote.ask.write.readings import WrittenClaims, cut
from footnote.ask.write.settle import Settler
from footnote.errors import FootnoteError, ModelReplyError, NotFoundError
from footnote.model import (
    CELL,
    ModelReply,
    ModelRequest,
    Passage,
    Plan,
    RemovedSentence,
    Sentence,
)
from footnote.ports import LLM

type Emit = Callable[[str, Mapping[str, object]], None]
"""Takes (kind, data) for the trace: "words", "removed" {text, reason} or "restart" {}.

A restart makes all words so far void.
"""

NOTHING_HOLDS = "no sentence of it holds against the documents"
DENIES = "it says that the documents do not say, which rules decide in the small profile"


class Draft:
    """The sentences that are shown, their citations, what was removed, and the replies paid for."""

    def __init__(  # noqa: PLR0917 - three of them are ports
        self,
        plan: Plan,
        passages: Mapping[int, Passage],
        documents: Documents,
        words: Words,
        llm: LLM | None,
        emit: Emit,
        *,
        strict: bool = False,
        is_believed: bool = True,
    ) -> None:
        self._plan = plan
        self._passages = passages
        self._ports = (documents, words)
        self._llm = llm
        self._emit = emit
        self._strict = strict
        self._is_believed = is_believed
        self.replies: list[ModelReply] = []
        self.removed: list[RemovedSentence] = []
        self._to_open: tuple[int, ...] = ()  # numbers of passages that the writer asks to open
        self._start()

    def _start(self) -> None:
        judge = make_judge(self._llm, self.replies.extend)
        self.checker = Checker(self._passages, *self._ports, judge=judge)
        self._settler = Settler(
            self.checker, self._plan.question, self._llm, self.replies.extend, strict=self._strict
        )
        self.sentences: list[Sentence] = []
        self.breaks: set[int] = set()  # indexes of sentences that begin a new line
        self._denies = False  # whether the writer says that the documents do not say
        self._written = WrittenClaims(self.checker.sources)
        self._fails = False  # whether something else that it says does not hold

    @property
    def is_cited(self) -> bool:
        """Whether a sentence rests on a document."""
        return any(sentence.citations for sentence in self.sentences)

    @property
    def cited_documents(self) -> frozenset[tuple[str, str]]:
        """The documents, each with its version, that what is shown rests on."""
        cited = self.checker.checked_citations
        return frozenset((each.document_id, each.version) for each in cited)

    @property
    def is_quoting(self) -> bool:
        """Whether rules wrote, and so quote single rows of a table."""
        return bool(self.replies) and self.replies[-1].mode == "extractive"

    def write(
        self, request: ModelRequest, by_rule: Callable[[], str], open_: Open | None = None
    ) -> None:
        """Streams a model's answer. With `open_` the model may ask once to open passages instead.

        Rules write it where there is no model, its reply is of no use, or no sentence of it holds.
        A writer that says nothing but that the documents do not say is believed, unless it is one
        that rules grade for.
        """
        started, failure = time.perf_counter(), None
        if self._llm:
            failure = self._hear(self._llm.stream(request), may_open=open_ is not None)
            if open_ and self._to_open:
                request, self._passages = open_(self._to_open)
                self._start()
                failure = self._hear(self._llm.stream(request))
            if failure is None:
                only_denies = self._denies and not self._fails
                if self.is_cited or (only_denies and self._is_believed):
                    return
                failure = ModelReplyError(DENIES if only_denies else NOTHING_HOLDS)
                if self.sentences:  # what the documents do not say: rules may find it
                    self.start_over()
        text, reply = reply_by_rule(by_rule, request.task, failure, started)
        self.quote(text)
        self.replies.append(reply)

    def _hear(
        self, stream: Iterator[str | ModelReply], *, may_open: bool = False
    ) -> FootnoteError | None:
        """Reads a stream. Returns why it is of no use, its words being void, or None.

        Where the reply asks to open passages, their numbers are in `_to_open`.
        """
        plain, reader, reply, heard = PlainText(self._passages), Claims(), None, ""
        failure: FootnoteError | None = None
        for piece in _with_its_failure(stream):
            if isinstance(piece, str):
                _, was_thought, text = plain.feed(piece).rpartition(VOID)
                if was_thought:
                    reader, heard = self._forget(), ""
                heard += text
                self._hear_claims(reader.feed(text))
            elif isinstance(piece, ModelReply):
                reply = piece
            else:
                failure = piece
        if reply and not reply.stopped:  # the half sentence of a cut answer is no claim
            rest = plain.close().rpartition(VOID)[2]
            self._to_open = numbers_to_open(heard + rest) if may_open else ()
            if not self._to_open:
                self._hear_claims(reader.feed(rest))
                self._hear_claims(reader.close())
        elif reply and not self.is_cited:
            failure = ModelReplyError(f"it was cut short: {reply.stopped}", spent=reply)
        if failure is None:
            self.replies += [reply] if reply else []
        else:
            self._forget()
        return failure

    def _forget(self) -> Claims:
        """Takes back all that was read so far; returns a new reader."""
        if self.sentences or self.removed:
            self.removed.clear()
            self.start_over()
        return Claims()

    def start_over(self) -> None:
        """Makes all that is shown so far void."""
        self._start()
        self._emit("restart", {})

    def another_checker(self, passages: Mapping[int, Passage]) -> Checker:
        """Returns a checker of other passages, by rules alone, that numbers citations from 1."""
        return Checker(passages, *self._ports)

    def has_labels(self, passage: Passage, start: int, end: int) -> bool:
        """Tells whether a citation of this place will name the columns of its table."""
        try:
            document = self.checker.document_of(passage)
        except NotFoundError:
            return False
        return any(labels_at(document, start, end)[0])

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Adds sentences that code has made of what was checked, each on a line of its own."""
        for sentence in sentences:
            self.breaks.add(len(self.sentences))
            self._show(sentence)

    def lead_with(self, sentence: Sentence) -> None:
        """Shows a sentence that code has made before all others, on a line of its own."""
        rest, self.sentences = self.sentences, []
        self.breaks = {1, *(n + 1 for n in self.breaks)}
        self._emit("restart", {})
        for each in (sentence, *rest):
            self._show(each)

    def quote(self, text: str) -> None:
        """Adds what rules have written."""
        self._take(claims(text))

    def _take(self, claims: Iterable[Claim]) -> None:
        """Settles the claims that rules have written."""
        for claim in claims:
            for piece in cut(claim, self.checker.sources):
                self._settle(piece)

    def _hear_claims(self, claims: Iterable[Claim]) -> None:
        """Settles the claims of a writer."""
        for claim in claims:
            for piece in self._written.read(claim, self.sentences):
                self._settle(piece)

    def _settle(self, claim: Claim) -> None:
        if note := read_not_said(claim, self._plan):
            self._denies = True
            self._break_before(claim)
            self._show(note)
            return
        shown = {sentence.text for sentence in self.sentences}
        for n, result in enumerate(self._settler.settle(claim, shown)):
            if isinstance(result, Refusal):
                self._remove(result)
                continue
            if CELL in result.text:
                self.breaks.add(len(self.sentences))
            elif not n:
                self._break_before(claim)
            self._show(result)

    def _break_before(self, claim: Claim) -> None:
        if claim.new_line and self.sentences:
            self.breaks.add(len(self.sentences))

    def _show(self, sentence: Sentence) -> None:
        new_line = len(self.sentences) in self.breaks
        self.sentences.append(sentence)
        self._emit("words", words_event(sentence, self.checker.citations, new_line=new_line))

    def _remove(self, refusal: Refusal) -> None:
        claim = refusal.claim
        if is_denial(claim.text):
            self._denies = True
        elif claim.markers or any(character.isdigit() for character in claim.text):
            self._fails = True
        passages = list(self._passages.values())
        removed = describe_removed(
            claim.text, refusal.problem, refusal.differences, self._plan.question, passages
        )
        self.removed.append(removed)
        self._emit("removed", removed.model_dump())


def _with_its_failure(
    stream: Iterator[str | ModelReply],
) -> Iterator[str | ModelReply | FootnoteError]:
    """Yields the error that ends a stream: one of whoever reads it is raised all the same."""
    try:
        yield from stream
    except (*NO_REPLY, ModelReplyError) as error:
        yield error
