"""ZIP, MSG and XLS: what is inside, what cannot be read, and hostile files."""

import io
import zipfile

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import allowance, media_type, parse
from tests import formats
from tests.compound import attachment, compound, outlook, properties, workbook
from tests.scans import typed_page

DAMAGED = "Left out: logo.png is damaged: it could not be read."


def document(body, name="a.zip"):
    return parse(body, name).document


def refusal(body, name="a.zip"):
    with pytest.raises(BadDocumentError) as refused:
        document(body, name)
    return refused.value


def headings(found):
    return [(section.level, section.title) for section in found.sections]


def test_each_file_in_an_archive_is_a_section_under_its_path():
    found = document(formats.ZIPPED)
    assert headings(found) == [
        (1, "shop/prices.tsv"), (1, "shop/letters/delivery.eml"), (2, "Delivery of the Herons"),
        (3, "load für Bob.md"), (4, "Load"), (3, "Re: delivery"), (1, "shop/where.md"),
        (2, "Where it is"),
    ]  # fmt: skip
    assert [table.rows[0] for table in found.tables] == [("product", "price"), ("bike", "n")]
    for table in found.tables:
        assert table.rows[-1][0] in found.text[table.start : table.end]
    assert found.warnings == (
        f"shop/letters/delivery.eml: {DAMAGED}",
        DAMAGED.replace("logo", "shop/logo"),
    )


def test_an_archive_whose_first_file_is_an_unpacked_pdf_is_an_archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.pdf", typed_page("A page.").tobytes())
        archive.writestr("b.txt", "A text.")
    assert document(body.getvalue()).text == "a.pdf\n\nA page.\n\nb.txt\n\nA text."


def test_names_in_an_archive_are_only_shown():
    found = document(formats.make_zip({"../../tmp/x.txt": "Hello.", "/etc/passwd": "There."}))
    assert found.text == "../../tmp/x.txt\n\nHello.\n\n/etc/passwd\n\nThere."


def test_archives_in_archives_are_opened_to_a_depth():
    body = formats.make_zip({"core.txt": "Deep down."})
    for n in range(allowance.MAX_DEPTH):
        body = formats.make_zip({f"{n}.zip": body, f"{n}.txt": f"Floor {n}."})
    found = document(body)
    assert "Floor 0." in found.text
    assert "Deep down." not in found.text
    assert "it lies in files in files" in found.warnings[0]


def test_an_archive_of_too_many_files_or_bytes_is_refused():
    many = {f"{n}.txt": "x" for n in range(allowance.MAX_FILES + 1)}
    assert refusal(formats.make_zip(many)).code == "too_large"
    assert refusal(formats.make_zip({"a.txt": bytes(20 << 20)})).code == "too_large"


def test_files_past_the_bytes_that_there_is_room_for_are_named():
    body = formats.make_zip({"a.txt": "12345", "b.txt": "1234567", "c.txt": "1234"})
    found = parse(body, "a.zip", allowance.Allowance(size=10)).document
    assert found.text == "a.txt\n\n12345\n\nc.txt\n\n1234"
    assert found.warnings[0].startswith("Left out: b.txt is too large to read")


@pytest.mark.parametrize(
    ("members", "code", "what"),
    [
        ({"a.mp3": b"ID3\x04", "b/": b""}, "unsupported", "a.mp3"),
        ({"a.pdf": b"%PDF-1.7"}, "no_text", "a.pdf is damaged"),
        ({"__MACOSX/x": b"x"}, "no_text", "no text"),
        ({"Index/Document.iwa": b"x"}, "unsupported", "Pages"),
    ],
)
def test_an_archive_of_which_nothing_can_be_read_says_why(members, code, what):
    refused = refusal(formats.make_zip(members))
    assert refused.code == code
    assert what in refused.message


def test_locked_files_in_an_archive_are_named():
    body = bytearray(formats.make_zip({"a.txt": "Hello.", "b.txt": "There."}))
    entry = body.index(b"PK\x01\x02")
    body[entry + 8] |= 1  # the flag for encryption in the directory
    found = document(bytes(body))
    assert found.text == "b.txt\n\nThere."
    assert found.warnings == ("Left out: a.txt is protected by a password.",)
    body[body.index(b"PK\x01\x02", entry + 4) + 8] |= 1
    assert refusal(bytes(body)).code == "encrypted"


