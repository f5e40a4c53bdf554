"""Synthesize: writes the answer from the evidence, checking each sentence as it comes.

Nothing is shown that has not been checked: a sentence goes out once its citations hold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from footnote.ask.citations import Checker, Documents, Words
from footnote.ask.claims import NOT_SAID, Claim, Claims, claims
from footnote.ask.door import content_words, left_out, safe_name
from footnote.ask.evidence import described, numbered_passages
from footnote.ask.progress import Progress
from footnote.ask.quotes import unmarked
from footnote.errors import ModelReplyError
from footnote.language import sentences
from footnote.model import (
    Answer,
    Evidence,
    ModelReply,
    ModelRequest,
    Passage,
    Plan,
    Sentence,
)
from footnote.ports import LLM
from footnote.prompts import fenced, load

_SAYING = content_words("whether anything information about mention state give detail exactly")

type Emit = Callable[[str, Mapping[str, object]], None]
"""Takes (kind, data) for the trace: "words" {text}, "restart" {} when all words so far are void."""


def synthesize(  # noqa: PLR0917 - four of them are ports
    question_id: str,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    documents: Documents,
    words: Words,
    llm: LLM,
    emit: Emit,
) -> Answer:
    """The answer; `evidence` is by sub-question id, as `gather` makes it."""
    plan = progress.plan
    if plan.kind != "retrieve":
        return _said_at_once(question_id, progress, emit)
    passages = numbered_passages(evidence.values())
    if not passages:
        return _not_found(question_id, progress, evidence)
    draft = Draft(plan, passages, documents, words, emit)
    reply = draft.write(_request(plan, evidence, passages), llm)
    replies = [reply] if reply else []
    after = progress.after("synthesize", replies, degraded=draft.degraded)
    if not draft.checker.citations:
        return _not_found(question_id, after, evidence, draft.checker.removed)
    return _common(question_id, after).model_copy(
        update={
            "found": True,
            "answer": shown(draft.sentences, draft.breaks),
            "sentences": tuple(draft.sentences),
            "citations": draft.checker.citations,
            "confidence": _confidence(plan, draft.checker.removed, len(draft.sentences)),
            "removed": draft.checker.removed,
        }
    )


class Draft:
    """The answer while it is being written."""

    def __init__(
        self,
        plan: Plan,
        passages: Mapping[int, Passage],
        documents: Documents,
        words: Words,
        emit: Emit,
    ) -> None:
        self._plan = plan
        self._material = (passages, documents, words)
        self._emit = emit
        self.degraded: tuple[str, ...] = ()
        self._start()

    def _start(self) -> None:
        self.checker = Checker(*self._material)
        self.sentences: list[Sentence] = []
        self.breaks: set[int] = set()  # sentences that begin a new line

    def write(self, request: ModelRequest, llm: LLM) -> ModelReply | None:
        """Streams the reply; when its words were written anew half-way, so are the sentences."""
        reader = Claims()
        streamed = ""
        reply = None
        try:
            for piece in llm.stream(request):
                if isinstance(piece, ModelReply):
                    reply = piece
                    continue
                streamed += piece
                self._take(reader.feed(piece))
        except ModelReplyError as error:
            self.degraded = (f"The answer is incomplete: {error.message}",)
        self._take(reader.close())
        if reply and reply.text != streamed:
            self._start()
            self._emit("restart", {})
            self._take(iter(claims(reply.text)))
        return reply

    def _take(self, found: Iterator[Claim]) -> None:
        for claim in found:
            sentence = self._note(claim) or self.checker.check(claim)
            if sentence is None:
                continue
            if claim.new_line and self.sentences:
                self.breaks.add(len(self.sentences))
            self.sentences.append(sentence)
            self._emit("words", {"text": _with_markers(sentence)})

    def _note(self, claim: Claim) -> Sentence | None:
        """A sentence about what is missing needs no citation, and may speak of nothing else."""
        if claim.markers or not claim.text.startswith(NOT_SAID):
            return None
        asked = (self._plan.question, *(q.text for q in self._plan.sub_questions))
        said = claim.text.removeprefix(NOT_SAID)
        return Sentence(text=claim.text) if _is_about(said, asked) else None


def shown(sentences: Sequence[Sentence], breaks: set[int]) -> str:
    """The answer as one text, each sentence with its markers."""
    text = ""
    for n, sentence in enumerate(sentences):
        between = "\n\n" if n in breaks else " "
        text += (between if n else "") + _with_markers(sentence)
    return text


def _with_markers(sentence: Sentence) -> str:
    markers = "".join(f"[{n}]" for n in sentence.citations)
    return f"{sentence.text} {markers}".rstrip()


def _request(
    plan: Plan, evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]
) -> ModelRequest:
    system, prompt = load(
        "synthesize",
        question=fenced({"question": plan.question}),
        sub_questions=fenced({q.id: q.text for q in plan.sub_questions}),
        passages=fenced(
            {str(n): f"{described(p)}\n\n{unmarked(p.text)}" for n, p in passages.items()}
        ),
    )
    return ModelRequest(
        task="synthesize",
        system=system,
        prompt=prompt,
        material={"plan": plan, "evidence": dict(evidence), "passages": dict(passages)},
    )


def _is_about(said: str, asked: Sequence[str]) -> bool:
    """Whether what the documents are said not to say is in words of the questions alone."""
    if said.strip(" :.?!") in {text.strip(" :.?!") for text in asked}:
        return True
    new = content_words(said) - content_words(" ".join(asked)) - _SAYING
    return not new and len(sentences(said)) <= 1 and not left_out(said, asked)


def _said_at_once(question_id: str, progress: Progress, emit: Emit) -> Answer:
    """The plan's reply, which is footnote's own or passed the door (see ask/replies.py): it says
    nothing about the world, so there is nothing to be unsure of, and its confidence is 1.
    """
    plan = progress.plan
    emit("words", {"text": plan.reply})
    kind = "clarify" if plan.kind == "clarify" else "direct"
    return _common(question_id, progress).model_copy(
        update={"kind": kind, "answer": plan.reply, "confidence": 1.0, "rounds": 0}
    )


def _not_found(
    question_id: str,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    removed: int = 0,
) -> Answer:
    looked_for = "; ".join(q.text.rstrip(" .?!") for q in progress.plan.sub_questions)
    found = (safe_name(p.document) for piece in evidence.values() for p in piece.passages)
    names = dict.fromkeys(name for name in found if name)
    where = f" The nearest passages are in {', '.join(list(names)[:3])}." if names else ""
    text = f"{NOT_SAID}. Looked for: {looked_for}.{where}"
    return _common(question_id, progress).model_copy(
        update={"answer": text, "sentences": (Sentence(text=text),), "removed": removed}
    )


def _common(question_id: str, progress: Progress) -> Answer:
    return Answer(
        id=question_id,
        kind="answer",
        found=False,
        answer="",
        degraded=progress.degraded,
        mode=progress.mode,
        plan=progress.plan,
        rounds=progress.round,
        usage=progress.usage,
        timings_ms=progress.timings_ms,
    )


def _confidence(plan: Plan, removed: int, kept: int) -> float:
    """How sure grading was, times the share of the written sentences that held."""
    graded = [q.verdict.confidence for q in plan.sub_questions if q.verdict]
    mean = sum(graded) / len(graded) if graded else 0.5
    return round(mean * kept / (kept + removed), 3)
