"""The errors for missing pages and pictures."""

from footnote.errors import NotFoundError


def no_page(name: str, number: int, pages: int) -> NotFoundError:
    has = f"it has {pages:,}" if pages else "its format has none"
    return NotFoundError(
        f"{name} has no page {number:,}: {has}",
        code="no_page",
        action=f"Ask for a page from 1 to {pages:,}." if pages else AS_TEXT,
    )


def no_picture(name: str, why: str) -> NotFoundError:
    return NotFoundError(f"{name} has no picture: {why}", code="no_picture", action=AS_TEXT)


AS_TEXT = "Read it as text: GET /documents/{id}/text."
