"""What a planner's model is asked: the question, and all that it may know of it."""

import json
from collections.abc import Sequence

from footnote.model import STRATEGIES, ModelRequest, Scope
from footnote.prompts import fence_texts
from footnote.prompts.personas import describe_personas
from footnote.prompts.question_kinds import describe_kinds
from footnote.prompts.tasks import request_for


def describe_strategies() -> str:
    """Returns a line for each strategy: its name and when to use it."""
    return "\n".join(f"- `{name}`: {recipe.when}." for name, recipe in STRATEGIES.items())


def planning_request(
    question: str,
    history: Sequence[tuple[str, str]],
    scope: Scope,
    context: Sequence[str],
    collections: Sequence[str],
) -> ModelRequest:
    said = {
        "earlier": "\n".join(answer for asked, answer in history if not asked),
        "exchanges": "\n".join(json.dumps(p, ensure_ascii=False) for p in history if p[0]),
    }
    exchanges = {label: text for label, text in said.items() if text}
    names = "\n".join(" ".join(name.split()) for name in scope.names)
    return request_for(
        "plan",
        history=fence_texts(exchanges) if exchanges else "(none)",
        strategies=describe_strategies(),
        kinds=describe_kinds(),
        personas=describe_personas(),
        context=fence_texts({"context": "\n".join(context)}) if context else "(none)",
        documents=fence_texts({"documents": names}) if names else "(all)",
        collections=fence_texts({"collections": "\n".join(collections)})
        if collections
        else "(one)",
        question=fence_texts({"question": question}),
    )
