"""A model that looks for evidence with tools: its turns are a script of their own."""

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.model import ModelReply, ToolCall


def calls(*given, text="", **cost):
    made = tuple(
        ToolCall(id=f"c{n}", name=name, arguments=arguments)
        for n, (name, arguments) in enumerate(given)
    )
    return ModelReply(text=text, mode="anthropic", model="m", calls=made, **cost)


def search(query="harbour fee barge", **more):
    return ("search", {"query": query, **more})


def finish(*passages, summary="", **more):
    return ("finish", {"passages": list(passages), "summary": summary, **more})


class Model:
    """Does all tasks but `work` as ScriptedLLM does, and takes turns from a script of its own."""

    def __init__(self, turns, others):
        self._others = ScriptedLLM(others, judge=['{"supported": false}'] * 9)
        self._turns = ScriptedLLM(turns)
        self.stream = self._others.stream

    def complete(self, request):
        return (self._turns if request.task == "work" else self._others).complete(request)

    @property
    def turns(self):
        return self._turns.requests

    @property
    def others(self):
        return self._others.requests
