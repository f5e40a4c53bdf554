"""Pictures of pages: the frame is that of the word boxes, whatever the file says of its pages."""

from io import BytesIO

import pymupdf
import pytest
from PIL import Image

from footnote.errors import BadDocumentError, NotFoundError
from footnote.ingest.draw import draw as drawing
from footnote.ingest.draw.draw import Drawn, Inside, draw
from footnote.ingest.draw.packed import draw_by, pack_drawn
from footnote.ingest.parse import media_type, parse
from footnote.ingest.parse.formats import FORMATS
from footnote.model import Box
from footnote.wiring.child import Child
from tests.formats import FILES, make_zip
from tests.pdfs import Pages
from tests.pixels import check_marks, pixels, yellow
from tests.unit.test_page_bounds import ENDLESS, make_pdf
from tests.unit.test_pages_inside import LEASE, RULES, archive, message
from tests.unit.test_parse_pdf_orientation import LINES, turned


def boxes_of(parsed, words, number=1):
    """Returns the boxes of these words on a page, as the parser has them."""
    text = parsed.document.text
    start = text.index(words)
    found = [box for box in parsed.words[number] if start <= box.start < start + len(words)]
    return [Box(page=number, x0=b.x0, y0=b.y0, x1=b.x1, y1=b.y1) for b in found]


def check_page(body, words, number=1):
    """Draws a page with these words marked and looks at the picture; returns what was drawn."""
    boxes = boxes_of(parse(body, "made.pdf"), words, number)
    drawn = draw(body, "made.pdf", number, boxes)
    link = {"width": drawn.width, "height": drawn.height}
    link["boxes"] = [box.model_dump() for box in boxes]
    check_marks(body, number, words, link, drawn.body)
    return drawn


