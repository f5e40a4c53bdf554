"""Results of tools as text for a model: an answer with its footnotes, passages between fences.

Documents' words stand between lines with a random word, which their authors could not know, or
escaped in a quote. So a document cannot pass its words off as footnote's. No part of it becomes a
link or an image where an assistant draws Markdown.
"""

import json
from collections.abc import Mapping

from footnote.api.answer_text import (
    doubtful_citations,
    footnote,
    say_fates,
    say_outcome,
    say_sentences,
)
from footnote.ask.export.report import has_removed
from footnote.errors import FootnoteError
from footnote.mcp.tool_messages import (
    AddResult,
    AskResult,
    FindingsResult,
    ListResult,
    OpenResult,
    RemoveResult,
    SayResult,
    SearchResult,
    StopResult,
)
from footnote.model import Citation, Followed
from footnote.prompts import fence_texts
from footnote.text.escaping import as_code, escape
from footnote.text.fates import say_refusal
from footnote.text.own_language import OwnLanguage, asked_in, say, translate
from footnote.text.own_words import BY_OCR

LEFT_OUT = "({number} sentences did not hold and were left out.)"
QUOTE = 400  # characters of a quote in the text; the structured result has all of it


def say_answer(result: AskResult) -> str:
    if result.status == "RUNNING":
        return (
            f"The question is still worked on. Call `ask` again with question_id={result.id} and"
            " nothing else: it goes on from there, and nothing is asked twice."
        )
    own = asked_in(result.question)
    doubtful = doubtful_citations(result.sentences, result.outcome)
    failed = result.found is False and has_removed(result.removed)
    said = say_refusal(result.answer, is_check_failed=failed)
    lines = [
        *filter(None, [say_outcome(result.outcome, own)]),
        say_sentences(
            said, result.sentences if result.found or result.outcome else (), result.citations, own
        ),
        *(_footnote(one, own, is_doubtful=one.n in doubtful) for one in result.citations),
        *filter(None, [say_fates(result.sentences, own)]),
    ]
    if result.removed:
        lines.append(say(own, LEFT_OUT, number=len(result.removed)))
    if result.data is not None:
        values = json.dumps(result.data, ensure_ascii=False, indent=1)
        sources = [
            f"{field.field}: {', '.join(f'[{n}]' for n in field.citations)}"
            + (f", {translate(own, BY_OCR)}" if field.read == "ocr" else "")
            for field in result.fields
        ]
        lines.append(as_data({"data": "\n".join([values, *map(one_line, sources)])}))
    lines += [f"Note: {escape(note)}" for note in result.degraded]
    return "\n".join(lines)


def _footnote(citation: Citation, own: OwnLanguage, *, is_doubtful: bool) -> str:
    pages = ", ".join(map(str, citation.labels or citation.pages))
    where = ", ".join(
        part for part in (one_line(citation.document), f"page {pages}" if pages else "") if part
    )
    return footnote(citation, where, QUOTE, own, is_doubtful=is_doubtful)


def say_passages(result: SearchResult) -> str:
    followed = [_followed(result.why)] if result.why else []
    if not result.hits:
        return "\n".join(["Nothing was found.", *followed])
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
        for hit in result.hits
    }
    notes = [f"Note: {escape(note)}" for note in result.degraded]
    return "\n".join(
        ["Passages of documents, the best first:", as_data(passages), *notes, *followed]
    )


def _followed(followed: Followed) -> str:
    """Returns what became of a document that the search was to follow."""
    looks = [f"{look.at}: {look.told}" for look in followed.looks]
    return as_data({"followed": "\n".join([followed.document, *looks])})


def say_findings(result: FindingsResult) -> str:
    if not result.findings:
        return "Nothing that is still valid was found."
    lines = []
    for finding in result.findings:
        lines.append(one_line(finding.question))
        lines += [f"  {one_line(finding.statement)}"] if finding.statement else []
        for place in finding.places:
            pages = f", page {', '.join(map(str, place.pages))}" if place.pages else ""
            where = f"{one_line(place.document)}{pages} (id {place.document_id})"
            lines.append(f"  {where}: {one_line(place.quote)}")
    return as_data({"findings": "\n".join(lines)})


def say_opened(opened: OpenResult) -> str:
    pages = ", ".join(str(page.page) for page in opened.pages)
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
        f"{one_line(entry.document)} ({entry.collection}) {entry.status},"
        f" {entry.pages} pages, id {entry.id}"
        for entry in listed.documents
    ]
    more = [f"There are more: call again with after={listed.after}"] if listed.after else []
    return "\n".join([as_data({"documents": "\n".join(lines)}), *more])


def say_added(added: AddResult) -> str:
    done = "replaced" if added.replaced else "added"
    return (
        f"The document was {done} (id {added.id}) and is being read. It can be found when"
        " `list_documents` shows it as READY, mostly within a minute."
    )


def say_removed(removed: RemoveResult) -> str:
    return f"The document (id {removed.id}) is being removed, mostly within a minute."


def say_stopped(stopped: StopResult) -> str:
    if not stopped.stopped:
        return "It had ended before; nothing was stopped."
    return f"{stopped.cells} cells were stopped." if stopped.cells else "The question was stopped."


def say_verdict(said: SayResult) -> str:
    return f"The verdict “{said.verdict}” is stored."


def say_error(error: FootnoteError) -> str:
    return escape(f"{error.code}: {error.message}\n{error.action}")


def as_data(texts: Mapping[str, str]) -> str:
    """Returns documents' words between fences, as a code block, which Markdown leaves as it is."""
    return as_code(fence_texts(texts))


def one_line(text: str) -> str:
    """Returns a name or heading on one line: it may hold line breaks."""
    return " ".join(text.split())
