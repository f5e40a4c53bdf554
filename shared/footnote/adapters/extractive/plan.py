"""Plans by rules: small talk, follow-ups, several questions in one, file names, keywords."""

import re
from collections.abc import Sequence

from footnote.adapters.extractive.followup import resolve
from footnote.text.language import STOPWORDS, words
from footnote.text.smalltalk import ABOUT, CLARIFY, GREETING, THANKS
from footnote.text.terms import terms

_GREETING = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)"
    r"|moin|bonjour|hola|ciao)\b(?: \w+){0,2}",
    re.IGNORECASE,
)
_THANKS = re.compile(r"(?:thanks|thank you|thx|danke|merci|gracias)\b(?: \w+){0,3}", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:help|(?:what|who) (?:are you|is footnote|can you do|can i ask)(?: here)?"
    r"|how (?:do you|does (?:this|it|footnote)) work|what (?:is|does) (?:this|footnote)(?: do)?)",
    re.IGNORECASE,
)
_ASKS = (
    r"(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|has"
    r"|have|had|will|would|should|may|must)"
)
_AND_ASKS = re.compile(rf"(?<!\s)(?:\s*+[,;])?\s++and\s++(?={_ASKS}\b)", re.IGNORECASE)
_ASKING = re.compile(rf"\b{_ASKS}\b", re.IGNORECASE)
LONGEST_COMPARISON = 1_000  # characters: the pattern takes time quadratic in the names in a row
_COMPARE = re.compile(
    r"(?i:(?:please )?compare) (?P<what>.*?)(?<![\w.&'-])(?P<a>[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*)"
    r" (?:with|to|and|against) (?P<b>[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*)(?P<rest>.*)",
    re.DOTALL,
)
_FILE = re.compile(
    r"(?<![\w./%-])[\w./%-]*\w\.(?:pdf|docx|pptx|xlsx|html?|md|txt|csv|json|eml)\b", re.IGNORECASE
)
_REFERS_BACK = re.compile(r"\b(?:it|its|they|their|them|that|this|those|these)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*|\b[A-Z]{2,}\b")


def plan(question: str, history: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Returns the reply to a plan request, in the shape of the request's schema."""
    plain = question.strip(" ?!.")
    for pattern, reply in ((_GREETING, GREETING), (_THANKS, THANKS), (_ABOUT, ABOUT)):
        if pattern.fullmatch(plain):
            return {"kind": "direct", "reply": reply, "reason": "small talk, or about the system"}
    text, reason = resolve(question, history)
    if not terms(text):
        return {"kind": "clarify", "reply": CLARIFY, "reason": "the question has no content"}
    parts = split_questions(text)
    if len(parts) > 1:
        reason = f"{reason}; {len(parts)} questions in one" if reason else "several questions"
    return {
        "kind": "retrieve",
        "reason": reason or "one question",
        "sub_questions": [sub_question(f"q{n}", part) for n, part in enumerate(parts, start=1)],
    }


def sub_question(name: str, text: str) -> dict[str, object]:
    return {
        "id": name,
        "text": text,
        "variants": [bare] if (bare := keywords(text)) and bare != text.casefold() else [],
        "strategy": "auto",
        "documents": _FILE.findall(text),
        "depends_on": [],
    }


def keywords(text: str) -> str:
    """Returns the question without stop words."""
    return " ".join(word for word in words(text) if word not in STOPWORDS["en"])


def split_questions(text: str) -> list[str]:
    """Splits a text into its questions. A later one that says "it" gets the first one's names."""
    match = _COMPARE.fullmatch(text.strip(" ?.")) if len(text) <= LONGEST_COMPARISON else None
    if match:
        what, rest = match["what"], match["rest"]
        return [f"{what}{match[side]}{rest}".strip() for side in ("a", "b")]
    asked = [part.strip() for part in re.split(r"(?<=\?)\s+", text) if part.strip()]
    parts = [half for part in asked for half in _halves(part)]
    questions = [part for part in parts if terms(part) and _ASKING.search(part)]
    if len(questions) < 2 or len(questions) != len(parts):
        return [text]
    first, *later = questions
    return [first, *(_with_names(part, first) for part in later)]


def _halves(part: str) -> list[str]:
    halves = _AND_ASKS.split(part)
    whole = all(_ASKING.search(half) and terms(half) for half in halves)
    return [half.strip(" ,;?") + "?" for half in halves] if whole else [part]


def _with_names(part: str, first: str) -> str:
    if not _REFERS_BACK.search(part):
        return part
    names = [name for name in _NAME.findall(first) if name not in part]
    return f"{part.rstrip('?')} ({', '.join(names)})?" if names else part
