"""Places of an overview, and what is opened of them."""

from footnote.ask.tools.places import AROUND, MOST_PLACES, PREVIEW, find_places, open_place
from footnote.model import Chunk, Document, Hit, Page, Section
from footnote.text.tokens import estimate_tokens


def hit(name, start, text="quay dues", pages=(), section=("Dues",)):
    chunk = Chunk(
        id=f"{name}{start}",
        ordinal=start,
        text=text,
        start=start,
        end=start + len(text),
        pages=pages,
        section=section,
        title=name,
        context="",
    )
    return Hit(
        rank=1,
        score=1.0,
        document_id=name,
        document=name,
        collection="default",
        version="v1",
        chunk=chunk,
    )


def test_hits_of_one_page_are_one_place_with_their_span_and_the_best_ones_beginning():
    found = find_places(
        [
            hit("b", 500, "best " * 100, pages=(3,)),
            hit("a", 9, pages=(3,)),
            hit("b", 90, pages=(3, 4)),
        ]
    )
    assert [(one.document, one.start, one.end, one.pages) for one in found] == [
        ("b", 90, 1000, (3,)),
        ("a", 9, 18, (3,)),
    ]
    assert found[0].text == ("best " * 100)[:PREVIEW]


def test_without_pages_a_section_is_a_place():
    found = find_places([hit("a", 0), hit("a", 50, section=("Tolls",)), hit("a", 99)])
    assert [(one.section, one.start, one.end) for one in found] == [
        (("Dues",), 0, 108),
        (("Tolls",), 50, 59),
    ]


def test_an_overview_has_few_places():
    assert len(find_places(hit(f"d{n}", 0) for n in range(99))) == MOST_PLACES


def paged(text, *bounds, sections=()):
    pages = [Page(number=n, start=a, end=b) for n, (a, b) in enumerate(bounds, start=1)]
    return Document(
        title="t", text=text, pages=pages, sections=sections, language="en", media_type="text/plain"
    )


def place(start, end, pages=()):
    [found] = find_places([hit("a", start, "x" * (end - start), pages=pages)])
    return found


def test_a_place_opens_its_page():
    text = "first page. " * 10 + "second page. " * 10
    opened = open_place(place(130, 140, (2,)), paged(text, (0, 120), (120, len(text))), 1000)
    assert (opened.text, opened.pages) == (text[120:], (2,))


def test_a_place_that_lies_beyond_what_fits_is_opened_from_its_beginning():
    text = "long page of many words. " * 400 + "the dues are 7 crowns. " * 4
    at = text.index("the dues")
    opened = open_place(place(at, at + 22, (1,)), paged(text, (0, len(text))), 200)
    assert opened.text.startswith("the dues are 7 crowns.")
    assert opened.start == at
    assert estimate_tokens(opened.text) <= 200


def test_a_place_without_pages_opens_its_section_or_else_the_text_around():
    text = "a" * 3000 + " section text. " + "b" * 3000
    section = Section(title="S", level=1, start=3000, end=3015)
    assert (
        open_place(place(3002, 3009), paged(text, sections=[section]), 999).text == text[3000:3015]
    )
    opened = open_place(place(3002, 3009), paged(text), 9999)
    assert (opened.start, opened.end) == (3002 - AROUND, 3009 + AROUND)
