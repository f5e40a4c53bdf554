"""Results of tools as text for a model: an answer with its footnotes, passages between fences.

Words of documents stand between lines with a random word, which whoever wrote a document could not
know, or escaped in a quote. So a document cannot pass its words off as footnote's. Nor is any of it
a link or an image where an assistant draws Markdown.
"""

from collections.abc import Mapping

from footnote.api.chat import footnote
from footnote.errors import FootnoteError
from footnote.mcp.tool_messages import AddResult, AskResult, ListResult, OpenResult, SearchResult
from footnote.model import Citation
from footnote.prompts import fence_texts
from footnote.text.escaping import as_code, escape, escape_around
from footnote.text.read_by_ocr import BY_OCR

QUOTE = 400  # characters of a quote in the text: the whole is in the structured result


def say_answer(asked: AskResult) -> str:
    if asked.status == "RUNNING":
        return (
            f"The question is still worked on. Call `ask` again with question_id={asked.id} and"
            " nothing else: it goes on from there, and nothing is asked twice."
        )
    known = {one.n for one in asked.citations}
    lines = [escape_around(known, asked.answer), *(_footnote(one) for one in asked.citations)]
    if asked.removed:
        lines.append(f"({len(asked.removed)} sentences did not hold and were left out.)")
    lines += [f"Note: {escape(one)}" for one in asked.degraded]
    return "\n".join(lines)


def _footnote(citation: Citation) -> str:
    pages = ", ".join(map(str, citation.labels or citation.pages))
    where = ", ".join(
        part for part in (one_line(citation.document), f"page {pages}" if pages else "") if part
    )
    return footnote(citation, where, QUOTE)


def say_passages(found: SearchResult) -> str:
    if not found.hits:
        return "Nothing was found."
    passages = {
        f"passage {hit.rank}": "\n".join(
            [
                f"document: {one_line(hit.document)} (id {hit.document_id}, from {hit.start})",
                f"pages: {', '.join(map(str, hit.labels or hit.pages))}",
                f"section: {one_line(' / '.join(hit.section))}",
                *([BY_OCR] if hit.read == "ocr" else []),
                hit.text,
            ]
        )
        for hit in found.hits
    }
    notes = [f"Note: {escape(one)}" for one in found.degraded]
    return "\n".join(["Passages of documents, the best first:", as_data(passages), *notes])


def say_opened(opened: OpenResult) -> str:
    pages = ", ".join(str(one.page) for one in opened.pages)
    head = f"document: {one_line(opened.document)}\ntitle: {one_line(opened.title)}"
    rest = (
        "This is the end of the document."
        if opened.next is None
        else f"It goes on: call `open_section` with start={opened.next}."
    )
    place = f"Characters {opened.start} to {opened.end} of {opened.length}"
    place += f", pages {pages}." if pages else "."
    place += f" It was {BY_OCR}." if opened.read == "ocr" else ""
    return "\n".join([place, as_data({"document": f"{head}\n{opened.text}"}), rest])


def say_documents(listed: ListResult) -> str:
    if not listed.documents:
        return "There are no documents."
    lines = [
        f"{one_line(one.document)} ({one.collection}) {one.status}, {one.pages} pages, id {one.id}"
        for one in listed.documents
    ]
    more = [f"There are more: call again with after={listed.after}"] if listed.after else []
    return "\n".join([as_data({"documents": "\n".join(lines)}), *more])


def say_added(added: AddResult) -> str:
    done = "replaced" if added.replaced else "added"
    return (
        f"The document was {done} (id {added.id}) and is being read. It can be found when"
        " `list_documents` shows it as READY, mostly within a minute."
    )


def say_error(error: FootnoteError) -> str:
    return escape(f"{error.code}: {error.message}\n{error.action}")


def as_data(texts: Mapping[str, str]) -> str:
    """Returns words of documents between fences, as a code block: what Markdown draws as it is."""
    return as_code(fence_texts(texts))


def one_line(text: str) -> str:
    """Returns a name or heading on one line: whoever gave it may have put a line break in."""
    return " ".join(text.split())
