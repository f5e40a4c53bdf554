"""Which model does a task at which provider: defaults, and names as settings tell them."""

from collections.abc import Mapping
from typing import get_args

from footnote.errors import ConfigurationError
from footnote.model import Mode
from footnote.prompts.tasks import Role

CHEAP, BETTER = "claude-haiku-5-5", "claude-sonnet-5-5"
DEFAULTS: Mapping[str, Mapping[Role, str]] = {
    "anthropic": {"planner": CHEAP, "grader": "", "writer": BETTER, "context": CHEAP},
    "bedrock": {
        "planner": f"anthropic.{CHEAP}",
        "grader": "",
        "writer": f"anthropic.{BETTER}",
        "context": f"anthropic.{CHEAP}",
    },
}
"""A grader without a name is the planner. Other providers have models of all kinds: no default."""
_MODES = frozenset(get_args(Mode.__value__))


def parse_names(setting: str) -> tuple[str, Mapping[str, str]]:
    """Returns the name in a setting that has no provider before it, and its names by provider.

    The form is `[provider:]model`, with commas between them. A name may have colons of its own.
    """
    bare, named = "", dict[str, str]()
    for entry in filter(None, (part.strip() for part in setting.split(","))):
        provider, colon, model = entry.partition(":")
        if colon and provider in _MODES:
            named[provider] = model
        else:
            bare = entry
    return bare, named


def names_at(mode: Mode, settings: Mapping[Role, str], *, first: bool) -> dict[Role, str]:
    """Returns the model of each role at a provider; `settings` are the names set for the roles.

    A bare name is meant for the `first` provider. Raises ConfigurationError where neither a setting
    nor a default names a model.
    """
    names: dict[Role, str] = {}
    for role, setting in settings.items():
        bare, named = parse_names(setting)
        own = named.get(mode) or (bare if first else "")
        if mode == "bedrock" and own.startswith("claude-"):
            own = f"anthropic.{own}"
        names[role] = own or DEFAULTS.get(mode, {}).get(role, "")
    if "grader" in names:
        names["grader"] = names["grader"] or names.get("planner", "")
    missing = [role for role, name in names.items() if not name]
    if missing:
        parameters = ", ".join(f"{role.capitalize()}Model" for role in missing)
        raise ConfigurationError(
            f"no model of the provider '{mode}' is named for: {', '.join(missing)}",
            action=f"Set {parameters}, for example `{mode}:name-of-a-model`, and deploy again.",
        )
    return names
