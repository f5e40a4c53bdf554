"""Prints an answer with its citations and removed sentences, or its expected cost."""

import json
from collections.abc import Iterator, Sequence

from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, cost, out, place
from footnote.text.answer_layout import Grid, lay_out
from footnote.text.chart_bars import draw_bars
from footnote.text.fates import (
    FATES,
    NEAREST,
    UNCONFIRMED,
    Fate,
    count_fates,
    fate_of,
    say_refusal,
    unconfirmed_numbers,
)
from footnote.text.own_language import OwnLanguage, asked_in, translate
from footnote.text.own_words import BY_OCR, explain_figures, mark_figures
from footnote.wire import Json

DOUBT = "magenta"  # neither the green of what holds nor the red of what is wrong


def print_answer(answer: Json) -> None:
    """Prints the answer, then each citation: document, page, section, quote.

    Passages that are only nearest to the question have a heading and no marks.
    """
    own = own_language(answer)
    is_nearest = answer.get("outcome") == "nearest"
    if is_nearest:
        out.print(Text(translate(own, NEAREST), style="bold yellow"))
    if (answer["found"] or is_nearest) and answer["sentences"]:
        for block in _blocks(answer):
            out.print(block)
    else:
        failed = not answer["found"] and any(not one.get("field") for one in answer["removed"])
        text = say_refusal(answer["answer"], is_check_failed=failed)
        out.print(Text(text, style="bold" if answer["found"] else "yellow"))
    for line in _chart(answer):
        out.print(Text(line))
    if answer.get("data") is not None:
        out.print(Text(f"data {json.dumps(answer['data'], ensure_ascii=False, indent=2)}"))
        for line in fields_by_ocr(answer):
            out.print(Text(line, style="yellow"))
    doubtful = doubtful_citations(answer)
    for citation in answer["citations"]:
        mark = _mark(citation, is_doubtful=citation["n"] in doubtful)
        _print_citation(citation, ("·", "dim") if is_nearest else mark, own)
    for removed in answer["removed"]:
        out.print(Text(f"  {_describe_removed(removed)}", style="yellow"))
    usage = answer["usage"]
    paid = cost(usage["usd"], is_priced=usage.get("priced", True))
    counted = "" if is_nearest else count_checked(answer)
    total = answer["timings_ms"].get("total", 0)
    out.print(
        Text(
            f"  {answer['mode']}, {f'{counted}, ' if counted else ''}"
            f"confidence {answer['confidence']:.2f}, {total / 1000:.1f} s, "
            f"{usage['tokens']} tokens, {paid}",
            style="dim",
        )
    )
    for note in answer["degraded"]:
        out.print(Text(f"  note: {note}", style="yellow"))


def _chart(answer: Json) -> list[str]:
    """Returns the chart as lines of text, if there is one."""
    chart = answer.get("chart")
    values = chart["spec"]["data"]["values"] if chart else []
    columns = [[each[field] for each in values] for field in ("label", "value", "shown")]
    return [f"  {line}" for line in draw_bars(*columns)]


def fields_by_ocr(answer: Json) -> list[str]:
    """Returns a line for each value of the data that rests on words read by OCR."""
    return [
        f"  {value['field']}: {json.dumps(value['value'], ensure_ascii=False)}, "
        f"{translate(own_language(answer), BY_OCR)}"
        for value in answer.get("fields", ())
        if value.get("read") == "ocr"
    ]


def _blocks(answer: Json) -> Iterator[Text]:
    """Yields the lines and tables of an answer. Sentences that nothing confirms say so."""
    sentences = answer["sentences"]
    headers = {one["n"]: one.get("header", ()) for one in answer["citations"]}
    labels = [
        next((headers[n] for n in numbers if headers.get(n)), ())
        for numbers in (sentence.get("citations", ()) for sentence in sentences)
    ]
    texts = [sentence["text"] for sentence in sentences]
    for n, block in enumerate(lay_out(answer["answer"], texts, labels)):
        text = Text("\n" if n else "")
        if isinstance(block, Grid):
            yield text.append(_table(block, sentences, own_language(answer)))
            continue
        for at, number in enumerate(block):
            text.append(" " if at else "")
            _append_sentence(text, texts[number], sentences[number], own_language(answer))
        yield text


def _table(grid: Grid, sentences: Sequence[Json], own: OwnLanguage) -> Text:
    """Returns a table: its columns under each other, each row with the number of its citation."""
    lines = [grid.header] if grid.header else []
    lines += [row.cells for row in grid.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]
    text = Text()
    if grid.header:
        text.append(f"{padded.pop(0).rstrip()}\n", "dim")
    for n, (line, row) in enumerate(zip(padded, grid.rows, strict=True)):
        text.append("\n" if n else "")
        _append_sentence(text, line, sentences[row.sentence], own)
    return text


