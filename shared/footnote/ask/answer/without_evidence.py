"""Answers that rest on no document's text: the plan's own reply, and what the catalogue says."""

from footnote.ask.answer.material import Material
from footnote.ask.catalogue.reply import write_catalogue
from footnote.ask.question.trace import written_event
from footnote.ask.write.answer_text import to_text, words_event
from footnote.model import Answer, Sentence
from footnote.text.own_language import asked_in


def reply_at_once(given: Material) -> Answer:
    """Returns the plan's reply, which is footnote's own or has passed `ask/guard`.

    The reply says nothing about the world. So nothing in it is uncertain: its confidence is 1.
    """
    plan = given.progress.plan
    given.emit("words", words_event(Sentence(text=plan.reply)))
    kind = "clarify" if plan.kind == "clarify" else "direct"
    return given.progress.begin_answer(given.question_id).model_copy(
        update={"kind": kind, "answer": plan.reply, "confidence": 1.0, "rounds": 0}
    )


def say_stock(given: Material) -> Answer:
    """Returns what the table of documents says. Code has counted: nothing in it is uncertain."""
    query = given.progress.plan.catalogue
    if query is None or given.take_stock is None:
        return reply_at_once(given)
    own = asked_in(given.progress.plan.question)
    stock = given.take_stock(query, own)
    texts, breaks = write_catalogue(query, stock, own)
    sentences = tuple(Sentence(text=text) for text in texts)
    for n, sentence in enumerate(sentences):
        given.emit("words", words_event(sentence, new_line=n in breaks))
    given.emit("written", written_event(len(sentences), (), 0, ()))
    return given.progress.begin_answer(given.question_id).model_copy(
        update={
            "found": True,
            "outcome": "answer",
            "answer": to_text(sentences, breaks),
            "sentences": sentences,
            "confidence": 1.0,
            "rounds": 0,
            "catalogue": stock,
        }
    )
