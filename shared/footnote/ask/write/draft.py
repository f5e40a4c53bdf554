"""An answer while it is being written: each sentence is checked, repaired once or left out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from footnote.ask.guard.screen import blank_out, content_words, is_instruction, is_unsafe
from footnote.ask.write.citations import Checker, Documents, Refusal, Words
from footnote.ask.write.claims import Claim, Claims, claims
from footnote.ask.write.explain import explain
from footnote.ask.write.judge import make_judge
from footnote.ask.write.repair import repair
from footnote.ask.write.rests_on_ocr import read_of
from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest, Passage, Plan, RemovedSentence, Sentence
from footnote.ports import LLM
from footnote.text.sentences import sentences
from footnote.text.smalltalk import NOT_SAID

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
        llm: LLM,
        emit: Emit,
    ) -> None:
        self._plan = plan
        self._material = (passages, documents, words)
        self._llm = llm
        self._emit = emit
        self.replies: list[ModelReply] = []
        self.degraded: tuple[str, ...] = ()
        self._repairs = MAX_REPAIRS
        self._start()

    def _start(self) -> None:
        self.checker = Checker(*self._material, judge=make_judge(self._llm, self.replies.extend))
        self.sentences: list[Sentence] = []
        self.written = 0  # of the sentences, those of the writer
        self.removed: list[RemovedSentence] = []
        self.breaks: set[int] = set()  # indexes of sentences that begin a new line

    def write(self, request: ModelRequest) -> None:
        """Streams the reply. Where it is cut before a sentence held, rules write the answer."""
        reply = self._read(request)
        if reply and reply.stopped and not self.sentences:
            self._begin_again()
            why = f"it was cut short: {reply.stopped}"
            self._read(request.model_copy(update={"given_up": why}))

    def _read(self, request: ModelRequest) -> ModelReply | None:
        """Reads a stream. If its words were written anew half-way, so are the sentences."""
        reader, streamed = Claims(), ""
        reply, failure = None, None
        try:
            for piece in self._llm.stream(request):
                if isinstance(piece, ModelReply):
                    reply = piece
                    continue
                streamed += piece
                self._take(reader.feed(piece))
        except ModelReplyError as error:
            failure = error
        if reply and reply.text != streamed:
            self._begin_again()
            self._take(iter(claims(reply.text)))
        elif not (reply and reply.stopped):  # the half sentence of a cut answer is no claim
            self._take(reader.close())
        if failure:
            self._end(failure)
        self.replies += [reply] if reply else []
        return reply

    def _end(self, failure: ModelReplyError) -> None:
        """Keeps what a failed model has left; raises the failure if that is nothing.

        No failure may read as "the documents do not say".
        """
        if not self.sentences:
            raise failure
        self.replies += [failure.spent] if failure.spent else []
        self.degraded = (f"The answer is incomplete: {failure.message}",)

    def add(self, found: Iterable[Sentence]) -> None:
        """Adds sentences that code has made of what was checked, each on a line of its own."""
        for sentence in found:
            self.breaks.add(len(self.sentences))
            self._say(sentence)

    def _begin_again(self) -> None:
        self._start()
        self._emit("restart", {})

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
        self.written += 1

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
