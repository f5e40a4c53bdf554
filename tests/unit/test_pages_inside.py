"""Pages of files inside a file have one numbering, labels of their own, and can be cited."""

from email.message import EmailMessage
from io import BytesIO
from zipfile import ZipFile

import fitz
import pytest

from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.parse import parse
from footnote.model import Passage, Revision, labels_of

REVISION = Revision(key="acme/default/bundle.zip", version="v1", sequencer="1")


def pdf(*pages, style=None):
    file = fitz.open()
    for text in pages:
        file.new_page().insert_text((72, 100), text)
    if style:
        file.set_page_labels([{"startpage": 0, "style": style}])
    return file.tobytes()


def archive(**files):
    body = BytesIO()
    with ZipFile(body, "w") as out:
        for name, content in files.items():
            out.writestr(name.replace("_", "."), content)
    return body.getvalue()


def message(*attachments):
    found = EmailMessage()
    found["Subject"] = "The lease"
    found.set_content("The lease is attached and begins in May.")
    for name, content in attachments:
        found.add_attachment(content, maintype="application", subtype="pdf", filename=name)
    return found.as_bytes()


LEASE = pdf("The rent is 900 crowns a month.", "The deposit is 2,700 crowns.")
RULES = pdf("Quiet hours begin at ten.", style="r")


@pytest.fixture
def bundle():
    return parse(archive(lease_pdf=LEASE, notes_txt="Ask about the cellar.", rules_pdf=RULES), "b")


def test_pages_are_numbered_through_and_named_by_their_file(bundle):
    pages = bundle.document.pages
    assert [page.number for page in pages] == [1, 2, 3]
    assert labels_of(pages) == ("lease.pdf, page 1", "lease.pdf, page 2", "rules.pdf, page i")


def test_a_page_spans_its_own_words_and_no_others(bundle):
    document = bundle.document
    shown = [document.text[page.start : page.end].strip() for page in document.pages]
    assert shown == [
        "The rent is 900 crowns a month.",
        "The deposit is 2,700 crowns.",
        "Quiet hours begin at ten.",
    ]
    for number, boxes in bundle.words.items():
        page = document.pages[number - 1]
        words = " ".join(document.text[box.start : box.end] for box in boxes)
        assert words == document.text[page.start : page.end].strip()
    assert sorted(bundle.words) == [1, 2, 3]


def test_a_chunk_says_where_it_is_from(bundle):
    chunks = chunk(bundle.document, REVISION, lambda texts: [len(one.split()) for one in texts], 9)
    found = {one.text: (one.pages, one.labels) for one in chunks}
    assert found["The deposit is 2,700 crowns."] == ((2,), ("lease.pdf, page 2",))
    assert next(place for text, place in found.items() if "cellar" in text) == ((), ())


def checked(document, sentence, words=()):
    passage = Passage(
        document_id="d",
        document="bundle.zip",
        collection="default",
        version="v1",
        title="b",
        section=(),
        pages=(),
        start=0,
        end=len(document.text),
        text=document.text,
        score=1.0,
    )
    checker = Checker({1: passage}, lambda *_: document, lambda *_: words)
    checker.check(Claim(sentence, (1,)))
    return checker.citations


def test_a_sentence_on_a_page_inside_cites_that_page_of_that_file(bundle):
    [citation] = checked(bundle.document, "The deposit is 2,700 crowns.")
    assert (citation.pages, citation.labels) == ((2,), ("lease.pdf, page 2",))


def test_what_stands_on_no_page_is_cited_without_one(bundle):
    [citation] = checked(bundle.document, "Ask about the cellar.")
    assert (citation.pages, citation.labels) == ((), ())


def test_attachments_of_a_message_in_an_archive_bear_both_names():
    found = parse(archive(mail_eml=message(("lease.pdf", LEASE), ("rules.pdf", RULES))), "b")
    assert labels_of(found.document.pages) == (
        "mail.eml, lease.pdf, page 1",
        "mail.eml, lease.pdf, page 2",
        "mail.eml, rules.pdf, page i",
    )
    [citation] = checked(found.document, "Quiet hours begin at ten.")
    assert citation.labels == ("mail.eml, rules.pdf, page i",)
    assert not checked(found.document, "The lease is attached and begins in May.")[0].pages


def test_a_page_without_text_keeps_the_numbers_of_the_others():
    found = parse(archive(lease_pdf=pdf("The rent is 900.", "", "The deposit is 2,700.")), "b")
    [citation] = checked(found.document, "The deposit is 2,700.")
    assert (citation.pages, citation.labels) == ((3,), ("lease.pdf, page 3",))
