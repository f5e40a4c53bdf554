"""Grades evidence by a calibrated score of how likely it is to state the answer."""

import math
from collections.abc import Collection, Mapping, Sequence

from footnote.accounting.glossary import find_synonyms
from footnote.ask.evidence.passages import text_with_headings
from footnote.ask.quote.doubts import (
    decisive_unknown_words,
    is_of_other_years,
    is_of_unrelated_document,
    lacks_name,
)
from footnote.ask.quote.figure_stated import lacks_figure
from footnote.ask.quote.lines import YEAR, label_terms, rank_lines
from footnote.ask.quote.listing import set_down
from footnote.model import CELL, Evidence, SubQuestion
from footnote.prompts.shapes import GradedQuestion, GradeReply
from footnote.text.computations import asked_extreme
from footnote.text.language import STOPWORDS, words
from footnote.text.table_lines import has_figures
from footnote.text.terms import terms

FOUND = 0.55
"""Below this the answer is that the documents do not say. With .5, .55 and .6, of 345 questions
with an answer .92, .90 and .85 are found. Of 71 whose document is missing .48, .55 and .68 are
refused (docs/experiments-answers.md, "A gate that is a probability")."""

NAMES = (
    "similarity",  # of the best line
    "overlap",  # of the best line
    "coverage",  # share of the question's terms in the passage that has most of them
    "years",  # share of the question's years in the best line's passage
)
"""The inputs of the calibrated score."""
# From a logistic regression over them; see evals/calibrate_extractive.py.
WEIGHTS = (5.76, 0.89, 1.53, 2.53)
BIAS = -5.71
TYPICAL = 0.45  # similarity if no sentence was embedded: a tenth of right sentences have less
# The highest probability with a decisive unknown word. One in three such questions had an answer
# all the same.
UNKNOWN = 0.3

# Doubts, in log-odds.
# The best line is of an unrelated document. The probability gets no cap, as a speech may not say
# who speaks. With 1 instead of 2, one fewer of 112 questions without an answer is refused, and none
# of 176 others gains an answer (docs/experiments-answers.md, "Values, versions and code that are
# not there").
UNRELATED = 2.0
# There is an off-topic word: of 71 questions whose document is missing 19 have one, of 82 with an
# answer 2. That is ln 11 at most; from .5 to 2.5 the same are refused
# (docs/experiments-answers.md, "A word that stands nowhere in much text").
OFF_TOPIC = 1.5
# A figure, a measure or a version is asked for, and none of the best lines states one. By figures
# alone .44 of 50 hard questions without an answer are refused instead of .18, and eight fewer of
# 495 with one are found (docs/experiments-answers.md, "A figure that no line states").
UNSTATED = 2.0
OTHER_YEAR = 2.0  # the best lines have rows under years, but no year that is asked for
UNNAMED = 2.0  # a company or the like is asked for, and none of the best lines has a name

# The judge adds READ times the log-odds of its likeliest line, less READ_MIDDLE. In a question of
# more than LONG words the judge finds too little likely: READ_MIDDLE is READ_LONG lower there
# (docs/experiments-answers.md, "Fewer lines read").
READ, READ_MIDDLE = 0.4, -2.6
LONG, READ_LONG = 16, 4.5
# Log-odds above this count half, as high ones promised too much: 632 questions with confidences
# above .88 had .96 on average, and an answer in .87 of cases.
SURE = 1.0
SET_DOWN = 0.6  # for a list or table whose heading names what is asked for; not calibrated


def grade(
    sub_questions: Sequence[SubQuestion],
    evidence: Mapping[str, Evidence],
    last: Collection[str],
    least: float = 0.0,
) -> GradeReply:
    """Returns the verdicts of rules.

    `last` are the ids of sub-questions that have no search left. `least` is the confidence that the
    caller wants; below FOUND it changes nothing.
    """
    wanted = max(FOUND, least)
    verdicts = [
        _verdict(sub, evidence[sub.id], wanted, is_last=sub.id in last) for sub in sub_questions
    ]
    return GradeReply(verdicts=verdicts)


