"""The table of the kinds of question: their needs, and what their answers cannot promise.

A new kind is a row here and a name in `model/asking.py`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from footnote.model import QuestionKind


class KindRow(NamedTuple):
    """A kind of question.

    `when` tells a planner when a question is of this kind, `tells` the writer what the answer
    needs. `limit` is what an answer made of a search cannot promise: it is shown with the answer.
    `lists` tells whether many documents may have an item of it, each on a line of its own. `whole`
    tells whether the documents in scope are read whole for it, where that can be done. `reads`
    tells a model that reads documents whole what to choose.
    """

    when: str
    tells: str = ""
    limit: str = ""
    lists: bool = False
    whole: bool = False
    reads: str = ""


KINDS: Mapping[QuestionKind, KindRow] = {
    "fact": KindRow(when="it asks for something that a passage says"),
    "comparison": KindRow(
        when="it asks how things, names or periods differ",
        tells="Give what is compared of each side, then how they differ.",
        reads="every line that states a term of this document: a figure, a price, a date, a period,"
        " a limit, a party, a duty or a right.",
    ),
    "exploratory": KindRow(
        when="it asks why, how or what is known of something, so that many passages add to it"
    ),
    "list": KindRow(
        when="it asks for all things of a kind, or those that meet a condition",
        tells="Name each thing once, with its own citation.",
        limit="This list holds what the search found: there may be more in the documents.",
        lists=True,
        whole=True,
        reads="every line that states an item of the list which the question asks for.",
    ),
    "count": KindRow(
        when="it asks how many documents or mentions there are, which no passage says",
        tells="Give a number only where a passage states it; else name what was found.",
        limit="Nothing is counted: these are what the search found, and there may be more.",
        lists=True,
        whole=True,
        reads="every line that states something which the question counts; if it counts documents,"
        " one line that shows that this document counts.",
    ),
    "document": KindRow(
        when="it asks for a whole document: its summary, its overview, what it is about",
        tells="Say what the passages say of the document as a whole, the most general first.",
        limit="The answer rests on the passages that the search found, not on the whole document.",
        whole=True,
        reads="the few lines that a summary needs: what the document is, decides, states and"
        " promises, with its main figures; three of this part at most.",
    ),
}


def describe_kinds() -> str:
    """Returns a line for each kind of question: its name and when a question is one."""
    return "\n".join(f"- `{name}`: {row.when}." for name, row in KINDS.items())
