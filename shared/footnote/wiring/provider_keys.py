"""Keys of the model providers: SSM SecureStrings, whose names are settings."""

from footnote.errors import ConfigurationError
from footnote.settings import Settings


class ProviderKeys:
    """Reads the key of each provider from the parameter that the settings name.

    Where the provider may be a server without keys, a key without a parameter is "".
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def anthropic(self) -> str:
        return read_key("anthropic", self._settings.anthropic_key_parameter)

    def cohere(self) -> str:
        return read_key("cohere", self._settings.cohere_key_parameter)

    def voyage(self) -> str:
        return read_key("voyage", self._settings.voyage_key_parameter)

    def openai(self) -> str:
        name = self._settings.openai_key_parameter
        return read_key("openai", name) if name else ""

    def bedrock(self) -> str:
        """Returns a Bedrock API key, or "": then requests are signed with the function's role."""
        name = self._settings.bedrock_key_parameter
        return read_key("bedrock", name) if name else ""

    def chat(self) -> str:
        name = self._settings.chat_key_parameter
        return read_key("chat", name) if name else ""


def read_key(provider: str, name: str) -> str:
    """Returns a provider's key. Raises ConfigurationError if the settings name no parameter."""
    if not name:
        raise ConfigurationError(
            f"the model provider is {provider}, but no key is named",
            action=f"Set {provider.capitalize()}KeyParameter, or choose another provider, and "
            "deploy again.",
        )
    return read_secret(name)


def read_secret(name: str) -> str:
    """Returns the value of an SSM SecureString. Raises ConfigurationError."""
    from aws_lambda_powertools.utilities.parameters import get_parameter
    from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError

    try:
        return str(get_parameter(name, decrypt=True, max_age=300))
    except GetParameterError as error:
        raise ConfigurationError(
            "the parameter of a key or secret cannot be read",
            action="Have an operator look at the log: it says which one and why.",
            detail=f"the parameter {name!r} cannot be read: {error}",
        ) from error
