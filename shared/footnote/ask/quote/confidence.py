"""Grades evidence by a calibrated score of how likely it is to state the answer."""

import math
from collections.abc import Collection, Mapping, Sequence

from footnote.ask.quote.features import (
    decisive_unknown_words,
    features,
    is_of_other_years,
    is_of_unrelated_document,
    label_terms,
)
from footnote.ask.quote.figure_stated import lacks_figure
from footnote.ask.quote.listing import set_down
from footnote.ask.quote.name_stated import lacks_name
from footnote.model import CELL, Evidence, SubQuestion
from footnote.prompts.shapes import GradedQuestion, GradeReply
from footnote.text.extremes import asked_extreme
from footnote.text.language import STOPWORDS, words
from footnote.text.table_lines import has_figures
from footnote.text.terms import terms

FOUND = 0.55
"""Below this the answer is that the documents do not say. Of 345 questions with an answer .92, .90
and .85 are found from .5, .55 and .6; of 71 whose document is missing .48, .55 and .68 are refused
(docs/experiments-answers.md, "A gate that is a probability")."""

# From a logistic regression over `features.NAMES`; see evals/calibrate_extractive.py.
WEIGHTS = (5.76, 0.89, 1.53, 2.53)
BIAS = -5.71
# Where a figure of the question, or each of its words, stands nowhere in what was searched. One in
# three such questions had an answer all the same.
UNKNOWN = 0.3
# In log-odds, where the best sentence is of a document that says nothing of what the question
# calls, neither a name nor a word of code. It is no cap: a speech may not say who speaks. With 1
# one of 112 questions without an answer is refused less than with 2, and no more of 176 are found
# (docs/experiments-answers.md, "Values, versions and code that are not there").
UNRELATED = 2.0
# In log-odds, where a word of the question that is no word of asking stands nowhere in much text.
# Of 71 questions whose document is missing 19 have one, of 82 with an answer 2. That is ln 11 at
# most; from .5 to 2.5 the same are refused (docs/experiments-answers.md, "A word that stands
# nowhere in much text").
OFF_TOPIC = 1.5
# In log-odds, where a figure, a measure or a version is asked for that no line nearly as good as
# the best one states. By figures alone .44 of 50 hard questions without an answer are refused
# instead of .18, and eight fewer of 495 with one are found (docs/experiments-answers.md, "A figure
# that no line states").
UNSTATED = 2.0
# In log-odds, where rows under years are among the best lines, and none of these lines says a year
# that the question asks for.
OTHER_YEAR = 2.0
# In log-odds, where a company or the like is asked for and none of the best lines has a name.
UNNAMED = 2.0
# In log-odds, for each log-odd of the line that a model finds likeliest, counted from READ_MIDDLE;
# of a question of more than LONG words READ_LONG lower, as the model finds too little likely there
# (docs/experiments-answers.md, "Fewer lines read").
READ, READ_MIDDLE = 0.4, -2.6
LONG, READ_LONG = 16, 4.5
# Log-odds above which more of them count half. Of 632 questions whose confidence was above .88 it
# said .96 on average, and .87 had an answer.
SURE = 1.0
SET_DOWN = 0.6  # a list or table whose heading names what is asked for; not calibrated


def grade(
    sub_questions: Sequence[SubQuestion],
    evidence: Mapping[str, Evidence],
    last: Collection[str],
    least: float = 0.0,
) -> GradeReply:
    """Returns the verdicts of rules.

    `last` are the ids of those that no search is left for. `least` is the confidence that the
    caller wants; below FOUND it changes nothing.
    """
    wanted = max(FOUND, least)
    verdicts = [_verdict(q, evidence[q.id], wanted, last=q.id in last) for q in sub_questions]
    return GradeReply(verdicts=verdicts)


def confidence(question: str, evidence: Evidence) -> float:
    """Returns the share of such cases, 0 to 1, in which the evidence does state the answer."""
    if not any(passage.sentences for passage in evidence.passages):
        return 0.0
    total = BIAS + math.sumprod(WEIGHTS, features(question, evidence))
    total += read_odds(question, evidence) - doubts(question, evidence)
    sure = 1 / (1 + math.exp(-min(total, (total + SURE) / 2)))
    return round(min(sure, UNKNOWN) if decisive_unknown_words(question, evidence) else sure, 3)


def read_odds(question: str, evidence: Evidence) -> float:
    """Returns what a model that has read the best lines adds to the log-odds; 0 where none has."""
    middle = READ_MIDDLE - READ_LONG * (len(question.split()) > LONG)
    said = [
        one.states
        for passage in evidence.passages
        for one in passage.sentences
        if one.states is not None
    ]
    return READ * (max(said) - middle) if said else 0.0


def doubts(question: str, evidence: Evidence) -> float:
    """Returns what is taken off the log-odds for what the features do not see."""
    return (
        UNRELATED * is_of_unrelated_document(question, evidence)
        + OFF_TOPIC * bool(evidence.foreign)
        + UNSTATED * lacks_figure(question, evidence)
        + OTHER_YEAR * is_of_other_years(question, evidence)
        + UNNAMED * lacks_name(question, evidence)
    )


def _verdict(
    question: SubQuestion, evidence: Evidence, wanted: float, *, last: bool
) -> GradedQuestion:
    sure = confidence(question.text, evidence)
    if (question.wide and set_down(question.text, evidence)) or _is_compared(
        question.text, evidence
    ):
        sure = max(sure, SET_DOWN)  # the score is of sentences: it knows no lists and no columns
    again = sure < wanted and not last and question.verdict is None
    return GradedQuestion(
        id=question.id,
        decision="expand" if again else "enough",
        confidence=sure,
        missing="" if sure >= wanted else _missing(question.text, evidence),
        variants=_other_words(question.text) if again else [],
        strategy="lexical" if again else question.strategy,
    )


def _is_compared(question: str, evidence: Evidence) -> bool:
    """Tells whether the largest of something is asked for, and a table has figures of it.

    A line of its header says what is asked for, or a row's label where the largest is a period.
    """
    asked = asked_extreme(question)
    wanted = set(terms(asked.measure)) if asked else set[str]()
    if not asked or not wanted:
        return False
    rows = [
        line for passage in evidence.passages for line in passage.text.splitlines() if CELL in line
    ]
    if asked.period:
        return any(wanted <= label_terms(one) for one in rows if has_figures(one))
    return any(wanted <= set(terms(one)) for one in rows if not has_figures(one))


def _missing(question: str, evidence: Evidence) -> str:
    nowhere = decisive_unknown_words(question, evidence) or evidence.foreign
    if nowhere:
        return f"{', '.join(nowhere)}: in no document"
    if is_of_unrelated_document(question, evidence):
        return "no document that was found says what the question names"
    if lacks_figure(question, evidence):
        return "no passage states such a figure"
    if is_of_other_years(question, evidence):
        return "what was found is of other years"
    return "no passage states it clearly"


def _other_words(question: str) -> list[str]:
    """Returns one variant: the question's four longest words.

    They are the rarest words, and in a long question the others drown them.
    """
    told = [word for word in words(question) if word not in STOPWORDS["en"]]
    return [" ".join(sorted(dict.fromkeys(told), key=len, reverse=True)[:4])]