def _append_sentence(text: Text, words: str, sentence: Json, own: OwnLanguage) -> None:
    """Appends a sentence with its markers, and that nothing confirms it where that is so."""
    markers = "".join(f"[{n}]" for n in sentence.get("citations", ()))
    text.append(f"{words} {markers}".rstrip(), "bold")
    if _fate(sentence) == UNCONFIRMED:
        text.append(f" {UNCONFIRMED.mark} {translate(own, UNCONFIRMED.short)}", DOUBT)


def _fate(sentence: Json) -> Fate | None:
    return fate_of(sentence["checked"], sentence.get("judged_by"))


def doubtful_citations(answer: Json) -> set[int]:
    """Returns the numbers of the citations that only unconfirmed sentences use.

    The nearest passages have none: nothing is said of them that could be confirmed.
    """
    if answer.get("outcome") == "nearest":
        return set()
    return unconfirmed_numbers(
        ((one["checked"], one.get("citations", ())) for one in answer["sentences"]),
        (value.get("citations", ()) for value in answer.get("fields", ())),
    )


def _print_citation(citation: Json, sign: tuple[str, str], own: OwnLanguage) -> None:
    """Prints a citation: its sign, place and quote, and doubts about it.

    Replies of older versions lack `read`.
    """
    mark, style = sign
    is_doubtful = mark == UNCONFIRMED.mark
    line = Text(f"  [{citation['n']}] {mark} ", style=style)
    where = citation["document"], citation["pages"], citation["section"], citation["labels"]
    out.print(line.append(place(*where), style="cyan"))
    quote = citation["quote"]
    doubts = [
        (doubt["start"], doubt["end"], doubt["reason"], doubt["other"])
        for doubt in citation.get("doubts", ())
    ]
    # a quote to compare with is whole
    quoted = " ".join(mark_figures(quote, doubts).split())
    _print_below(f"“{quoted if is_doubtful else clip(quoted, 240)}”")
    if labels := [label for label in citation["header"] if label]:
        _print_below(f"columns: {clip(' | '.join(labels), 200)}")
    if url := citation.get("url"):
        _print_below(f"{clip(url, 200)}, fetched {citation['fetched']}")
    if is_doubtful:
        _print_below(translate(own, UNCONFIRMED.words), DOUBT)
    if citation.get("read") == "ocr":
        _print_below(translate(own, BY_OCR), "yellow")
    for explanation in explain_figures(quote, doubts):
        _print_below(translate(own, explanation), "yellow")


def _mark(citation: Json, *, is_doubtful: bool) -> tuple[str, str]:
    """Returns a citation's sign and its style.

    Only the file's own text has a ✓, and only where a checked sentence uses it.
    """
    if not citation["verified"]:
        return "✗", "red"
    if citation.get("read") == "ocr":
        return FATES["ocr"].mark, "yellow"
    return (UNCONFIRMED.mark, DOUBT) if is_doubtful else (FATES["exact"].mark, "green")


def _print_below(text: str, style: str = "dim") -> None:
    out.print(Padding(Text(text, style=style), (0, 0, 0, 6), expand=False))


def _describe_removed(removed: Json) -> str:
    """Returns a line for a sentence that did not hold, or for a field that is null."""
    quoted = f"“{removed['text']}”: " if removed["text"] else ""
    what = f"no {removed['field']}" if removed.get("field") else "removed"
    return f"{what}: {quoted}{removed['reason']}"


def count_checked(answer: Json) -> str:
    """Counts how an answer's sentences were checked: `2 word for word, 1 not confirmed`, or ""."""
    return count_fates(map(_fate, answer["sentences"]), own_language(answer))


def own_language(answer: Json) -> OwnLanguage:
    """Returns the language of the answer's question: footnote's own words are in it."""
    return asked_in((answer.get("plan") or {}).get("question", ""))


def print_expected(expected: Json) -> None:
    """Prints the expected cost of a question, by task."""
    is_priced = expected.get("priced", True)
    for task, spent in expected["by_task"].items():
        out.print(
            f"  {task:<11} {spent['tokens']:>9,.0f} tokens  "
            f"{cost(spent['usd'], 6, is_priced=is_priced or spent['usd'] > 0)}"
        )
    total = cost(expected["usd"], 6, is_priced=is_priced)
    out.print(f"  {'expected':<11} {expected['tokens']:>9,} tokens  {total}")
    for note in expected["notes"]:
        out.print(Text(f"  note: {note}"))
