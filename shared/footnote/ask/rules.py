"""Implements the port LLM without a language model: rules plan, scores grade, sentences answer.

It is the default without an API key, and the last fallback. It compares and copies what documents
say, and never obeys it.
"""

import json
from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel, ValidationError

from footnote.ask.planning.by_rule import plan
from footnote.ask.quote.confidence import grade
from footnote.ask.quote.fields import quote_for
from footnote.ask.quote.instead import quote_instead
from footnote.ask.quote.quotations import write
from footnote.errors import ConfigurationError, ModelReplyError
from footnote.model import Evidence, ModelReply, ModelRequest, Passage, Plan, SubQuestion, Task
from footnote.text.surrogates import replace_surrogates

MODEL = "extractive-1"
NO_MODEL = "No language model is configured: the answer is made of the documents' own sentences."


class PlanMaterial(BaseModel):
    question: str
    history: tuple[tuple[str, str], ...] = ()
    documents: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


class GradeMaterial(BaseModel):
    sub_questions: tuple[SubQuestion, ...]
    evidence: Mapping[str, Evidence]
    last: tuple[str, ...] = ()
    least: float = 0.0


class SynthesizeMaterial(BaseModel):
    plan: Plan
    evidence: Mapping[str, Evidence]
    passages: Mapping[int, Passage]


class WantedField(BaseModel):
    label: str
    type: str
    many: bool = False


class ExtractMaterial(BaseModel):
    fields: Mapping[str, WantedField]
    evidence: Mapping[str, Evidence]
    passages: Mapping[int, Passage]


class RepairMaterial(BaseModel):
    sentence: str
    passages: Mapping[int, Passage]


class Extractive:
    """Answers from `request.material`; it reads neither `system` nor `prompt`."""

    def complete(self, request: ModelRequest) -> ModelReply:
        try:
            text = replace_surrogates(RULES[request.task](request.material))
        except ValidationError as error:
            raise ModelReplyError(f"no values to answer {request.task!r} from") from error
        return ModelReply(text=text, mode="extractive", model=MODEL, degraded=(NO_MODEL,))

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        reply = self.complete(request)
        yield from reply.text.splitlines(keepends=True)
        yield reply


def _plan(material: Mapping[str, object]) -> str:
    asked = PlanMaterial.model_validate(material)
    made = plan(asked.question, asked.history, asked.documents, asked.anchors, asked.named)
    return json.dumps(made, ensure_ascii=False)


def _grade(material: Mapping[str, object]) -> str:
    found = GradeMaterial.model_validate(material)
    return json.dumps(grade(found.sub_questions, found.evidence, found.last, found.least))


def _write(material: Mapping[str, object]) -> str:
    told = SynthesizeMaterial.model_validate(material)
    return write(told.plan, told.evidence, told.passages)


def _extract(material: Mapping[str, object]) -> str:
    asked = ExtractMaterial.model_validate(material)
    values = [
        one
        for name, field in asked.fields.items()
        if name in asked.evidence
        for one in quote_for(
            name, field.label, field.type, asked.evidence[name], asked.passages, many=field.many
        )
    ]
    return json.dumps({"values": values}, ensure_ascii=False)


def _judge(_material: Mapping[str, object]) -> str:
    """Answers no: the check's rules have left it open."""
    return json.dumps({"supported": False})


def _repair(material: Mapping[str, object]) -> str:
    wrong = RepairMaterial.model_validate(material)
    return quote_instead(wrong.sentence, wrong.passages)


def _refuse_line(_material: Mapping[str, object]) -> str:
    raise ConfigurationError(
        "contextual lines are on, but no language model is configured to write them",
        action="Set AnthropicKeyParameter, or ContextualLines=off, and deploy again.",
    )


def _call_nothing(_material: Mapping[str, object]) -> str:
    """Calls no tool: the searches of the plan are made instead."""
    return "No tool is called without a model."


RULES: Mapping[Task, Callable[[Mapping[str, object]], str]] = {
    "plan": _plan,
    "work": _call_nothing,
    "grade": _grade,
    "synthesize": _write,
    "extract": _extract,
    "judge": _judge,
    "repair": _repair,
    "context": _refuse_line,
}
