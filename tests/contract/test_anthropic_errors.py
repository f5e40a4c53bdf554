"""Every exception of the SDK is in the adapter's table, itself or through a parent class."""

import inspect
import pkgutil
from importlib import import_module

import anthropic
import pytest

from footnote.adapters.llm.anthropic_errors import ERRORS, UNNAMED
from footnote.errors import FootnoteError

# Parts that the adapter does not use raise these: the tool runner, and a raw response read twice.
# Their parent AnthropicError is in UNNAMED, so the adapter would translate even these.
UNUSED = ("anthropic.lib.tools.", "anthropic._response.StreamAlreadyConsumed")


def exceptions():
    found = set()
    for name in (
        "_exceptions",
        "_error_classes",
        *(m.name for m in pkgutil.iter_modules(anthropic.__path__)),
    ):
        module = import_module(f"anthropic.{name}")
        found |= {
            member
            for member in vars(module).values()
            if inspect.isclass(member) and issubclass(member, anthropic.AnthropicError)
        }
    used = {kind for kind in found if not f"{kind.__module__}.{kind.__name__}".startswith(UNUSED)}
    return sorted(used - set(UNNAMED), key=lambda kind: kind.__name__)


def test_the_sdk_has_exceptions_to_enumerate():
    assert len(exceptions()) > 20


@pytest.mark.parametrize("kind", exceptions(), ids=lambda kind: kind.__name__)
def test_the_exception_is_mapped_to_one_of_ours(kind):
    nearest = next((parent for parent in kind.__mro__ if parent in ERRORS), None)
    assert nearest is not None, f"{kind.__name__} is not in ERRORS"
    assert issubclass(ERRORS[nearest], FootnoteError)