@pytest.mark.parametrize("crop", [None, (30, 40, 370, 560)], ids=["whole", "cropped"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_what_is_marked_on_a_turned_or_cropped_page_is_the_words(rotation, crop):
    drawn = check_page(turned(rotation, crop=crop), LINES[1])
    side = (400, 600) if crop is None else (340, 520)
    wanted = side[::-1] if rotation in {90, 270} else side
    assert (drawn.width, drawn.height) == wanted


@pytest.mark.parametrize("rotation", [0, 90])
def test_words_that_lie_on_their_side_are_marked_where_they_are(rotation):
    check_page(turned(rotation, written=(rotation + 90) % 360), LINES[0].split()[1])


def test_words_in_the_right_column_of_two_are_marked_there():
    pdf = Pages()
    left = [(60, 80 + 14 * i, f"The left column has line {i} of it.") for i in range(20)]
    right = [(320, 80 + 14 * i, f"On the right stands row {i} of all.") for i in range(20)]
    pdf.page(*left, *right)
    body = pdf.file.tobytes()
    drawn = check_page(body, "On the right stands row 7 of all.")
    columns = yellow(pixels(drawn.body)).any(axis=0).nonzero()[0]
    assert columns.min() > drawn.width  # in pixels, of which a point has two


def test_a_page_in_right_to_left_script_is_marked_where_it_is_shown():
    file = pymupdf.open()
    file.new_page().insert_htmlbox((72, 72, 500, 300), "<p dir='rtl'>שלום עולם זה מסמך בעברית</p>")
    body = file.tobytes()
    parsed = parse(body, "made.pdf")
    first = parsed.words[1][0]
    box = Box(page=1, x0=first.x0, y0=first.y0, x1=first.x1, y1=first.y1)
    area = yellow(pixels(draw(body, "made.pdf", 1, [box]).body))
    assert area[:, (450 * 2) :].any()
    assert not area[:, : (400 * 2)].any()  # the first word stands on the right


def test_a_page_of_14400_points_has_as_many_pixels_as_any_other():
    file = pymupdf.open()
    file.new_page(width=14_400, height=14_400).insert_text((900, 7_000), "Wall", fontsize=900)
    drawn = check_page(file.tobytes(), "Wall")
    assert (drawn.width, drawn.height) == (14_400, 14_400)
    shown = pixels(drawn.body)
    assert shown.shape[0] * shown.shape[1] <= drawing.MAX_PIXELS * 1.01


@pytest.mark.parametrize(("width", "height"), [(14_400, 3), (3, 14_400), (3, 3), (72, 0.5)])
def test_a_page_of_an_odd_shape_is_drawn_within_bounds(width, height):
    file = pymupdf.open()
    file.new_page(width=width, height=height)
    drawn = draw(file.tobytes(), "made.pdf", 1, [Box(page=1, x0=-9, y0=-9, x1=1e6, y1=1e6)])
    assert max(pixels(drawn.body).shape) <= drawing.MAX_SIDE


def test_boxes_outside_of_the_page_are_left_out():
    body = turned(0)
    plain = draw(body, "made.pdf", 1, [])
    outside = [Box(page=1, x0=900, y0=900, x1=950, y1=950), Box(page=1, x0=-50, y0=0, x1=-20, y1=9)]
    assert draw(body, "made.pdf", 1, outside).body == plain.body


@pytest.mark.parametrize("number", [1, 999, 1000])
def test_a_page_of_a_thousand_is_that_page(number):
    file = pymupdf.open()
    for n in range(1000):
        file.new_page(width=200, height=200).insert_text((20, 20 + n % 150), f"Page {n + 1}")
    body = file.tobytes()
    words = f"Page {number}"
    with pymupdf.open(stream=body, filetype="pdf") as made:
        rect = made[number - 1].search_for(words)[0]
    box = Box(page=number, x0=rect.x0, y0=rect.y0, x1=rect.x1, y1=rect.y1)
    drawn = draw(body, "made.pdf", number, [box])
    assert drawn.pages == 1000
    link = {"width": 200, "height": 200, "boxes": [box.model_dump()]}
    check_marks(body, number, words, link, drawn.body)


@pytest.mark.parametrize("number", [4, 10**9])
def test_beyond_the_last_page_the_error_says_how_many_there_are(number):
    pdf = Pages()
    for _ in range(3):
        pdf.page((72, 72, "x"))
    with pytest.raises(NotFoundError, match="it has 3") as caught:
        draw(pdf.file.tobytes(), "made.pdf", number, [])
    assert caught.value.code == "no_page"


def test_a_page_that_is_called_otherwise_has_its_label():
    file = pymupdf.open()
    for _ in range(3):
        file.new_page()
    file.set_page_labels([{"startpage": 0, "style": "r"}])
    assert draw(file.tobytes(), "made.pdf", 3, []).label == "iii"


def test_a_protected_file_is_not_drawn():
    body = Pages()
    body.page((72, 72, "Secret"))
    locked = body.file.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    with pytest.raises(BadDocumentError) as caught:
        draw(locked, "made.pdf", 1, [])
    assert caught.value.code == "encrypted"


@pytest.mark.parametrize("body", [b"%PDF-1.7\n", b"%PDF-1.7 " + b"\xff" * 900])
def test_a_broken_file_is_not_drawn(body):
    with pytest.raises((BadDocumentError, NotFoundError)) as caught:
        draw(body, "made.pdf", 1, [])
    assert caught.value.code in {"corrupt", "no_page"}


@pytest.mark.parametrize("streams", ENDLESS.values(), ids=ENDLESS)
def test_a_page_without_end_is_not_drawn_and_the_others_are(streams):
    body = make_pdf(*streams)
    assert pixels(draw(body, "made.pdf", 1, []).body).min() < 100
    with pytest.raises(BadDocumentError) as caught:
        draw(body, "made.pdf", 2, [])
    assert caught.value.code == "too_large"


# -- images --------------------------------------------------------------------------------------


def image(kind, size=(900, 600), **options):
    made = Image.new("RGB", size, "white")
    made.paste((0, 0, 0), (100, 200, 300, 260))
    body = BytesIO()
    made.save(body, kind, **options)
    return body.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP"])
def test_an_image_is_drawn_in_the_frame_of_its_boxes(kind):
    options = {} if kind in {"GIF", "WEBP"} else {"dpi": (150, 150)}
    dpi = 150 if options else 96
    box = Box(page=1, x0=100 * 72 / dpi, y0=200 * 72 / dpi, x1=300 * 72 / dpi, y1=260 * 72 / dpi)
    drawn = draw(image(kind, **options), "a.img", 1, [box])
    assert (round(drawn.width), round(drawn.height)) == (900 * 72 // dpi, 600 * 72 // dpi)
    shown = pixels(drawn.body)
    zoom = shown.shape[1] / drawn.width
    ink = shown.max(axis=2) < 100
    rows, columns = ink.nonzero()
    found = [value / zoom for value in (columns.min(), rows.min(), columns.max(), rows.max())]
    assert found == pytest.approx([box.x0, box.y0, box.x1, box.y1], abs=2)


def test_a_photograph_that_says_how_to_turn_it_is_turned():
    exif = Image.Exif()
    exif[274] = 6  # shown turned by 90 degrees
    drawn = draw(image("JPEG", dpi=(96, 96), exif=exif), "a.jpg", 1, [])
    assert (drawn.width, drawn.height) == (450, 675)
    height, width, _ = pixels(drawn.body).shape
    assert height > width


def test_each_page_of_a_tiff_is_its_own():
    first, second = Image.new("RGB", (300, 200), "white"), Image.new("RGB", (300, 200), "black")
    body = BytesIO()
    first.save(body, "TIFF", save_all=True, append_images=[second])
    shades = [pixels(draw(body.getvalue(), "a.tiff", n, []).body).mean() for n in (1, 2)]
    assert shades == [pytest.approx(255, abs=3), pytest.approx(0, abs=3)]
    with pytest.raises(NotFoundError, match="it has 2"):
        draw(body.getvalue(), "a.tiff", 3, [])


def test_a_small_image_is_not_blown_up():
    drawn = draw(image("PNG", (60, 30)), "a.png", 1, [])
    assert pixels(drawn.body).shape[:2] == (30, 60)


# -- files inside --------------------------------------------------------------------------------


def check_inside(body, inside, same_as, ending=".zip"):
    drawn = draw(body, f"bundle{ending}", Inside(*inside), [])
    of, page = same_as
    same = draw(of, "a.pdf", page, [])
    assert (drawn.body, drawn.width) == (same.body, same.width)


def test_a_page_of_a_file_in_an_archive_is_that_page():
    body = archive(lease_pdf=LEASE, notes_txt="Ask about the cellar.", rules_pdf=RULES)
    check_inside(body, ("lease.pdf", 2), (LEASE, 2))
    check_inside(body, ("rules.pdf", 1), (RULES, 1))


def test_a_page_of_an_attachment_of_a_message_in_an_archive_is_that_page():
    mail = message(("lease.pdf", LEASE), ("rules.pdf", RULES))
    body = archive(mail_eml=mail, lease_pdf=RULES)
    check_inside(body, ("mail.eml, lease.pdf", 2), (LEASE, 2))
    check_inside(body, ("mail.eml, rules.pdf", 1), (RULES, 1))
    check_inside(body, ("lease.pdf", 1), (RULES, 1))


def test_pages_of_attachments_of_one_name_are_one_after_another():
    body = message(("a.pdf", LEASE), ("b.pdf", RULES), ("a.pdf", RULES))
    check_inside(body, ("a.pdf", 2), (LEASE, 2), ".eml")
    check_inside(body, ("a.pdf", 3), (RULES, 1), ".eml")


def test_all_pages_inside_are_drawn_as_the_document_numbers_them():
    body = message(("a.pdf", LEASE), ("b.pdf", RULES), ("a.pdf", RULES))
    pages = parse(body, "bundle.eml").document.pages
    assert [page.inside for page in pages] == ["a.pdf", "a.pdf", "b.pdf", "a.pdf"]


def test_what_is_not_inside_has_no_picture():
    for name, number in (("none.pdf", 1), ("lease.pdf", 3), ("notes.txt", 1)):
        with pytest.raises(NotFoundError) as caught:
            draw(archive(lease_pdf=LEASE, notes_txt="Ask."), "b", Inside(name, number), [])
        assert caught.value.code == "no_picture"


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith((".zip", ".eml"))])
def test_formats_without_pictures_say_that_they_can_be_read_as_text(name):
    with pytest.raises(NotFoundError, match="no picture") as caught:
        draw(FILES[name], name, 1, [])
    assert caught.value.code == "no_picture"
    assert "/text" in caught.value.action


def test_an_archive_of_pictures_is_not_unpacked_beyond_what_a_parse_may():
    bomb = make_zip({f"{n}.pdf": b"%PDF-" + bytes(1 << 20) for n in range(300)})
    with pytest.raises(NotFoundError) as caught:
        draw(bomb, "bomb.zip", Inside("299.pdf", 1), [])
    assert caught.value.code == "no_picture"


# -- in a process of its own -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def apart():
    """Draws as the function does: in a child that can open nothing, not even a module."""
    child = Child("footnote.ingest.draw.packed", 120, 1_000)
    yield lambda *given: draw_by(child.run, *given)
    child.end()


def drawable():
    """Yields each kind of file that is drawn: a name, its bytes, the page, boxes."""
    box = Box(page=1, x0=10, y0=20, x1=60, y1=40)
    yield "turned.pdf", turned(90), 1, [box]
    for kind in ("PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP"):
        yield f"a.{kind.lower()}", image(kind), 1, [box]
    yield "fonts.pdf", script("Ω 日本語 שלום ไทย हिन्दी"), 1, []
    mail = message(("lease.pdf", LEASE), ("rules.pdf", RULES))
    yield "a.eml", mail, Inside("lease.pdf", 2), []
    yield "a.zip", archive(mail_eml=mail), Inside("mail.eml, rules.pdf", 1), [box]


def is_nesting(name):
    kind = media_type(FILES[name], name)
    return any(one.nests for one in FORMATS if one.media_type == kind)


def script(words):
    file = pymupdf.open()
    file.new_page().insert_htmlbox((72, 72, 500, 300), f"<p>{words}</p>")
    return file.tobytes()


@pytest.mark.parametrize("case", [*drawable()], ids=lambda case: case[0])
def test_a_child_draws_the_same(apart, case):
    name, body, page, boxes = case
    assert apart(body, name, page, boxes) == draw(body, name, page, boxes)


NESTING = [name for name in FILES if is_nesting(name)]


@pytest.mark.parametrize("name", NESTING)
def test_a_child_says_the_same_of_a_file_that_is_not_inside(apart, name):
    """Whatever a format's parser imports while it looks for a file inside is there before."""
    place = Inside(f"{name}, none.pdf", 1)
    with pytest.raises((BadDocumentError, NotFoundError)) as here:
        draw(FILES[name], name, place, [])
    with pytest.raises(type(here.value)) as there:
        apart(FILES[name], name, place, [])
    assert there.value.problem == here.value.problem


@pytest.mark.parametrize(
    "reply", [b"", b"\x00" * 21, b"\x00" * 60, b"<html>" * 90, pack_drawn(Drawn(b"", 1, 1, 1))]
)
def test_what_is_no_picture_is_not_taken_for_one(reply):
    with pytest.raises(BadDocumentError):
        draw_by(lambda _: reply, b"", "a.pdf", 1, [])


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_frame_that_is_no_number_is_refused(number):
    body = draw(turned(0), "a.pdf", 1, []).body
    with pytest.raises(BadDocumentError):
        draw_by(lambda _: pack_drawn(Drawn(body, number, 1, 1)), b"", "a.pdf", 1, [])
