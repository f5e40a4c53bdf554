"""How to ask each of Anthropic's models."""

from collections.abc import Mapping

# The `thinking` that makes a model answer at once. A model that is not here thinks before it
# answers. These models refuse forced tool use, but not structured outputs.
THINKING: Mapping[str, Mapping[str, str]] = {
    "claude-haiku-5-5": {"type": "disabled"},
    "claude-sonnet-5-5": {"type": "between_tools"},
    "claude-haiku-4-5": {"type": "disabled"},
}


def thinking_of(model: str) -> Mapping[str, str] | None:
    """Finds it by the model's name, or by that with which Bedrock has it."""
    return THINKING.get(model.removeprefix("anthropic."))
