"""Reads a question within its conversation: follow-ups, questions back, and replies to those.

The last question supplies what a follow-up such as "and the year before?" omits. footnote asks back
in the plainest case: "How much does it cost?" as the first question of a session.
"""

import re
from collections.abc import Sequence
from itertools import chain

from footnote.ask.planning.another_time import YEAR, move_in_time
from footnote.text.language import STOPWORDS
from footnote.text.terms import terms

_OPENING = re.compile(
    r"(?:and|but|so|what about|how about|what of|and what about|und|und was ist mit|et)\b[,:]?\s*",
    re.IGNORECASE,
)
# "It", "they", "is that more than" and "of those" point back; "I think that" and "which orders are
# there" do not.
_BACK = re.compile(
    r"\b(?:its?|they|them|their|he|she|him|his|her)\b"
    r"|^(?:is|was|are|were|do|does|did) (?:that|this|those|these)\b"
    r"|\b(?:of|than|in|at|for|from|with|by|on|about|so|to) (?:that|this|those|these|there)\b"
    r"|\b(?:this|these|those|(?<!are )there|then)\W*$",
    re.IGNORECASE,
)
_EMPTY = re.compile(  # "is it true that" points at nothing
    r"\b(?:is|was|would|will) (?:it|that|this) (?:true|possible|necessary|legal|illegal|allowed"
    r"|safe|better|good|bad|worth|ok|okay|normal)\b",
    re.IGNORECASE,
)
# A text that begins like this is a question or a request of its own.
_WHOLE = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will"
    r"|would|should|shall|may|might|must|has|have|had|am|list|name|tell|give|show|explain|define"
    r"|describe|find|compare|summari[sz]e|i|we|my|hi|hello|thanks?|please|ok|okay|yes|no)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:why|how|when|where|who)(?: (?:so|come|not|exactly))?\W*", re.IGNORECASE)
# "That depot", but not "that year": a time is no thing that an earlier question has named.
_POINTED = re.compile(
    r"\b(?:that|this|those|these|the same) (?!(?:years?|times?|days?|months?|quarters?|periods?"
    r"|case|ways?|kinds?|sorts?|types?|things?|questions?|answers?)\b)([a-z][\w-]+)",
    re.IGNORECASE,
)
LONG = 7  # terms; a longer question stands on its own unless it opens like "and what about"
FRAGMENT = 2  # terms or words of a question without a verb: "Investments?"
DEFINITE = 3  # terms of a question for "the …", which names nothing that it is of
_THE = re.compile(r"\bthe\b", re.IGNORECASE)
LITTLE = 1  # words of its own: too little without the main words of the last question
BACK = 3  # earlier questions that are searched for a name, the last one first
MOST = 10  # words that are carried over
_QUARTER = re.compile(r"\bq[1-4]\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w.])[A-Z0-9][\w&'.-]*(?: (?:of |and )?[A-Z0-9][\w&'-]*){0,5}")
_EMPTY_WORDS = STOPWORDS["en"] | {"much", "many", "long", "often", "say", "said", "tell"}
_WORD = re.compile(r"\w[\w&'\u2019.-]*")
_PRONOUN = re.compile(
    r"\b(its?|he|she|him|her|his|they|them|their|that|(?<!are )there)\b", re.IGNORECASE
)
_NAME_OR_FIGURE = re.compile(r"(?<!^)\b[A-Z]|\d")
_HOW = frozenset(terms("much many long often old far"))  # "How much" names nothing either
MOST_TERMS = 1  # beside the pronoun: a search would look for that word alone
MOST_REPLIED = 6  # terms of a reply to a question back; a longer one is a question of its own


def ask_back(
    question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()
) -> str:
    """Returns a question back where it is not clear what the question is about, else "".

    `documents` are those that the search is limited to: "it" may be what a single one is about.
    """
    pronoun = None if history or len(documents) == 1 else _PRONOUN.search(question)
    telling = [term for term in terms(question) if term not in _HOW]
    is_bare = 0 < len(telling) <= MOST_TERMS and not _NAME_OR_FIGURE.search(question)
    return f"What do you mean by \u201c{pronoun[0]}\u201d?" if pronoun and is_bare else ""


def complete(
    question: str, history: Sequence[tuple[str, str]], documents: Sequence[str] = ()
) -> str:
    """Returns the last question completed by `question`, the user's reply to a question back.

    Returns "" where the last answer did not ask back, or where the reply is a question itself.
    """
    last, answer = history[-1] if history else ("", "")
    is_reply = not question.rstrip().endswith("?") and 0 < len(terms(question)) <= MOST_REPLIED
    if not is_reply or not answer or answer != ask_back(last, history[:-1], documents):
        return ""
    return f"{last.rstrip(' ?.!')} ({question.strip(' ?.!')})?"


