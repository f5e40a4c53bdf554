"""Plans by rules: small talk, follow-ups, several questions in one, file names, keywords."""

import re
from collections.abc import Sequence

from footnote.ask.planning.divide import split_questions, without_form
from footnote.ask.planning.followup import ask_back, complete, resolve
from footnote.ask.planning.german import german_kind, german_noun, german_topic
from footnote.ask.quote.listing import DOCUMENT_NOUNS, topic_of
from footnote.model import QuestionKind
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.shapes import PlannedQuestion, PlanReply
from footnote.text.duty_questions import duty_topic
from footnote.text.language import STOPWORDS, words
from footnote.text.own_words import ABOUT, CLARIFY, GREETING, THANKS
from footnote.text.table_questions import ranks_rows
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
_FILE = re.compile(
    r"(?<![\w./%-])[\w./%-]*\w\.(?:pdf|docx|pptx|xlsx|html?|md|txt|csv|json|eml)\b", re.IGNORECASE
)


_BRIEF = re.compile(
    r"\b(?:briefly|in (?:brief|short|a word|one (?:word|sentence))|(?:short|brief) answer"
    r"|yes or no|kurz|in einem satz)\b",
    re.IGNORECASE,
)
# These patterns say what a question asks for, where its words leave no doubt. "How many bikes does
# a Roost hold?" fits none of them: a passage states it.
# "Which suppliers deliver" asks for a list: a plural, then no verb in the singular. "Which insurer
# covers" does not. Where a word stands before the plural, only a verb in the plural tells the noun
# "covers" from the verb. "Which suppliers are the ones that" is about some that are known.
_MANY = r"[a-z-]{2,}(?<![siu])s"
# "Which gas company moved": "gas" is no plural, or stands before a noun in the singular
_ONE = r"(?!(?:gas|sales|sports|operations|customs|news|lens|savings|goods|communications)\b)"
_LIST = re.compile(
    r"(?:please )?(?:list|enumerate|name (?:all|every|each))\b|what are all\b"
    rf"|which (?:[a-z-]+ )?{_MANY} (?:(?:are|were)\b(?! the\b)|have\b|do\b)"
    rf"|which {_ONE}{_MANY} (?!(?:is|was|has|a|an|the|of|in|on|at|to|by|for|from|with|about|and|or"
    r"|(?:are|were) the)\b)"
    r"[a-z]+(?<![^s]s)\b",
    re.IGNORECASE,
)
_DOCUMENTS = re.compile(rf"\b(?:{DOCUMENT_NOUNS})\b", re.IGNORECASE)
_COUNT = re.compile(
    r"how many [a-z][\w' -]{2,80} (?:are|were) there(?:\W*$| in (?:the|these|all|our)\b)"
    rf"|(?:in )?how many (?:of the )?(?:different )?(?:{DOCUMENT_NOUNS})\b"
    r" (?!(?:do|does|did|can|could|may|must|should|shall|will|would|has|had|was|were|we|you)\b)"
    r"|(?:in )?how many (?:of the )?(?:different )?"
    r"(?:documents|files|reports|contracts|mentions)\b(?:(?: are| mention| say|"
    r" speak| name| have| contain| do| is| refer| state)\b|$)",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"(?:please )?(?:summari[sz]e|give (?:me )?(?:a |an )?(?:summary|overview))\b"
    r"|(?:summary|overview) of\b"
    r"|what (?:is|does) (?:the|this) (?:document|file|report|contract) (?:about|say)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(r"compare\b|what (?:is|was|are) the differences?\b", re.IGNORECASE)
_VERSUS = re.compile(r"\b(?:versus|vs\.?)\s", re.IGNORECASE)


def plan(
    question: str,
    history: Sequence[tuple[str, str]],
    documents: Sequence[str] = (),
    anchors: Sequence[str] = (),
    named: Sequence[str] = (),
) -> PlanReply:
    """Returns the plan of rules.

    `documents` are those that the search is limited to, if it is. `anchors` are words of the
    context that are worth searching for. `named` are values of the context that the question calls
    by their names; each sub-question is given them.
    """
    plain = question.strip(" ?!.")
    for pattern, reply in ((_GREETING, GREETING), (_THANKS, THANKS), (_ABOUT, ABOUT)):
        if pattern.fullmatch(plain):
            why = "small talk, or about the system"
            return PlanReply(kind="direct", reply=reply, reason=why)
    if asks := ask_back(question, history, documents):
        return PlanReply(kind="clarify", reply=asks, reason="it is not said what is meant")
    if completed := complete(question, history, documents):
        text, reason = completed, f"completes {history[-1][0]!r}"
    else:
        text, reason = resolve(question, history)
    if not terms(text):
        return PlanReply(kind="clarify", reply=CLARIFY, reason="the question has no content")
    kind = _kind_of(text)
    bare = (german_topic(text) or topic_of(text)) if KINDS[kind].lists else without_form(text)
    parts = [_with_named(part, named) for part in split_questions(bare)]
    if len(parts) > 1:
        reason = f"{reason}; {len(parts)} questions in one" if reason else "several questions"
    return PlanReply(
        kind="retrieve",
        reason=reason or "one question",
        resolved=text,
        question_kind=kind,
        persona="terse" if _BRIEF.search(text) else None,
        sub_questions=[
            sub_question(f"q{n}", part, anchors, _FILE.findall(part))
            for n, part in enumerate(parts, start=1)
        ],
    )


def _with_named(text: str, named: Sequence[str]) -> str:
    return f"{text.rstrip(' ?')} ({', '.join(named)})?" if named else text


def _kind_of(text: str) -> QuestionKind:
    """Returns the kind of a question; a fact, if no rule says otherwise.

    Which rows are above a value, or the largest, is worked out of a table, not read in a list.
    """
    if ranks_rows(text) and not _DOCUMENTS.search(text) and not german_noun(text):
        return "fact"
    if duty_topic(text):
        return "list"
    rules: dict[QuestionKind, re.Pattern[str]] = {
        "list": _LIST, "count": _COUNT, "document": _DOCUMENT, "comparison": _COMPARISON
    }  # fmt: skip
    if german := german_kind(text):
        return german
    is_versus: QuestionKind = "comparison" if _VERSUS.search(text) else "fact"
    return next((kind for kind, rule in rules.items() if rule.match(text)), is_versus)


def sub_question(
    name: str, text: str, anchors: Sequence[str], documents: Sequence[str]
) -> PlannedQuestion:
    bare = keywords(text)
    variants = [
        *([bare] if bare and bare != text.casefold() else []),
        *([f"{bare} {' '.join(anchors)}"] if anchors else []),
    ]
    return PlannedQuestion(id=name, text=text, variants=variants, documents=list(documents))


def keywords(text: str) -> str:
    """Returns the question without stop words."""
    return " ".join(word for word in words(text) if word not in STOPWORDS["en"])
