"""The overview of a search by words: places where a question's words stand, without their texts.

A model that navigates chooses among them and looks inside those that it chose.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from footnote.ask.evidence.passages import passage_of
from footnote.model import Hit, Passage

MOST_PLACES = 12  # of an overview: a model chooses among few, and each takes 100 tokens
PREVIEW = 240  # characters of the best hit of a place


def find_places(hits: Iterable[Hit]) -> tuple[Passage, ...]:
    """Returns the places of hits that are best first: a page each or, without pages, a section.

    A place has the span of its hits and, as its text, the beginning of the best of them. Equal hits
    give equal places, so that the same choice of a model leads to the same evidence.
    """
    inside: defaultdict[tuple[object, ...], list[Passage]] = defaultdict(list)
    for hit in hits:
        passage = passage_of(hit)
        within: tuple[object, ...] = passage.pages[:1] or passage.section
        inside[passage.document_id, passage.version, *within].append(passage)
    return tuple(_place(found) for found in list(inside.values())[:MOST_PLACES])


def _place(found: Sequence[Passage]) -> Passage:
    best = found[0]
    return best.model_copy(
        update={
            "start": min(one.start for one in found),
            "end": max(one.end for one in found),
            "text": best.text[:PREVIEW],
        }
    )
