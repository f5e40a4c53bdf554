"""Says of citations where their documents came from: a page's address, and the day it was fetched.

Both are attributes of the document. They are shown as text, as whoever adds a file may set them.
"""

from footnote.model import Answer, Citation, Metadata
from footnote.ports import Catalog

LONGEST = 1_500  # characters of an address


def name_origins(answer: Answer, catalog: Catalog) -> Answer:
    """Returns the answer with `url` and `fetched` of citations of pages of the web."""
    if not answer.citations:
        return answer
    ids = sorted({citation.document_id for citation in answer.citations})
    found = {record.document_id: record for record in catalog.records(ids)}
    named = tuple(
        _named(citation, found[citation.document_id].metadata)
        if citation.document_id in found
        else citation
        for citation in answer.citations
    )
    return answer.model_copy(update={"citations": named})


def _named(citation: Citation, attributes: Metadata) -> Citation:
    url, day = attributes.get("url"), attributes.get("fetched")
    is_address = isinstance(url, str) and url.startswith(("https://", "http://"))
    is_plain = is_address and str(url).isascii() and str(url).isprintable() and " " not in str(url)
    if not is_plain or len(str(url)) > LONGEST or not isinstance(day, str):
        return citation
    return citation.model_copy(update={"url": url, "fetched": day[:10]})
