"""Messages and mailboxes: headers, bodies, attachments, and what cannot be read in them."""

from email.message import EmailMessage

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import allowance, media_type, parse
from tests import formats

PAGE = "<p>The <b>new</b> price is 12 euro, from Monday on, in every one of our shops.</p>"


def document(message, name="a.eml"):
    return parse(message if isinstance(message, bytes) else message.as_bytes(), name).document


def headings(found):
    return [(section.level, section.title) for section in found.sections]


def test_a_message_is_its_headers_body_and_attachments():
    found = document(formats.mail())
    assert found.title == "Delivery of the Herons"
    assert found.text.startswith(
        "Delivery of the Herons\n\nFrom: Ann Ärmel <ann@shop.example>\n"
        "To: Bob <bob@shop.example>\nDate: Mon, 02 Feb 2026 10:00:00 +0100\n\n"
        "The bikes will be at the shop on Monday morning.\n\nload für Bob.md\n\n# Load"
    )
    assert headings(found) == [
        (1, "Delivery of the Herons"), (2, "load für Bob.md"), (3, "Load"), (2, "Re: delivery"),
    ]  # fmt: skip
    assert [table.rows for table in found.tables] == [(("bike", "n"), ("Heron", "3"))]
    assert found.warnings == ("Left out: logo.png is damaged: it could not be read.",)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Your program cannot show this.", "The new price is 12 euro"),
        ("The price changes in all shops: see the other version.", "The new price is 12 euro"),
        (
            "*The new* price is 12 euro from Monday on; in every one of our shops. https://a.example",
            "*The new* price is 12 euro from Monday on",
        ),
    ],
)
def test_of_alternatives_the_plain_one_is_read_unless_the_other_says_more(said, shown):
    message = formats.message("Price", said)
    message.add_alternative(PAGE, subtype="html")
    assert shown in document(message).text
    assert document(message).text.count("price is") == 1


def test_one_word_that_the_plain_text_lacks_is_reason_to_read_the_page():
    plain = " ".join(f"tide{n}" for n in range(60))
    message = formats.message("One", plain)
    message.add_alternative(f"<p>{plain} <a href=/>Accept</a></p>", subtype="html")
    assert document(message).text.endswith("tide59 Accept")


def test_the_attachments_of_all_alternatives_are_read():
    message = formats.message("Price", "See the table.")
    page = EmailMessage()
    page.set_content("<p>See the table.</p>", subtype="html")
    page.add_attachment(b"pier,toll\nnorth,4471\n", "text", "csv", filename="tolls.csv")
    page.add_attachment("<p>See.</p>", subtype="x-amp-html")
    message.make_alternative()
    message.attach(page)
    found = document(message)
    assert found.text.count("See the table.") == 1
    assert found.text.endswith("tolls.csv\n\npier | toll\nnorth | 4471")
    assert found.warnings == ()


def test_an_attachment_of_two_alternatives_is_read_once():
    message = formats.message("Price", "See the table.")
    message.make_alternative()
    for kind in ("plain", "html"):
        page = EmailMessage()
        page.set_content("See the table.", subtype=kind)
        page.add_attachment(b"pier,toll\nnorth,4471\n", "text", "csv", filename="tolls.csv")
        message.attach(page)
    assert document(message).text.count("4471") == 1


INVITATION = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Europe/Oslo
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY:Board meeting\\, second part
DTSTART;TZID=Europe/Oslo:20260318T130000
DTEND:20260318T150000Z
LOCATION:Pier 4
ORGANIZER;CN="Ann: chair":mailto:ann@shop.example
ATTENDEE;PARTSTAT=ACCEPTED;CN=Bob:MAILTO:bob@shop.example
DESCRIPTION:Decide on the loan.\\nBring
  the plan.
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:X-POEM
SUMMARY:lost
END:X-POEM
END:VCALENDAR
"""


def test_an_invitation_says_what_when_where_and_who():
    message = formats.message("Meeting", "You are invited.")
    message.add_alternative(INVITATION, subtype="calendar")
    found = document(message)
    assert found.text.partition("You are invited.\n\n")[2] == (
        "What: Board meeting, second part\nStart: 2026-03-18 13:00 Europe/Oslo\n"
        "End: 2026-03-18 15:00 UTC\nWhere: Pier 4\nOrganizer: Ann: chair <ann@shop.example>\n"
        "Attendee: Bob <bob@shop.example>\nDecide on the loan.\nBring the plan."
    )
    assert found.warnings == ("1 unknown element is not read: X-POEM. [unknown_element]",)


REPORT = b"""From: mail@x.example
To: bob@x.example
Subject: Undelivered
Content-Type: multipart/report; boundary=b

--b
Content-Type: text/plain

It did not arrive.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ida@x.example
Status: 5.1.1
--b
Content-Type: message/disposition-notification

