"""Prints a search's hits with their scores, and what became of a followed page."""

from rich.padding import Padding

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.terminal import clip, out, place
from footnote.text.own_words import BY_OCR
from footnote.wire import Json


def print_hits(result: Json) -> None:
    for hit in result["hits"]:
        head = Text(f"{hit['rank']:>2}. ", style="bold")
        head.append(
            place(hit["document"], hit["pages"], hit["section"], hit["labels"]), style="cyan"
        )
        head.append(f"  {hit['score']:.3f}", style="dim")
        if (likely := hit.get("probability")) is not None:
            head.append(f"  likely {likely:.0%}", style="dim")
        out.print(head)
        if hit.get("read") == "ocr":
            out.print(Padding(Text(BY_OCR, style="yellow"), (0, 0, 0, 4), expand=False))
        out.print(Padding(Text(clip(hit["text"], 300)), (0, 0, 0, 4), expand=False))
        for line in explain_lines(hit.get("explain")):
            out.print(Padding(Text(line, style="dim"), (0, 0, 0, 4), expand=False))
    out.print(
        Text(
            f"{len(result['hits'])} hits, {result['strategy']}, {result['took_ms']} ms", style="dim"
        )
    )
    if chosen := result.get("chosen"):
        out.print(Text(f"by {chosen['strategy']}: {chosen['why']}", style="dim"))
    for note in result.get("degraded", ()):
        out.print(Text(note, style="yellow"))
    if followed := result.get("why"):
        print_followed(followed)


def explain_lines(explained: Json | None) -> list[str]:
    """Returns a line for each leg that found a hit, and one for the re-ranker."""
    explained = explained or {}
    lines = [
        f"{leg['leg']:<8} rank {leg['rank']:>3}  score {leg['raw']:.3f}"
        f"  scaled {leg['scaled']:.3f}  weight {leg['weight']:g}"
        for leg in explained.get("legs", ())
    ]
    lines += [
        f"{signal['signal']:<9} adds {signal['added']:.3f}"
        for signal in explained.get("signals", ())
    ]
    if (score := explained.get("reranked")) is not None:
        lines.append(f"re-ranked, {score:.3f}")
    return lines


def print_followed(followed: Json) -> None:
    """Prints what became of the followed document or page."""
    where = place(followed["document"], [followed["page"]] if followed["page"] else [])
    end = f"lost at: {followed['lost_at']}" if followed["lost_at"] else "it is a hit"
    out.print(Text(f"{where}: {end}", style="bold"))
    for look in followed["looks"]:
        mark = "ok  " if look["holds"] else "lost"
        out.print(
            Padding(Text(f"{mark} {look['at']:<10} {look['told']}"), (0, 0, 0, 4), expand=False)
        )
