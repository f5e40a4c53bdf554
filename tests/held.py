"""A question that is answered beside its caller, by a model that speaks when it is let."""

from threading import Semaphore, Thread

from footnote.model import ModelReply

PATIENCE = 20.0  # seconds after which a test has failed, however slow the machine is


class Held:
    """A model whose next sentence is held back until `go` is called. It only writes."""

    def __init__(self, *sentences):
        self.sentences = sentences
        self._may = Semaphore(1)  # the first is free

    def go(self):
        self._may.release()

    def complete(self, request):
        raise AssertionError(f"asked for {request.task}")

    def stream(self, _request):
        for sentence in self.sentences:
            assert self._may.acquire(timeout=PATIENCE)
            yield f"{sentence} "
        # an end that no sentence waits for: the reader knows that one is whole by the next
        assert self._may.acquire(timeout=PATIENCE)
        text = " ".join(self.sentences)
        yield ModelReply(text=text, mode="anthropic", model="held")


class Beside:
    """Implements Workflow: does the work of another one in a thread."""

    def __init__(self, works):
        self._works = works
        self._threads = []

    def ask(self, tenant, question_id):
        thread = Thread(target=self._works.ask, args=(tenant, question_id))
        self._threads.append(thread)
        thread.start()

    def join(self):
        for thread in self._threads:
            thread.join(PATIENCE)


def hold(pipeline, *sentences, **settings):
    """Lets a pipeline answer in a thread, by a model that is held back. Returns model and work."""
    given = {"model_profile": "small", "anthropic_key_parameter": "key", **settings}
    pipeline.settings = pipeline.settings.model_copy(update=given)
    pipeline.llm = model = Held(*sentences)
    pipeline.workflow = beside = Beside(pipeline.workflow)
    return model, beside
