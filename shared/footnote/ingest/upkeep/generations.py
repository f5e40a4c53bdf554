"""Which generations of the index stay: what stopped runs have left goes, what queries left is kept.

A generation that queries have left receives all writes as long as it is kept, so that they can go
back to it.
"""

import math

from footnote.errors import ConflictError, NotFoundError, ReindexRefusedError
from footnote.ports import SearchIndex, Workflow

MARGIN = 1.5
"""What a re-index needs of the disk, as a multiple of what the present generation takes. While an
index is filled its segments are merged, and a merge keeps what it merges until it is done.
Reasoned: at the worst moment that is the whole index once more, as a rule far less."""


def must_be_alone(index: SearchIndex, workflow: Workflow, run: str) -> None:
    """Drops what stopped runs have left. Raises ConflictError if another run is at work.

    A generation that is kept for a roll-back goes, too: an index has room for two.
    """
    for name in find_debris(index, workflow, run):
        index.abandon(name)
    for other in index.generations():
        if not other.serving and other.run != run:
            raise ConflictError(
                f"re-index {other.run} is running: it fills {other.name}",
                action="Wait until it has ended, then start another.",
            )


def must_have_room(index: SearchIndex, run: str) -> None:
    """Raises ReindexRefusedError if the disk may not hold another generation.

    A full disk takes no writes, so the re-index would fail, and with it what is added meanwhile.
    A run that has its generation already has looked before.
    """
    if any(generation.run == run for generation in index.generations()):
        return
    room = index.room()
    needed = math.ceil(room.taken * MARGIN)
    if needed > room.free:
        raise ReindexRefusedError(
            f"the disk of OpenSearch is short: a second index needs {_in_mb(needed)} MB, which is "
            f"{MARGIN} times what the present one takes, and {_in_mb(room.free)} MB are free",
            action="Queries go on with the old index. Raise OpenSearchVolume, or the disk of an "
            "OpenSearch of yours, or delete documents. Then start it again.",
        )


def _in_mb(size: int) -> str:
    return f"{max(size, 0) / 1e6:,.1f}"


def find_debris(
    index: SearchIndex, workflow: Workflow, run: str = "", kept_since: float = math.inf
) -> list[str]:
    """Returns the generations that neither serve queries nor are filled by a re-index.

    Left out are the one of `run`, and those that queries left at `kept_since` or later, which are
    kept for a roll-back. A generation without a run comes from an older version. Its run has ended,
    because it could not go on with the steps of this one.
    """
    return [
        generation.name
        for generation in index.generations()
        if not generation.serving
        and generation.retired < kept_since
        and not (run and generation.run == run)
        and (generation.retired or not _runs(workflow, generation.run))
    ]


def roll_back(index: SearchIndex, now: float) -> tuple[str, str]:
    """Points queries at the generation that they left last. Returns its name, and which they leave.

    That one is kept in turn. Raises NotFoundError if none is kept, ConflictError if the kept one
    has vectors of another model than this deployment.
    """
    serving = index.ensure()
    kept = [generation for generation in index.generations() if generation.retired]
    if not kept:
        raise NotFoundError(
            "no earlier generation of the index is kept",
            code="no_earlier_generation",
            action="KeepGenerationHours says for how long one is kept after a re-index. Run "
            "`footnote reindex` to build one anew.",
        )
    last = max(kept, key=lambda generation: generation.retired)
    if last.marks.get("model") != index.marks["model"]:
        raise ConflictError(
            f"{last.name} has vectors of {last.marks.get('model') or 'another model'}, and this "
            f"deployment searches by {index.marks['model']}",
            code="other_model",
            action="Deploy with the embedding model of that time first.",
        )
    index.go_back(last.name, now)
    return last.name, serving


def _runs(workflow: Workflow, run: str) -> bool:
    try:
        return bool(run) and workflow.reindex_status(run).status == "RUNNING"
    except NotFoundError:  # it ended so long ago that its record is gone
        return False


def abandon_run(index: SearchIndex, run: str) -> str:
    """Drops the generation that a run made, unless queries go to it. Returns its name or ""."""
    for generation in index.generations():
        if generation.run == run and not generation.serving:
            index.abandon(generation.name)
            return generation.name
    return ""
