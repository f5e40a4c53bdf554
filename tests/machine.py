"""Runs a state machine's definition in this process: as much of the language as ours use.

Tasks are functions by the name of their state. What a task raises is named by its class, as
Lambda does. Nothing waits: a retry comes at once.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

MAX_STEPS = 10_000


class MachineError(Exception):
    """The execution has failed, with the name of an error and its cause."""

    def __init__(self, error: str, cause: str) -> None:
        super().__init__(f"{error}: {cause}")
        self.error, self.cause = error, cause


class Machine:
    """`tasks` are called with a state's input. `read` returns what an ItemReader's key holds."""

    def __init__(
        self,
        definition: Mapping[str, Any],
        tasks: Mapping[str, Callable[[Any], Any]],
        read: Callable[[str], bytes],
        name: str,
    ) -> None:
        self._definition, self._tasks, self._read, self._name = definition, tasks, read, name
        self.entered: list[str] = []
        self.largest = 0  # characters of the largest input of a state

    def run(self, given: object) -> Any:
        """Returns the output of the execution. Raises MachineError when it fails."""
        return self._walk(self._definition, given, {"Execution": {"Name": self._name}})

    def _walk(self, machine: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> Any:
        at = machine["StartAt"]
        for _ in range(MAX_STEPS):
            state = machine["States"][at]
            self.entered.append(at)
            self.largest = max(self.largest, len(json.dumps(data)))
            match state["Type"]:
                case "Succeed":
                    return data
                case "Fail":
                    error, cause = (text_of(state, kind, data) for kind in ("Error", "Cause"))
                    raise MachineError(error, cause)
                case "Choice":
                    at = choose(state, data)
                    continue
            try:
                data, then = self._retried(at, state, data, context), state.get("Next")
            except MachineError as failure:
                [caught] = state.get("Catch") or [None]
                if caught is None:
                    raise
                told = {"Error": failure.error, "Cause": failure.cause}
                data, then = put(data, caught["ResultPath"], told), caught["Next"]
            if then is None:
                return data
            at = then
        raise AssertionError("it does not end")

    def _retried(
        self, name: str, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]
    ) -> Any:
        tries = 0
        while True:
            try:
                return self._do(name, state, data, context)
            except MachineError as failure:
                if tries == retrier(state, failure.error)["MaxAttempts"]:
                    raise
                tries += 1

    def _do(
        self, name: str, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]
    ) -> Any:
        given = fill(state["Parameters"], data, context) if "Parameters" in state else data
        match state["Type"]:
            case "Pass":
                result = given
            case "Task":
                result = self._call(name, given)
            case "Map":
                result = self._map(state, data, context)
            case other:
                raise AssertionError(other)
        return put(data, state.get("ResultPath", "$"), result)

    def _call(self, name: str, given: Any) -> Any:
        try:
            return self._tasks[name](given)
        except Exception as error:
            told = json.dumps({"errorMessage": str(error)})
            raise MachineError(type(error).__name__, told) from error

    def _map(self, state: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> list[Any]:
        key = fill(state["ItemReader"]["Parameters"], data, context)["Key"]
        items, failed, results = json.loads(self._read(key)), 0, []
        for item in items:
            inner = {**context, "Map": {"Item": {"Value": item}}}
            try:
                given = fill(state["ItemSelector"], data, inner)
                results.append(self._walk(state["ItemProcessor"], given, context))
            except MachineError:
                failed += 1
        if failed / len(items) * 100 > state["ToleratedFailurePercentage"]:
            raise MachineError(
                "States.ExceedToleratedFailureThreshold", f"{failed} of {len(items)}"
            )
        return results


NEVER: Mapping[str, Any] = {"ErrorEquals": [], "MaxAttempts": 0}
ANY, NOT_ANY = "States.TaskFailed", {"States.Timeout"}
"""Any error but those (Step Functions Developer Guide, "Handling errors in workflows")."""


def retrier(state: Mapping[str, Any], error: str) -> Mapping[str, Any]:
    """Returns the rule by which a state tries again after an error: the first that names it."""
    for rule in state.get("Retry", []):
        named = rule["ErrorEquals"]
        if error in named or (ANY in named and error not in NOT_ANY) or named == ["States.ALL"]:
            return dict(rule)
    return NEVER


def look(path: str, data: Any, context: Mapping[str, Any]) -> Any:
    """Returns what a path names. Raises KeyError if it is not there: an execution would fail."""
    at = context if path.startswith("$$") else data
    for name in path.lstrip("$").strip(".").split("."):
        at = at[name] if name else at
    return at


def fill(template: Mapping[str, Any], data: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix(".$"): look(value, data, context) if name.endswith(".$") else value
        for name, value in template.items()
    }


def put(data: Any, path: str | None, result: Any) -> Any:
    if path is None:
        return data
    if path == "$":
        return result
    return {**data, path.removeprefix("$."): result}


def text_of(state: Mapping[str, Any], kind: str, data: Any) -> str:
    path = state.get(f"{kind}Path")
    return str(look(path, data, {}) if path else state[kind])


TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "BooleanEquals": lambda found, wanted: found is wanted,
    "StringEquals": lambda found, wanted: found == wanted,
    "NumericGreaterThan": lambda found, wanted: found > wanted,
}


def choose(state: Mapping[str, Any], data: Any) -> str:
    for rule in state["Choices"]:
        if "IsPresent" in rule:
            if (rule["Variable"].removeprefix("$.") in data) is rule["IsPresent"]:
                return str(rule["Next"])
            continue
        [test] = [name for name in TESTS if name in rule]
        if TESTS[test](look(rule["Variable"], data, {}), rule[test]):
            return str(rule["Next"])
    return str(state["Default"])
