"""Finds the sentence that goes on where a quoted one ends: "If it still runs, the field is null."

A sentence that begins with a word of reference or conjunction is tied to the one before it
(Halliday and Hasan, Cohesion in English, 1976). It often says what was asked for, in words that
the question lacks. The words are English; a text in another language has no such sentence.
"""

import re
from collections.abc import Sequence

from footnote.ask.quote.features import Candidate
from footnote.model import CELL

_TIED = re.compile(
    r"(?:if|this|that|these|those|it|its|they|their|he|his|she|her|we|our|you|however|otherwise"
    r"|therefore|thus|instead|by default|default|such|but|and|so|then|when|unless|only|use|not|note"
    r"|also|additionally|moreover|similarly|as a result|nor|or|both|each|here|there|yes|no"
    r"|the (?:default|same|value|latter|former|recommendation)"
    r"|in (?:this|that|such|these|other|addition|general|particular)"
    r"|for (?:example|this|instance))\b"
    r"|[^,]*, however,",
    re.IGNORECASE,
)


def next_of(one: Candidate, ranked: Sequence[Candidate]) -> Candidate | None:
    """Returns the candidate after a sentence, in its paragraph, that is tied to it; else None.

    Rows of tables have none: what follows them is another row.
    """
    passage = one.passage
    n = passage.sentences.index(one.sentence)
    if n + 1 == len(passage.sentences) or CELL in one.text:
        return None
    following = passage.sentences[n + 1]
    between = passage.text[one.sentence.end - passage.start : following.start - passage.start]
    if "\n\n" in between:
        return None
    found = (c for c in ranked if c.sentence is following and c.passage is passage)
    return next((c for c in found if _TIED.match(c.text)), None)
