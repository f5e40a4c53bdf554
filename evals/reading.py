"""Compare what footnote reads of a folder of files with what independent readers show of them.

usage: python -m evals.reading FOLDER [--most 20] [--peers] [--output report.json]

Any folder will do; files in folders of it count, too. For each format: words that the reader shows
and footnote has (recall), and words of footnote's that the reader shows (precision), a word as
often as it stands there. Files that differ most are named with the words. A file that loses more
than 1 % of the reader's words without a warning is a loss in silence, and named apart.

Where the folder has expect.jsonl ({file, must, must_not}: strings that the text must and must not
hold, blanks folded; a file with neither must be refused), each file is judged by it. With --peers,
markitdown and docling are measured beside us where `make bench-parse` has installed them.

Exits with 1 if a file is not as expected, with 2 if the folder has no file.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.readers import Texts, missing, read_all
from footnote.errors import FootnoteError
from footnote.ingest.parse import parse
from footnote.wire import Json
from local.paths import HOME, ROOT

EXPECTED = "expect.jsonl"
PEERS = ("markitdown", "docling")
LOW = 0.95
SILENT = 0.01  # of a reader's words: a greater loss wants a warning
_WORD = re.compile(r"[^\W_]+")
_SHOWN_WORDS = 8


class Read(NamedTuple):
    """What footnote made of a file: its text, or why there is none."""

    text: str
    warnings: tuple[str, ...] = ()
    refusal: str = ""


class Compared(NamedTuple):
    """A file beside its reader: counts of words, and those that only one of them has."""

    file: Path
    common: int
    theirs: int
    ours: int
    lost: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.common / self.theirs if self.theirs else 1.0

    @property
    def precision(self) -> float:
        return self.common / self.ours if self.ours else 1.0


def main() -> int:
    """Reads a folder, prints the comparison, and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=20, help="files named that differ most")
    parser.add_argument("--peers", action="store_true", help="also markitdown and docling")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    files = files_of(options.folder)
    if not files:
        print(f"{options.folder} has no file to read", file=sys.stderr)
        return 2
    if packages := missing(files):
        print(f"not compared for want of a reader: apt-get install {' '.join(packages)}")
    read = {file: read_file(file) for file in files}
    theirs = read_all(files)
    compared = [compare(file, read[file].text, text) for file, text in theirs.items()]
    show_formats("footnote", compared)
    if options.peers:
        for peer in PEERS:
            texts = peer_texts(peer, list(theirs))
            show_formats(peer, [compare(f, texts[f], theirs[f]) for f in texts])
    show_files(compared, read, options.most)
    wrong = judge(options.folder, read)
    if options.output:
        report = to_report(compared, read, wrong)
        options.output.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 1 if wrong else 0


def files_of(folder: Path) -> list[Path]:
    """Returns the files of a folder, but for its own descriptions."""
    own = {EXPECTED, "README.md"}
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return [file for file in files if file.name not in own and not file.name.startswith(".")]


def read_file(file: Path) -> Read:
    """Parses a file as an upload is."""
    try:
        document = parse(file.read_bytes(), file.name).document
    except FootnoteError as error:
        return Read("", refusal=f"{error.code}: {error.message}")
    return Read(document.text, document.warnings)


def compare(file: Path, ours: str, theirs: str) -> Compared:
    """Compares the words of two texts, each as often as it stands there."""
    mine, shown = (Counter(_WORD.findall(text.casefold())) for text in (ours, theirs))
    common = sum((mine & shown).values())
    lost = tuple(word for word, _ in (shown - mine).most_common())
    added = tuple(word for word, _ in (mine - shown).most_common())
    return Compared(file, common, sum(shown.values()), sum(mine.values()), lost, added)


