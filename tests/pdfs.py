"""Makes PDFs for tests, line by line."""

import pymupdf

from footnote.ingest.parse import parse


class Pages:
    """A PDF to which a test adds pages."""

    def __init__(self):
        self.file = pymupdf.open()

    def page(self, *lines):
        """Adds a page; a line is (x, y, text), optionally followed by size, font and colour."""
        page = self.file.new_page()
        for x, y, text, *more in lines:
            size, font, color = [*more, *(11, "helv", (0, 0, 0))[len(more) :]]
            page.insert_text((x, y), text, fontsize=size, fontname=font, color=color)
        return page

    def to_parsed(self, **options):
        return parse(self.file.tobytes(**options), "made.pdf")

    def document(self):
        return self.to_parsed().document
