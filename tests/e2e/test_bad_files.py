"""Files that cannot be read end with a reason and leave the system healthy."""

import io
import zipfile

import pymupdf
import pytest


def encrypted_pdf():
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "secret")
    return document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")


def readable_pdf():
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "A readable page under a wrong name.")
    return document.tobytes()


def scan():
    document = pymupdf.open()
    page = document.new_page()
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 200, 200), False)
    pixels.clear_with(90)
    page.insert_image(page.rect, pixmap=pixels)
    return document.tobytes()


def scan_of_text():
    page = pymupdf.open().new_page(width=300, height=80)
    page.insert_text((20, 40), "The delivery took eleven weeks.")
    return page.get_pixmap(dpi=100).tobytes("png")


def plain_zip():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.bin", b"\x00\x01")
    return body.getvalue()


FILES = {
    "empty.pdf": (b"", "FAILED", "empty_file"),
    "encrypted.pdf": (encrypted_pdf(), "FAILED", "encrypted"),
    "scan.pdf": (scan(), "FAILED", "no_text"),
    "scan-of-text.png": (scan_of_text(), "READY", None),
    "broken.pdf": (b"%PDF-1.7\n" + b"\x00garbage" * 50, "FAILED", "corrupt"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(100), "FAILED", "corrupt"),
    "archive.zip": (plain_zip(), "UNSUPPORTED", "unsupported"),
    "text.pdf": (b"This is plain text under a wrong name.", "FAILED", "corrupt"),
    "pdf.txt": (readable_pdf(), "READY", None),
    "big.txt": (b"x " * 26_000_000, "FAILED", "too_large"),
}


@pytest.fixture(scope="module")
def ended(stack, aws, new_tenant):
    from footnote.model import document_id

    client, tenant = new_tenant()
    bucket = stack["outputs"]["UploadsBucket"]
    added = []
    for name, (body, _, _) in FILES.items():
        key = f"{tenant}/default/{name}"
        aws("s3").put_object(Bucket=bucket, Key=key, Body=body)
        added.append({"id": document_id(key), "document": name, "version": ""})
    records = client.wait(added, lambda _: None)
    return client, {record["document"]: record for record in records}


@pytest.mark.parametrize("name", FILES)
def test_a_file_ends_as_it_deserves(ended, name):
    _, records = ended
    _, status, code = FILES[name]
    error = records[name]["error"]
    assert (records[name]["status"], error and error["code"]) == (status, code)
    if error:
        assert error["message"] and error["action"]


def test_the_system_is_healthy_afterwards(ended):
    client, _ = ended
    assert client.health()["status"] == "ok"


def test_a_failed_file_can_be_tried_again(ended):
    client, records = ended
    client.retry("scan.pdf")
    again = client.wait([{**records["scan.pdf"]}], lambda _: None)
    assert again[0]["error"]["code"] == "no_text"