def show_formats(who: str, compared: Sequence[Compared]) -> None:
    """Prints a line for each format: means over its files."""
    print(f"\n{who}: recall, precision (files; below {LOW} in recall)")
    by_format: dict[str, list[Compared]] = {}
    for each in compared:
        by_format.setdefault(each.file.suffix.lower(), []).append(each)
    for ending, group in sorted(by_format.items()):
        recall = sum(one.recall for one in group) / len(group)
        precision = sum(one.precision for one in group) / len(group)
        below = sum(one.recall < LOW for one in group)
        print(f"  {ending:<7}{recall:.3f}  {precision:.3f}  ({len(group)}; {below})")


def show_files(compared: Sequence[Compared], read: Mapping[Path, Read], most: int) -> None:
    """Prints the files that differ most, and those that lose words without a warning."""
    differing = [each for each in compared if each.lost or each.added]
    differing.sort(key=lambda each: min(each.recall, each.precision))
    print("\nfiles that differ most: recall, precision, lost, added")
    for each in differing[:most]:
        lost, added = (" ".join(words[:_SHOWN_WORDS]) for words in (each.lost, each.added))
        print(f"  {each.file.name}: {each.recall:.2f} {each.precision:.2f} -[{lost}] +[{added}]")
    silent = [
        each
        for each in compared
        if each.recall < 1 - SILENT and read[each.file].text and not read[each.file].warnings
    ]
    print(f"\nlosses in silence: {len(silent)} of {len(compared)} files")
    for each in sorted(silent, key=lambda each: each.recall)[:most]:
        print(f"  {each.file.name}: {each.recall:.2f}")


def judge(folder: Path, read: Mapping[Path, Read]) -> list[str]:
    """Returns which files are not as expect.jsonl says, with what they lack or hold."""
    path = folder / EXPECTED
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = [said for line in lines if (said := _unlike(line, read.get(folder / line["file"])))]
    print(f"\nas expected: {len(lines) - len(wrong)} of {len(lines)}")
    for each in wrong:
        print(f"  {each}")
    return wrong


def _unlike(expected: Json, read: Read | None) -> str:
    name = expected["file"]
    if read is None:
        return f"{name}: it is not there"
    text = " ".join(read.text.split())
    lacks = [each for each in expected["must"] if " ".join(each.split()) not in text]
    holds = [each for each in expected["must_not"] if " ".join(each.split()) in text]
    if not expected["must"] and not expected["must_not"]:
        return f"{name}: it is read, and should be refused" if text else ""
    if read.refusal and expected["must"]:
        return f"{name}: {read.refusal}"
    return f"{name}: lacks {lacks}, holds {holds}" if lacks or holds else ""


def peer_texts(peer: str, files: Sequence[Path]) -> Texts:
    """Returns what another tool reads of the files; {} where it is not installed."""
    python = HOME / "bench-venv" / "bin" / "python"
    if not python.exists():
        print(f"\n{peer}: not installed; `make bench-parse` does it")
        return {}
    program = ROOT / "tests" / "bench" / "peers" / "read.py"
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder)
        copies = {f"{n}{file.suffix.lower()}": file for n, file in enumerate(files)}
        for name, file in copies.items():
            shutil.copyfile(file, inside / name)
        paths = [str(inside / name) for name in copies]
        subprocess.run(  # noqa: S603 - our own program, without a shell
            [python, program, peer, "0", folder, *paths], capture_output=True, check=False
        )
        texts = {file: inside / f"{name}.txt" for name, file in copies.items()}
        return {
            file: text.read_text(encoding="utf-8", errors="replace")
            for file, text in texts.items()
            if text.exists()
        }


def to_report(
    compared: Sequence[Compared], read: Mapping[Path, Read], wrong: Sequence[str]
) -> Json:
    """Returns the report that --output writes."""
    return {
        "files": {
            each.file.name: {
                "recall": round(each.recall, 4),
                "precision": round(each.precision, 4),
                "lost": each.lost[:50],
                "added": each.added[:50],
                "warnings": read[each.file].warnings,
                "refusal": read[each.file].refusal,
            }
            for each in compared
        },
        "not as expected": wrong,
    }


if __name__ == "__main__":
    sys.exit(main())
