"""Tests the Textract adapter, through the real SDK, on a server that speaks its protocol."""

import random

import pymupdf
import pytest

from footnote.adapters.aws.clients import client
from footnote.adapters.aws.textract import MAX_BYTES, USD_A_PAGE, Textract, png
from footnote.adapters.memory.small import MemoryReplies
from footnote.errors import BadDocumentError, ConfigurationError
from footnote.ingest.read.page_cache import CachedReader
from footnote.model import Picture, Reading
from tests.contract.suites.readers import draw_picture, page
from tests.scripted_textract import Line, Refusal, run_textract, size_of, typed_line

PICTURE = draw_picture(page("One line of text"))


def textract(server):
    return Textract(client("textract", server.url))


def test_a_picture_is_sent_as_the_png_that_it_is():
    with run_textract([[]]) as server:
        assert textract(server).read(PICTURE) == Reading(usd=USD_A_PAGE)
    (sent,) = server.pictures
    back = pymupdf.Pixmap(sent)
    assert (back.width, back.height, bytes(back.samples)) == (
        PICTURE.columns, PICTURE.rows, PICTURE.pixels,
    )  # fmt: skip


def test_a_photo_that_is_too_large_in_colour_is_sent_in_grey():
    columns, rows = 2_000, 2_000
    noise = random.Random(3).randbytes(3 * columns * rows)
    made = png(Picture(pixels=noise, columns=columns, rows=rows, width=720, height=720))
    assert size_of(made) == (columns, rows, 0)
    assert len(made) <= MAX_BYTES < 3 * columns * rows
    assert bytes(pymupdf.Pixmap(made).samples) == noise[1::3]


def test_a_line_that_runs_down_the_page_is_not_upright():
    lines = [typed_line(["Across"]), Line(((0.9, 0.1, 0.93, 0.5, "Down"),), upright=False)]
    with run_textract([lines]) as server:
        read = textract(server).read(PICTURE).lines
    assert [(line.words[0].text, line.upright) for line in read] == [
        ("Across", True), ("Down", False),
    ]  # fmt: skip
    # the line runs down the page, so its box is as wide as its type is high
    assert read[1].size == pytest.approx(0.03 * 400, abs=0.1)


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"Blocks": []},
        {"Blocks": [{"BlockType": "LINE", "Id": "l"}]},
        {
            "Blocks": [
                {"BlockType": "LINE", "Id": "l"}
                | {"Relationships": [{"Type": "CHILD", "Ids": ["gone"]}]}
            ]
        },
    ],
)
def test_a_reply_with_nothing_in_it_is_no_crash(reply):
    with run_textract([reply]) as server:
        assert textract(server).read(PICTURE).lines == ()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("BadDocumentException", BadDocumentError),
        ("DocumentTooLargeException", BadDocumentError),
        ("InvalidParameterException", BadDocumentError),
        ("UnsupportedDocumentException", BadDocumentError),
        ("AccessDeniedException", ConfigurationError),
        ("UnrecognizedClientException", ConfigurationError),
    ],
)
def test_what_textract_refuses_for_good_is_asked_once(code, kind):
    with run_textract([Refusal(code)] * 2) as server, pytest.raises(kind) as refused:
        textract(server).read(PICTURE)
    assert f": {code}: " in refused.value.detail
    assert refused.value.detail.startswith("detect text on a picture of")
    assert len(server.pictures) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal("ThrottlingException"),
        Refusal("ProvisionedThroughputExceededException"),
        Refusal("InternalServerError", 500),
        Refusal("ServiceUnavailable", 503),
    ],
)
def test_a_busy_service_is_asked_again(refusal):
    with run_textract([refusal, [typed_line(["Late"])]]) as server:
        read = textract(server).read(PICTURE)
    assert read.lines[0].words[0].text == "Late"


def test_a_page_is_paid_for_once_and_another_one_is_paid_for_again():
    with run_textract() as server:
        reader = CachedReader(textract(server), MemoryReplies())
        costs = [reader.read(one).usd for one in (PICTURE, PICTURE, draw_picture(page("Another")))]
    assert costs == [USD_A_PAGE, 0.0, USD_A_PAGE]
    assert len(server.pictures) == 2