Disposition: automatic; deleted
--b--
"""


def test_a_report_says_who_was_not_reached_and_why():
    assert document(REPORT).text.partition("It did not arrive.\n\n")[2] == (
        "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ida@x.example\n"
        "Status: 5.1.1\n\nDisposition: automatic; deleted"
    )


def test_a_part_that_nobody_knows_is_named():
    message = formats.message("Song", "Listen.")
    message.add_attachment(bytes(range(256)) * 9, "application", "x-song", filename="song.bin")
    assert document(message).warnings[0].startswith("Left out: song.bin is neither text nor")


def test_a_body_is_read_in_the_encoding_that_it_names():
    body = b"From: a@b.c\nContent-Type: text/plain; charset=iso-8859-2\n\n\xa3\xf3d\xbc"
    assert document(body).text == "From: a@b.c\n\nŁódź"


def test_encoded_headers_are_decoded_and_broken_ones_kept():
    body = b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nTo: =?nope?b?eA==?=\nFrom: a@b.c\n\nx"
    assert document(body).text == "Grüße\n\nFrom: a@b.c\nTo: =?nope?b?eA==?=\n\nx"


def test_an_encrypted_message_has_its_headers_and_a_warning():
    body = b"From: a@b.c\nContent-Type: application/pkcs7-mime; name=smime.p7m\n\nMIAGCSqG"
    assert document(body).text == "From: a@b.c"
    assert "encrypted" in document(body).warnings[0]


def test_a_damaged_attachment_is_named_and_the_rest_is_read():
    message = formats.message("Plan", "See the plan.")
    message.add_attachment(b"%PDF-1.7 no", maintype="application", subtype="pdf", filename="p.pdf")
    message.add_attachment("Not in vain.", filename="note.txt")
    found = document(message)
    assert found.text.endswith("See the plan.\n\nnote.txt\n\nNot in vain.")
    assert found.warnings == ("Left out: p.pdf is damaged: it could not be read.",)


def test_attachments_past_the_limit_are_named():
    message = formats.message("Many", "Here they are.")
    for n in range(allowance.MAX_FILES + 1):
        message.add_attachment("x", filename=f"{n}.txt")
    (warning,) = document(message).warnings
    assert warning.startswith(
        f"Left out: {allowance.MAX_FILES}.txt is too large to read: too many files"
    )


def test_messages_in_files_in_messages_are_opened_to_a_depth():
    inner = formats.message("Core", "Deep down.").as_bytes()
    for n in range(allowance.MAX_DEPTH + 1):
        outer = formats.message(f"Shell {n}", "Look inside.")
        outer.add_attachment(inner, maintype="application", subtype="x", filename=f"{n}.eml")
        inner = outer.as_bytes()
    found = document(inner)
    assert found.text.count("Look inside.") == allowance.MAX_DEPTH + 1
    assert "Deep down." not in found.text
    assert "it lies in files in files" in found.warnings[0]


def test_parts_a_thousand_deep_do_no_harm():
    body = b"From: a@b.c\n"
    for n in range(1000):
        body += b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n)
    with pytest.raises(BadDocumentError):
        document(body + b"\nx")


def test_a_message_without_its_boundary_is_read_as_text():
    body = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=q\n\nStill here."
    assert document(body).text == "From: a@b.c\n\nStill here."


def test_a_mailbox_has_a_section_for_each_message():
    first = formats.message("One", "From here on it is fine.").as_bytes()
    found = document(formats.mailbox(first, formats.mail()), "box")
    assert found.media_type == "application/mbox"
    assert [title for level, title in headings(found) if level == 1] == [
        "One", "Delivery of the Herons",
    ]  # fmt: skip
    assert "From here on it is fine." in found.text


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"From: a@b.c\nTo: d@e.f\nSubject: x\n\nHello", "message/rfc822"),
        (b"Received: from x\n by y\nDate: z\nFrom: a@b.c\n\nHello", "message/rfc822"),
        (b"From a@b.c Mon Feb  2 10:00:00 2026\nSubject: x\n\nHello", "application/mbox"),
        (b"From here to there it is 10:30 by train.\nNote: take it.", "text/plain"),
        (b"Date: Monday\nSubject: minutes\nTo: all\n\nWe met.", "text/plain"),
    ],
)
def test_mail_is_known_by_its_content(body, kind):
    assert media_type(body, "file") == kind


def test_an_empty_attachment_is_named():
    message = EmailMessage()
    message["From"] = "a@b.c"
    message.add_attachment(b"", maintype="application", subtype="pdf", filename="p.pdf")
    assert document(message).warnings == ("Left out: p.pdf is empty.",)


def test_a_name_at_the_end_of_a_long_header_is_read():
    message = formats.message("One", "Text.")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="p.csv")
    body = message.as_bytes().replace(b"filename=", b"size=1;\n " * 1_000 + b"filename=")
    assert "p.csv" in [title for _, title in headings(document(body))]


def test_a_header_is_read_to_16_000_characters_and_says_that_there_is_more():
    people = [f"Ann{n} <ann{n}@shop.example>" for n in range(900)]
    short = document(f"From: a@b.c\nTo: {', '.join(people[:400])}\n\nHello".encode())
    assert "ann399@" in short.text
    assert short.warnings == ()
    long = document(f"From: a@b.c\nTo: {', '.join(people)}\n\nHello".encode())
    assert "ann400@" in long.text
    assert long.warnings == ("1 longer header is read to 16,000 characters: To. [long_header]",)


def test_a_cut_header_ends_with_a_whole_word():
    words = "\n ".join(["=?utf-8?q?K=C3=BCste_?="] * 1_000)
    found = document(f"From: a@b.c\nSubject: {words}\n\nHello".encode())
    assert set(found.text.partition("\n")[0].split()) == {"Küste"}
