"""Kin of DOCX and PPTX are opened: templates, shows, files with macros, strict files."""

from io import BytesIO
from zipfile import ZipFile

import docx
import pptx
import pytest

from footnote.ingest.parse import ooxml, parse
from tests.formats import make_zip

OFFICE = "application/vnd.openxmlformats-officedocument."
MAIN = {
    "docx": f"{OFFICE}wordprocessingml.document.main+xml",
    "pptx": f"{OFFICE}presentationml.presentation.main+xml",
}


def letter():
    file, body = docx.Document(), BytesIO()
    file.add_paragraph("The pilot boards at dawn.")
    file.save(body)
    return body.getvalue()


def deck():
    file, body = pptx.Presentation(), BytesIO()
    file.slides.add_slide(file.slide_layouts[5]).shapes.title.text = "The pilot boards at dawn."
    file.save(body)
    return body.getvalue()


def rewritten(body, *pairs):
    """Returns the package with texts replaced in all its XML parts."""
    with ZipFile(BytesIO(body)) as package:
        members = {name: package.read(name) for name in package.namelist()}
    for old, new in pairs:
        members = {k: content.replace(old.encode(), new.encode()) for k, content in members.items()}
    return make_zip(members)


@pytest.mark.parametrize(
    "kin",
    [
        f"{OFFICE}wordprocessingml.template.main+xml",
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    ],
)
def test_kin_of_docx_are_read(kin):
    body = rewritten(letter(), (MAIN["docx"], kin))
    assert parse(body, "a.dotx").document.text == "The pilot boards at dawn."


@pytest.mark.parametrize(
    "kin",
    [
        f"{OFFICE}presentationml.slideshow.main+xml",
        f"{OFFICE}presentationml.template.main+xml",
        "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
        "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
        "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    ],
)
def test_kin_of_pptx_are_read(kin):
    body = rewritten(deck(), (MAIN["pptx"], kin))
    assert parse(body, "a.ppsx").document.text == "The pilot boards at dawn."


@pytest.mark.parametrize("make", [letter, deck])
def test_a_strict_package_is_read(make):
    body = rewritten(
        make(),
        *(
            (
                f"http://schemas.openxmlformats.org/{family}/2006/",
                f"http://purl.oclc.org/ooxml/{family}/",
            )
            for family in ("officeDocument", "wordprocessingml", "presentationml", "drawingml")
        ),
    )
    assert b"purl.oclc.org" in ZipFile(BytesIO(body)).read("_rels/.rels")
    assert parse(body, "a").document.text == "The pilot boards at dawn."


def test_a_package_that_needs_no_change_is_not_copied():
    body = letter()
    assert ooxml.normalise(body, "a.docx") is body