def test_a_damaged_file_in_an_archive_is_named_and_the_rest_is_read():
    body = formats.make_zip({"a.txt": "Hello.", "b.txt": "There."}, plain=("a.txt",))
    found = document(body.replace(b"Hello.", b"Hullo."))
    assert found.text == "b.txt\n\nThere."
    assert found.warnings == ("Left out: a.txt is damaged: it could not be read.",)


def test_an_archive_with_a_folder_called_word_is_an_archive():
    assert media_type(formats.make_zip({"word/list.txt": "x"}), "a") == "application/zip"


def test_an_outlook_message_is_read_as_the_mail_that_it_is():
    found = document(formats.MSG, "herons.msg")
    assert found.text.startswith(
        "About the Herons\n\nFrom: Ann <ann@shop.example>\nTo: Bob\n"
        "Date: Mon, 02 Feb 2026 10:00:00 +0000\n\nThey are not in the shop yet.\n\nhow many.csv"
    )
    assert headings(found) == [(1, "About the Herons"), (2, "how many.csv"), (2, "When?")]
    assert found.warnings == ("Left out: logo.png is damaged: it could not be read.",)


def test_an_outlook_message_whose_only_body_is_compressed_says_so():
    found = document(compound(outlook("Plan", "", **{"__substg1.0_10090102": b"x"})), "a.msg")
    assert found.warnings == ("A body of compressed rich text could not be read.",)


def test_an_outlook_message_in_old_letters_and_with_a_page_is_read():
    page = {"__substg1.0_10130102": b"<h1>Prices</h1><p>They rise.</p>"}
    made = outlook("", "", **page, **{"__substg1.0_0037001E": "Größe".encode("cp1252")})
    del made["__substg1.0_0037001F"], made["__substg1.0_1000001F"]
    found = document(compound(made), "a.msg")
    assert found.text.startswith("Größe\n\nFrom: Ann")
    assert headings(found) == [(1, "Größe"), (2, "Prices")]


def test_outlook_messages_in_messages_are_bounded():
    made = outlook("Core", "x", header=24)
    for _ in range(12):
        made = outlook("", "", **{"__attach_version1.0_#00000000": attachment("", made)})
    assert refusal(compound(made), "a.msg").code == "too_large"


def test_a_message_with_an_old_word_file_attached_is_a_message():
    word = compound({"WordDocument": b"x"})
    made = outlook("Plan", "See it.", **{"__attach_version1.0_#0": attachment("p.doc", word)})
    found = document(compound(made), "a.msg")
    assert found.warnings == ("Left out: p.doc is an old Word file (.doc).",)


def test_old_sheets_are_pages_and_hidden_ones_left_out():
    found = document(formats.XLS, "stock.xls")
    assert found.text == "Stock\n\nbike | price\nHeron | 3690.5"
    assert len(found.pages) == 2  # as Excel counts them
    assert found.warnings == ("The hidden sheet 'Secret' is left out.",)


@pytest.mark.parametrize("body", [compound({"Workbook": b"x" * 99}), workbook({"S": []})[:700]])
def test_old_sheets_that_are_broken_are_corrupt(body):
    assert refusal(body, "a.xls").code == "corrupt"


@pytest.mark.parametrize("name", ["a.xls", "a.msg"])
def test_a_chain_of_sectors_that_bites_its_tail_comes_to_an_end(name):
    body = bytearray(formats.XLS if name == "a.xls" else formats.MSG)
    body[1024:1028] = bytes(4)  # the first small sector names itself as the next
    try:
        assert document(bytes(body), name).text
    except BadDocumentError as refused:
        assert refused.code == "corrupt"  # noqa: PT017 either outcome will do


@pytest.mark.parametrize("claim", [(44, 2**31), (72, 2**31), (30, 31), (1536 + 120, 2**40)])
def test_a_compound_file_that_claims_to_be_larger_than_it_is_is_corrupt(claim):
    body = bytearray(formats.MSG)
    at, number = claim
    body[at : at + 8] = number.to_bytes(8, "little")
    assert refusal(bytes(body), "a.msg").code == "corrupt"


def test_a_date_past_all_calendars_is_left_out():
    made = outlook("Plan", "See it.")
    made["__properties_version1.0"] = properties(2**64 - 1)
    assert "Date" not in document(compound(made), "a.msg").text
