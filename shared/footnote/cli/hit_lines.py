"""Prints what a search found, with each hit's scores and what became of a page it followed."""

from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, out, place
from footnote.text.read_by_ocr import BY_OCR
from footnote.wire import Json


def print_hits(found: Json) -> None:
    for hit in found["hits"]:
        head = Text(f"{hit['rank']:>2}. ", style="bold")
        head.append(
            place(hit["document"], hit["pages"], hit["section"], hit["labels"]), style="cyan"
        )
        head.append(f"  {hit['score']:.3f}", style="dim")
        if (likely := hit.get("probability")) is not None:
            head.append(f"  likely {likely:.0%}", style="dim")
        out.print(head)
        if hit.get("read") == "ocr":
            out.print(Padding(Text(BY_OCR, style="yellow"), (0, 0, 0, 4)))
        out.print(Padding(Text(clip(hit["text"], 300)), (0, 0, 0, 4)))
        for line in explain_lines(hit.get("explain")):
            out.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))
    out.print(
        Text(f"{len(found['hits'])} hits, {found['strategy']}, {found['took_ms']} ms", style="dim")
    )
    if chosen := found.get("chosen"):
        out.print(Text(f"by {chosen['strategy']}: {chosen['why']}", style="dim"))
    for note in found.get("degraded", ()):
        out.print(Text(note, style="yellow"))
    if followed := found.get("why"):
        print_followed(followed)


def explain_lines(explained: Json | None) -> list[str]:
    """Returns a line for each leg that found a hit, and one for the model that re-ranked it."""
    explained = explained or {}
    lines = [
        f"{leg['leg']:<8} rank {leg['rank']:>3}  score {leg['raw']:.3f}"
        f"  scaled {leg['scaled']:.3f}  weight {leg['weight']:g}"
        for leg in explained.get("legs", ())
    ]
    lines += [f"{one['signal']:<9} adds {one['added']:.3f}" for one in explained.get("signals", ())]
    if (given := explained.get("reranked")) is not None:
        lines.append(f"re-ranked, {given:.3f}")
    return lines


def print_followed(followed: Json) -> None:
    """Prints what became of a document or page that was followed."""
    page = f", page {followed['page']}" if followed["page"] else ""
    end = f"lost at: {followed['lost_at']}" if followed["lost_at"] else "it is a hit"
    out.print(Text(f"{followed['document']}{page}: {end}", style="bold"))
    for look in followed["looks"]:
        mark = "ok  " if look["holds"] else "lost"
        out.print(Padding(Text(f"{mark} {look['at']:<10} {look['told']}"), (0, 0, 0, 4)))