def resolve(question: str, history: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Returns the question in words that need no history, and why they differ; "" if not."""
    if recalled := _recall(question, history):
        return _with(question, _names_of(recalled)), f"goes back to {recalled!r}"
    if not history:
        return question, ""
    last = history[-1][0]
    why = f"follows up on {last!r}"
    earlier = [each for each, _ in history[: -BACK - 1 : -1]]
    names = " ".join(next(filter(None, map(_names_of, earlier)), [])).split()
    if not _follows_up(question):
        named = _with(question, names) if _is_of_the_talk(question) else question
        return named, why if named != question else ""
    rest = _OPENING.sub("", question, count=1).strip(" ?.!")
    is_opened = rest != question.strip(" ?.!")
    if text := _with_another(rest, last, is_opened=is_opened):
        return text, why
    topic = _content_of(last)[-MOST:]
    is_little = len(_content_of(rest)) <= LITTLE
    return _with(question, [*topic, *names] if is_little else names or topic), why


def _recall(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Returns the newest question with a name that has what "that depot" points to.

    If none has, it is one whose answer has it. A question with a name of its own needs none.
    """
    pointed = {stem for noun in _POINTED.findall(question) for stem in terms(noun)}
    if not pointed or _names_of(question):
        return ""
    named = [(asked, answer) for asked, answer in reversed(history) if _names_of(asked)]
    by_question = (asked for asked, _ in named if pointed & set(terms(asked)))
    by_answer = (asked for asked, answer in named if pointed & set(terms(answer)))
    return next(chain(by_question, by_answer), "")


def _follows_up(question: str) -> bool:
    """Returns whether a question leaves out what it is about.

    It opens like one that goes on ("And …"), has a word that points back, or is a fragment:
    "Investments?".
    """
    question_terms = terms(question)
    if _OPENING.match(question) or _BARE.fullmatch(question.strip()):
        return True
    if len(question_terms) <= LONG and _BACK.search(_EMPTY.sub(" ", question)):
        return True
    is_short = len(question_terms) <= FRAGMENT or len(question.split()) <= FRAGMENT
    return bool(question_terms) and is_short and not _WHOLE.match(question.strip())


def _is_of_the_talk(question: str) -> bool:
    """Returns whether a short question asks for "the …" of what is being talked about.

    "What is the gross margin?" names nothing whose margin it is.
    """
    is_short = 0 < len(terms(question)) <= DEFINITE
    return is_short and bool(_THE.search(question)) and not _NAME_OR_FIGURE.search(question)


def _with_another(rest: str, last: str, *, is_opened: bool) -> str:
    """Returns the last question about another year, quarter or name; "" if `rest` is none.

    A single word that nothing opens is no name: "Dividends?" looks like one.
    """
    if moved := move_in_time(rest, last):
        return moved
    new = re.sub(r"^(?:(?:for|in|of) )?(?:the )?", "", rest)
    for kind in (YEAR, _QUARTER):
        if kind.fullmatch(new):
            return kind.sub(new, last) if kind.search(last) else ""
    names = _names_of(last)
    if len(names) == 1 and _NAME.fullmatch(new) and (is_opened or " " in rest):
        return last.replace(names[0], new)
    return ""


def _with(question: str, carried: Sequence[str]) -> str:
    """Adds to the question, in brackets, those of the words that it does not have yet."""
    own = set(terms(question))
    kept = [word for word in dict.fromkeys(carried) if not set(terms(word)) <= own]
    return f"{question.rstrip(' ?.!')} ({' '.join(kept)})?" if kept else question


def _content_of(text: str) -> list[str]:
    """Returns the words of a question that say what it is about."""
    every = [word.rstrip(".'\u2019&-") for word in _WORD.findall(text)]
    return [word for word in every if len(word) > 1 and word.casefold() not in _EMPTY_WORDS]


def _names_of(text: str) -> list[str]:
    """Returns the names in a question. Its first word is none for its large first letter alone."""
    text = text.strip(" ?!.")
    first = text.partition(" ")[0]
    begins_large = len(first) == 1 or first[1:].islower()
    names = [
        name.removesuffix("'s") for name in _NAME.findall(text, len(first) if begins_large else 0)
    ]
    return [name for name in names if _content_of(name) and not name.isdigit()]
