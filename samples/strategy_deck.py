"""The strategy deck as a PowerPoint file: six slides with bullets, one table, and speaker notes."""

import datetime as dt
from pathlib import Path
from typing import NamedTuple

import pptx
from pptx.dml.color import RGBColor
from pptx.presentation import Presentation
from pptx.slide import Slide as PptxSlide
from pptx.util import Inches, Pt

SHOWN = dt.datetime(2026, 2, 24, 9, 0, tzinfo=dt.UTC)
TITLE = "Carry more: our strategy for 2026 to 2028"
TEAL = RGBColor(0x12, 0x47, 0x4A)


class Slide(NamedTuple):
    """A slide: its title, its bullets and its speaker notes."""

    title: str
    bullets: tuple[str, ...]
    notes: str


OPENING = Slide(
    TITLE,
    ("Ottermoss Cargo Cycles plc", "Maren Holt, chief executive", "Shown to all staff, March 2026"),
    "Welcome. Half an hour, six slides, and then the soup. The board saw this deck on 24 February.",
)
SLIDES = (
    Slide(
        "Where we stand",
        (
            "Revenue of £48.2 million in 2025, and a profit for the third year running",
            "One works, in Harrowmouth, that is full",
            "One battery supplier, Nordaker, on which every bike depends",
            "14,200 bikes on Roost, which now pays for itself",
        ),
        "The order book has never been longer. That is a compliment and a problem: a family that "
        "waits eleven weeks for a Badger buys a car.",
    ),
    Slide(
        "Three things we will do",
        (
            "Build: the Castlebeck assembly hall opens in September 2026",
            "Secure: a second battery supplier delivers from the summer of 2027",
            "Connect: Roost grows to 40,000 bikes by the end of 2028",
        ),
        "Lucía Brandt leads the first, Jonas Lindqvist the second, and Devi Kaplan the third. If "
        "somebody asks you for a fourth thing this year, say no and send them to me.",
    ),
    Slide(
        "Where we will sell",
        (
            "Spain and Portugal from spring 2027, with two service partners in each country",
            "Leasing for families: £79 a month for a Heron, repairs included",
            "No move into North America before 2029",
        ),
        "Hugo Ferreira has visited forty shops between Bilbao and Faro. The hills are on our side: "
        "nobody there wants to push a loaded bike. On leasing, we carry the risk of the used bike "
        "ourselves, so we start with 500 contracts and stop to look.",
    ),
)
TARGETS_TITLE = "How we will know"
TARGETS = (
    ("Measure", "2025 actual", "2026 budget", "2028 target"),
    ("Revenue, £ million", "48.2", "59.0", "88.0"),
    ("Operating margin", "7.9%", "9.2%", "12.0%"),
    ("Bikes on Roost", "14,200", "21,000", "40,000"),
    ("Badger delivery time, weeks", "8", "6", "4"),
    ("Carbon dioxide per bike, kg", "114", "105", "85"),
)
TARGETS_NOTES = (
    "The line I care about most is the delivery time. In our customer survey we earned 6.2 points "
    "for keeping our word, and I would like to show you an eight next year."
)
CLOSING = Slide(
    "What could go wrong, and what we ask of you",
    (
        "Castlebeck is late: we keep both shifts in Harrowmouth until Christmas",
        "Batteries are late: six weeks of BP-1000 packs in stock by June",
        "Roost fails: a drill every quarter, the next one on 3 June 2026",
        "Ask: twenty volunteers to move to Castlebeck, names to Aoife Gallagher by 30 April",
    ),
    "Volunteers receive £2,000 towards moving and keep their length of service. Nobody is sent.",
)


def build(target: Path) -> None:
    """Writes the deck to `target`."""
    deck = pptx.Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    _opening(deck)
    for slide in SLIDES:
        _bullets(deck, slide)
    _targets(deck)
    _bullets(deck, CLOSING)
    properties = deck.core_properties
    properties.title, properties.author = TITLE, "Maren Holt"
    properties.last_modified_by = "Maren Holt"
    properties.created = properties.modified = SHOWN
    deck.save(str(target))


def _opening(deck: Presentation) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    _title(slide, OPENING.title, top=2.2)
    subtitle = slide.placeholders[1]
    subtitle.left, subtitle.top = Inches(0.8), Inches(3.9)
    subtitle.width, subtitle.height = Inches(11.7), Inches(2)
    subtitle.text_frame.text = "\n".join(OPENING.bullets)
    slide.notes_slide.notes_text_frame.text = OPENING.notes


def _bullets(deck: Presentation, content: Slide) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    _title(slide, content.title)
    body = slide.placeholders[1]
    body.left, body.top, body.width, body.height = map(Inches, (0.8, 1.9, 11.7, 4.8))
    body.text_frame.text = "\n".join(content.bullets)
    slide.notes_slide.notes_text_frame.text = content.notes


def _targets(deck: Presentation) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    _title(slide, TARGETS_TITLE)
    place = map(Inches, (0.8, 2.0, 11.7, 3.6))
    table = slide.shapes.add_table(len(TARGETS), len(TARGETS[0]), *place).table
    for row, texts in enumerate(TARGETS):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    slide.notes_slide.notes_text_frame.text = TARGETS_NOTES


def _title(slide: PptxSlide, text: str, top: float = 0.5) -> None:
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = map(Inches, (0.8, top, 11.7, 1.2))
    title.text_frame.text = text
    font = title.text_frame.paragraphs[0].runs[0].font
    font.size, font.bold, font.color.rgb = Pt(36), True, TEAL
