"""What a conversation is about, by rules: the subject of its last question that has one."""

import re
from collections.abc import Sequence

from footnote.text.language import STOPWORDS, words

MOST = 4  # words of a subject; a longer one is a sentence
BACK = 3  # questions that are looked at, the last one first
_CARRIED = re.compile(r" \(([^()]{1,200})\)(?=[?.!]?$)")
_NAME = re.compile(r"(?<![\w.])[A-Z0-9][\w&'.-]*(?: (?:of |and )?[A-Z0-9][\w&'-]*){0,5}")
# "What is X", "tell me about X", "how does X work": the words behind stand for the subject.
_ABOUT = re.compile(
    r"(?:what(?:'s| is| are| was| were| does| do)|who(?:'s| is| was| are)|tell me (?:more )?about"
    r"|how (?:do|does|did|is|are|can)(?: (?:i|you|we|one))?|do you know(?: about)?|explain|define"
    r"|(?:i (?:want|need|would like) to (?:know|learn) about)|when (?:is|was|did|does)"
    r"|where (?:is|was|are|do|does|can i find)|is|are|does|do|can|was|were)\b",
    re.IGNORECASE,
)
_LINKS = frozenset(words("about for of in on with to from by at between as into over under during"))
# Words that ask or say how something is done; they name no subject.
_GENERIC = frozenset(
    words(
        "difference differences definition meaning benefit benefits advantage advantages example"
        " examples way ways reason reasons kind kinds type types part parts thing things list"
        " number use used using work works mean means make makes made get gets need needs want"
        " know tell give find help like good best main different new many much long also really"
        " please thanks okay yes no right true still ever happen happens happened called say said"
        " think step steps explain define describe does did done first last next important"
        " question information"
    )
)


def subject_of(history: Sequence[str]) -> str:
    """Returns the words that a follow-up leaves out, "" where no earlier question has any.

    `history` holds the earlier questions, the last one last. One that was completed by rules has
    its subject in brackets at its end.
    """
    for text in history[: -BACK - 1 : -1]:
        if found := _named(text) or _told(text):
            return found
    return ""


def _named(text: str) -> str:
    """Returns the names of a question, or what was carried over to it."""
    if carried := _CARRIED.search(text):
        return carried[1]
    names = [one for one in _NAME.findall(text.strip(" ?!.")[1:]) if _is_name(one)]
    return " ".join(dict.fromkeys(names))


def _told(text: str) -> str:
    bare = text.strip(" ?!.")
    told = bare[found.end() :] if (found := _ABOUT.match(bare)) else bare
    said = [word for word in words(told) if _is_content(word)]
    if not said:
        return ""
    return " ".join(_behind_link(told) or said[-MOST:] if len(said) > MOST else said)


def _behind_link(told: str) -> list[str]:
    """Returns the content words behind the last "of", "for" or "about", if there are any."""
    every = words(told)
    links = [n for n, word in enumerate(every) if word in _LINKS]
    for n in reversed(links):
        if said := [word for word in every[n + 1 :] if _is_content(word)]:
            return said[:MOST]
    return []


def _is_content(word: str) -> bool:
    return word not in STOPWORDS["en"] and word not in _GENERIC and len(word) > 1


def _is_name(text: str) -> bool:
    return text.casefold() not in STOPWORDS["en"] and len(text) > 1 and not text.isdigit()
