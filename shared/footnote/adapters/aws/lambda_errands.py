"""Has the function `fetch` go outside: it alone may (wiring/fetch.py)."""

from footnote.adapters.aws.clients import LambdaClient, translate_errors
from footnote.errors import UnavailableError
from footnote.model import Errand, ErrandResult


class LambdaErrands:
    """Implements the port Errands by one invocation a call."""

    def __init__(self, client: LambdaClient, function: str) -> None:
        self._client = client
        self._function = function

    def run(self, errand: Errand) -> ErrandResult:
        with translate_errors("have", f"{self._function} go outside"):
            reply = self._client.invoke(
                FunctionName=self._function, Payload=errand.model_dump_json().encode()
            )
            payload = reply["Payload"].read()
        if "FunctionError" in reply:
            raise UnavailableError(
                "nothing could be fetched", action="Try again; the log of `fetch` says why."
            )
        return ErrandResult.model_validate_json(payload)
