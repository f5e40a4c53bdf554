"""Connects to a model that a command names, beside any deployment and its settings.

It is asked once for each task: nobody waits for an answer, so there is no chain and no breaker.
"""

from typing import get_args

from footnote.errors import ConfigurationError
from footnote.ports import LLM
from footnote.prompts.tasks import Role

OPENAI = "https://api.openai.com/v1"
SECONDS = 300.0  # of silence: a small machine takes its time


def own_model(name: str, url: str, key: str) -> LLM:
    """Returns the model of this name at a server of OpenAI's form, OpenAI's own without a `url`.

    Raises ConfigurationError where what it takes is not installed.
    """
    try:
        from footnote.adapters.calls.http_json import HttpJson
        from footnote.adapters.llm.openai_chat import OpenAiChat
    except ImportError as error:
        raise ConfigurationError(
            f"no model can be asked from here: {error.name} is not installed",
            action="Install footnote with its extra: `pip install 'footnote[judge]'`.",
        ) from error
    names = dict.fromkeys(get_args(Role.__value__), name)
    return OpenAiChat(HttpJson("the model's server", url or OPENAI, key, SECONDS), names)