def confidence(question: str, evidence: Evidence) -> float:
    """Returns the probability, 0 to 1, that the evidence states the answer."""
    if not any(passage.sentences for passage in evidence.passages):
        return 0.0
    log_odds = BIAS + math.sumprod(WEIGHTS, features(question, evidence))
    log_odds += judge_odds(question, evidence) - doubts(question, evidence)
    probability = 1 / (1 + math.exp(-min(log_odds, (log_odds + SURE) / 2)))
    if decisive_unknown_words(question, evidence):
        probability = min(probability, UNKNOWN)
    return round(probability, 3)


def features(question: str, evidence: Evidence) -> tuple[float, ...]:
    """Returns the inputs of the calibrated score, in the order of `NAMES`."""
    ranked = rank_lines(question, evidence)
    if not ranked:
        return (0.0,) * len(NAMES)
    best = ranked[0]
    asked_terms = set(terms(question))
    passage_terms = [set(terms(text_with_headings(passage))) for passage in evidence.passages]
    passage_terms = [own | find_synonyms(question, own) for own in passage_terms]
    is_embedded = any(line.sentence.similarity for line in ranked)
    return (
        best.sentence.similarity if is_embedded else TYPICAL,
        best.sentence.overlap,
        max(_share(asked_terms, own) for own in passage_terms),
        _share(set(YEAR.findall(question)), set(YEAR.findall(text_with_headings(best.passage)))),
    )


def judge_odds(question: str, evidence: Evidence) -> float:
    """Returns what the judge of lines adds to the log-odds; 0 without a judge."""
    middle = READ_MIDDLE - READ_LONG * (len(question.split()) > LONG)
    log_odds = [
        sentence.states
        for passage in evidence.passages
        for sentence in passage.sentences
        if sentence.states is not None
    ]
    return READ * (max(log_odds) - middle) if log_odds else 0.0


def doubts(question: str, evidence: Evidence) -> float:
    """Returns what doubts take off the log-odds."""
    return (
        UNRELATED * is_of_unrelated_document(question, evidence)
        + OFF_TOPIC * bool(evidence.foreign)
        + UNSTATED * lacks_figure(question, evidence)
        + OTHER_YEAR * is_of_other_years(question, evidence)
        + UNNAMED * lacks_name(question, evidence)
    )


def _verdict(
    sub: SubQuestion, evidence: Evidence, wanted: float, *, is_last: bool
) -> GradedQuestion:
    sub = sub.model_copy(update={"text": evidence.question})  # as the documents spell it
    sure = confidence(sub.text, evidence)
    if (sub.wide and set_down(sub.text, evidence)) or is_compared(sub.text, evidence):
        sure = max(sure, SET_DOWN)  # the score is of single lines, not of lists and columns
    again = sure < wanted and not is_last and sub.verdict is None
    return GradedQuestion(
        id=sub.id,
        decision="expand" if again else "enough",
        confidence=sure,
        missing="" if sure >= wanted else _missing(sub.text, evidence),
        variants=_other_words(sub.text) if again else [],
        strategy="lexical" if again else sub.strategy,
    )


def is_compared(question: str, evidence: Evidence) -> bool:
    """Tells whether the question asks for an extreme, and a table has the figures to compare.

    A line of the table's header names the measure. If the extreme is a period, a row's label does.
    """
    asked = asked_extreme(question)
    measure = set(terms(asked.measure)) if asked else set[str]()
    if not asked or not measure:
        return False
    rows = [
        line for passage in evidence.passages for line in passage.text.splitlines() if CELL in line
    ]
    if asked.period:
        return any(measure <= label_terms(row) for row in rows if has_figures(row))
    return any(measure <= set(terms(row)) for row in rows if not has_figures(row))


def _missing(question: str, evidence: Evidence) -> str:
    unknown = decisive_unknown_words(question, evidence) or evidence.foreign
    if unknown:
        return f"{', '.join(unknown)}: in no document"
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
    content = [word for word in words(question) if word not in STOPWORDS["en"]]
    return [" ".join(sorted(dict.fromkeys(content), key=len, reverse=True)[:4])]


def _share(wanted: set[str], present: set[str]) -> float:
    return len(wanted & present) / len(wanted) if wanted else 1.0
