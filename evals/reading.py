"""Compare what footnote reads of a folder of files with what independent readers show of them.

usage: python -m evals.reading FOLDER [--most 20] [--peers] [--output report.json]

Any folder will do; files in folders of it count, too. For each format: words that the reader shows
and footnote has (recall), and words of footnote's that the reader shows (precision), a word as
often as it stands there. Files that differ most are named with the words. A file that loses more
than 1 % of the reader's words without a warning is a loss in silence, and named apart.

What a word is stands in evals/words.py, what each reader adds or cuts in its module. Files of less
than ten words to find are not counted: in those one word is a tenth. Nor is a heading that a tool
sets itself, such as "Notes:" above the notes of a slide.

Where the folder has expect.jsonl ({file, must, must_not}: strings that the text must and must not
hold, blanks folded; a file with neither must be refused), each file is judged by it. With --peers,
markitdown and docling are measured beside us; `make eval-reading BESIDE=peers` installs them.

Exits with 1 if a file is not as expected, with 2 if the folder has no file.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.office_readers import Shown
from evals.peer_readers import PEERS, read_with
from evals.readers import missing, read_all
from evals.words import words
from footnote.errors import FootnoteError
from footnote.ingest.parse import parse
from footnote.wire import Json

EXPECTED = "expect.jsonl"
LOW = 0.95
SILENT = 0.01  # of a reader's words: a greater loss wants a warning
FEWEST = 10  # words to find in a file that counts
_HEADINGS = re.compile(
    r"^\W*(?:Headers and footers|Footnotes|Endnotes|Notes|Comments?(?: (?:by|on) [^:\n]*)?)\W*$|"
    r"^\W*Comments?(?: (?:by|on) [^:\n]*)?:",
    re.MULTILINE,
)
_SHOWN_WORDS = 8


class Read(NamedTuple):
    """What footnote made of a file: its text, or why there is none."""

    text: str
    warnings: tuple[str, ...] = ()
    refusal: str = ""


class Compared(NamedTuple):
    """A file beside its reader: counts of words, and those that only one of them has."""

    file: Path
    found: int
    wanted: int
    fitting: int
    ours: int
    lost: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0

    @property
    def precision(self) -> float:
        return self.fitting / self.ours if self.ours else 1.0


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
    shown = read_all(files)
    compared = compare_all({file: each.text for file, each in read.items()}, shown)
    show_formats("footnote", compared)
    if options.peers:
        for peer in PEERS:
            show_formats(peer, compare_all(read_with(peer, list(shown)), shown))
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


def compare_all(texts: Mapping[Path, str], shown: Mapping[Path, Shown]) -> list[Compared]:
    """Compares each text with what the reader shows, where that is enough to count."""
    compared = [compare(file, texts[file], shown[file]) for file in shown if file in texts]
    return [each for each in compared if each.wanted >= FEWEST]


def compare(file: Path, text: str, shown: Shown) -> Compared:
    """Compares the words of a text with those to find and with those that may be found."""
    ours = Counter(words(_HEADINGS.sub(" ", text)))
    must, may = Counter(words(shown.must)), Counter(words(shown.may))
    lost = tuple(word for word, _ in (must - ours).most_common())
    added = tuple(word for word, _ in (ours - (may | must)).most_common())
    found, fitting = (sum((each & ours).values()) for each in (must, may | must))
    return Compared(file, found, must.total(), fitting, ours.total(), lost, added)


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
