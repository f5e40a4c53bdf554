"""Questions that a document's own headings suggest. A rule makes them, and no model is asked.

The page shows them to readers who do not know yet what a document can be asked.
"""

from types import MappingProxyType

from footnote.model import Document, Section

MOST = 3
LONGEST = 80  # characters of a heading that may stand in a question
SHORTEST = 3
ENOUGH = 60  # characters below a heading: with fewer there is nothing to ask for
FORMS = MappingProxyType(
    {
        "de": "Was steht zu „{}“?",
        "en": "What is said about “{}”?",
        "es": "¿Qué se dice sobre «{}»?",
        "fr": "Que dit-on de « {} » ?",
        "it": "Che cosa si dice di «{}»?",
    }
)
UNFIT = frozenset(
    {
        "abstract", "anhang", "annex", "appendix", "bibliography", "conclusion", "contents",
        "einleitung", "index", "inhalt", "inhaltsverzeichnis", "introduction", "literatur", "notes",
        "overview", "references", "sommaire", "summary", "table of contents",
    }
)  # fmt: skip
"""Headings that say where one is in a document, and nothing of what it is about."""


def suggest_questions(document: Document) -> tuple[str, ...]:
    """Returns up to `MOST` questions, in the order of the document.

    The headings with most text of their own come first. A heading that is a question stays as it
    is. There are none for a language without a form.
    """
    form = FORMS.get(document.language)
    if form is None:
        return ()
    ends = [*(later.start for later in document.sections[1:]), len(document.text)]
    own: dict[str, tuple[int, Section]] = {}
    for section, end in zip(document.sections, ends, strict=False):
        length = end - section.start
        if is_fit(section.title, document.title) and length - len(section.title) >= ENOUGH:
            own.setdefault(section.title.strip().casefold(), (length, section))
    longest = sorted(own.values(), key=lambda entry: (-entry[0], entry[1].start))[:MOST]
    headings = sorted((section.start, section.title.strip()) for _, section in longest)
    return tuple(
        heading if heading.endswith("?") else form.format(heading) for _, heading in headings
    )


def is_fit(heading: str, title: str) -> bool:
    """Tells whether a heading names something that can be asked about."""
    words = heading.strip().casefold()
    letters = sum(character.isalpha() for character in words)
    return (
        SHORTEST <= len(words) <= LONGEST
        and letters * 2 > len(words)
        and not words.startswith("sheet")
        and words not in UNFIT
        and words != title.strip().casefold()
    )
