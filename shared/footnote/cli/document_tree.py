"""The tree of a document's stages, as `footnote trace` prints it.

It is drawn from the reply of `GET /documents/{id}`. Stages have no times of day there, only how
long each has worked. What lies between the two moments besides is waiting, and earlier tries.
"""

from collections.abc import Mapping
from datetime import datetime

from rich.tree import Tree

from footnote.cli.plain_text import PlainText
from footnote.cli.trace_tree import label
from footnote.wire import Json

AT_WORK: Mapping[str, str] = {"PARSING": "parse", "CHUNKING": "chunk", "INDEXING": "index"}
"""The stage that works on a document in each status."""
STAGES = tuple(AT_WORK.values())


def document_tree(record: Json) -> Tree:
    """Draws what became of a document: when it came, each stage, warnings, its end."""
    name = f"{record['document']} in {record['collection']}, {record['id']}"
    tree = Tree(label("document", name), guide_style="dim")
    tree.add(label("received", _arrival(record)))
    for stage, text in _stages(record):
        tree.add(label(stage, text))
    for warning in record["warnings"]:
        tree.add(_whole("warning", warning))
    end = tree.add(label(record["status"], _end(record)))
    if error := record["error"]:
        end.add(_whole(error["code"], error["message"]))
        end.add(_whole("do", error["action"]))
    if record["searchable"] and record["status"] != "READY":
        end.add(label("searchable", "an earlier version is, until this one is READY"))
    return tree


def _whole(name: str, text: str) -> PlainText:
    """Returns a branch whose text is not cut, for it is ours and says what to do."""
    return label(name, "").append(f"  {' '.join(text.split())}", style="not bold")


def _arrival(record: Json) -> str:
    kind = f", {record['media_type']}" if record["media_type"] else ""
    return f"{record['received']}, {record['size']:,} bytes{kind}, version {record['version']}"


def _stages(record: Json) -> list[tuple[str, str]]:
    """Returns each stage that has begun, and the first one that has not ended."""
    timings, details = record["timings_ms"], _details(record)
    drawn: list[tuple[str, str]] = []
    others = [name for name in timings if name not in STAGES]
    for stage in (*STAGES[:-1], *others, STAGES[-1]):
        is_at_work = AT_WORK.get(record["status"]) == stage
        texts = [f"{timings[stage]:,.0f} ms of work"] if stage in timings else []
        texts += [details[stage]] if details.get(stage) and texts else []
        texts += ["at work"] if is_at_work else []
        drawn.append((stage, ", ".join(texts) or "not reached"))
        if is_at_work or not texts:
            break
    return drawn


def _details(record: Json) -> dict[str, str]:
    """Returns what came of each stage that has ended."""
    parts = record["parts"]
    return {
        "parse": f"{record['pages']} pages" if record["pages"] else "",
        "chunk": f"{record['chunks']} chunks, {parts['of']} parts",
        "index": f"{parts['done']} of {parts['of']} parts",
    }


def _end(record: Json) -> str:
    """Returns when the document last changed, how long after it came, and what was paid."""
    spent = f", ${record['usd']:.6f}" if record["usd"] else ""
    return f"since {record['updated']}{_after(record)}{spent}"


def _after(record: Json) -> str:
    """Returns ", 4.3 s after it came"; "" where one of the moments is not known."""
    if not (record["received"] and record["updated"]):
        return ""
    came, changed = map(datetime.fromisoformat, (record["received"], record["updated"]))
    return f", {(changed - came).total_seconds():,.1f} s after it came"
