"""What a conversation is about, by rules: its subject, or the main words of its last question."""

import re
from collections.abc import Collection, Sequence

from footnote.text.language import STOPWORDS, words

MOST = 4  # words of a subject; a longer one is a sentence
MOST_CARRIED = 10  # words that "it" may stand for
BACK = 3  # questions that are looked at, the last one first
_CARRIED = re.compile(r" \(([^()]{1,200})\)(?=[?.!]?$)")
_NAME = re.compile(r"(?<![\w.])[A-Z0-9][\w&'.-]*(?: (?:of |and )?[A-Z0-9][\w&'-]*){0,5}")
_WORD = re.compile(r"\w[\w&'\u2019.-]*")
_OWNER = re.compile(r"['\u2019]s$")
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
    its subject in brackets at its end. Names of an earlier question come with a subject that has
    none.
    """
    latest = history[: -BACK - 1 : -1]
    named = next(filter(None, map(_named, latest)), "")
    told = "" if latest and _named(latest[0]) else next(filter(None, map(_told, latest)), "")
    have = set(words(named))
    return " ".join([*(word for word in told.split() if word not in have), *named.split()])


def topic_of_talk(history: Sequence[str]) -> str:
    """Returns what a word such as "it" may stand for: the main words of the last question.

    Its names are among them, or else those of an earlier one.
    """
    text = history[-1].strip(" ?!.") if history else ""
    named = {word for name in _names_of(text) for word in name.split()}
    kept = content_of(text, named)[-MOST_CARRIED:]
    return " ".join(dict.fromkeys(kept if named else [*kept, *subject_of(history).split()]))


def content_of(text: str, named: Collection[str] = ()) -> list[str]:
    """Returns the words of a question that say what it is about, and those that are `named`."""
    every = [word.rstrip(".'\u2019&-") for word in _WORD.findall(text)]
    return [word for word in every if word in named or _is_content(word.casefold())]


def _names_of(text: str) -> list[str]:
    """Returns the names that a question has, behind its first letter."""
    return [one for one in _NAME.findall(text.strip(" ?!.")[1:]) if _is_name(one)]


def _named(text: str) -> str:
    """Returns the names of a question, or what was carried over to it."""
    if carried := _CARRIED.search(text):
        names = [one for one in _NAME.findall(carried[1]) if _is_name(one)]
        return " ".join(names) or carried[1]
    return " ".join(dict.fromkeys(_OWNER.sub("", one) for one in _names_of(text)))


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
