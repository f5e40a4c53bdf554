"""Finds links, addresses, markup and hidden characters in a text, also in disguise.

The text may be hostile and long, so every repetition in a pattern is bounded or begins at a token's
start.
"""

import re
from collections.abc import Iterator

from footnote.text.disguise import INVISIBLE, normalise, skeleton
from footnote.text.sentences import Span

_SCHEMES = (
    "javascript|vbscript|livescript|data|mailto|tel|sms|callto|skype|facetime|file|blob|filesystem"
    "|about|intent|magnet|ftp|sftp|ssh|git|svn|urn|geo|market|itms|chrome|edge|opera|resource"
    "|view-source|jar|wss?|ldaps?|xmpp|sips?|ircs?|bitcoin|ethereum|smb|nfs|vscode|slack|zoommtg"
    r"|msteams|whatsapp|tg|link|image|xref|ms-[a-z]{2,20}|web\+[a-z]{2,20}"
)
_LINKS = re.compile(
    rf"(?<![a-z0-9])(?:(?:{_SCHEMES}):{{1,2}}(?=[^\s:])"
    r"|(?:java|vb|live)\s{0,3}script\s{0,3}:)"
    r"|(?<![a-z0-9])hxxps?|(?<![a-z0-9])h ?t ?t ?p ?s? ?: ?/ ?/"
    r"|:[/\\]{2}"
    r"|(?<![:\w/\\])[/\\]{2}(?=\w)"
    r"|(?<![a-z0-9])www\d?\s?\.(?=\s?\w)"
    r"|[\w.+-]@[\w\[]|(?<![^\s(\[<\"'])@\w{2}"
    r"|[\[({<]\s{0,3}(?:at|dot|punkt|point|punto|period)\s{0,3}[\])}>]"
    r"|(?<![\w.,])\+(?=\(?\d)(?:[\s().\-/]{0,2}\d){8,15}(?![\d,.])"  # telephone numbers
)
_MARKUP = re.compile(
    r"!\[|\]\(|(?<!\d)\]:|\[\^|\[\[|(?<!\d)\]\s?\[|\]\s?\[(?!\s{0,3}\d)"  # Markdown, wikis
    r"|`|~~~|~~(?=\S)|\*\*(?=\S)|(?<=\S)\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)"
    r"|(?<![\w*])\*(?=\w)[^*]{1,120}(?<=\w)\*(?![\w*])"
    r"|(?m:^[ \t]{0,3}(?:\#{1,6}\s|>\s?[^\s\d]|={3,}|-{3,}[ \t]*$))"
    r"|<[/!?@#|a-z][^<>]{0,300}>?"  # HTML, autolinks, chats
    r"|&(?:#\w{1,8};?|[a-z]{2,24};|[lg]t(?![a-z]))"
    r"|\\[a-z]{2,}|\\[()\[\]]|\$\$"  # LaTeX
    r"|\{\{|\{%|\$\{"  # templates
    r"|\[/?(?:url|img|email|link|color|size|code|quote|b|i|u)\b[=\]]"  # bulletin boards
)
_HIDDEN = re.compile(
    f"(?![\ufe0e\ufe0f])(?:{INVISIBLE.pattern}"  # these two only choose how a sign is drawn
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufff0-\uffff])"
)
_JOINERS = re.compile("(?<=[\u0600-\u0fff])[\u200c\u200d](?=[\u0600-\u0fff])")
_PATH = r"(?P<path>(?:\.?:\d{2,5})?\.?[/?#](?=[\w?#.~%-]))?"
_HOST = re.compile(rf"(?P<host>[^\W_](?:[\w.-]*\w)?){_PATH}", re.ASCII)
_WIDE_HOST = re.compile(rf"(?P<host>[^\W_](?:[\w.-]*\w)?){_PATH}")
_NUMERIC = re.compile(
    r"(?<![\w.:])(?:(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)|[0-9a-f:]{6,45}(?![\w:]))"
)
_FILES = frozenset(
    re.findall(
        r"\S+",
        "pdf doc docx docm xls xlsx xlsm ppt pptx odt ods odp rtf htm html txt text csv tsv json"
        " jsonl"
        " xml epub eml msg mbox png jpg jpeg tif tiff gif bmp webp svg yaml yml",
    )
)
"""Suffixes of files, without those that addresses have, too (zip, md)."""
_TOPS = frozenset(
    re.findall(
        r"\S+",
        "com net org info biz edu gov mil int app dev xyz top site online shop store club live link"
        " click zip mov example test invalid localhost local onion internal arpa icu page web cloud"
        " \u0440\u0444 \u0441\u0430\u0439\u0442 \u0443\u043a\u0440 \u4e2d\u56fd \u516c\u53f8"
        " \u7f51\u7edc \ud55c\uad6d",
    )
)
"""Ends of addresses that look like words: long ones, and those that are not in ASCII."""
_BREAK = re.compile(r"[\s\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # CJK text has no blanks
_TRIM = ".,;:!?)]}>\"'\u2019\u201d\u00bb([{<\u201c\u201e\u00ab"


def suspects(text: str) -> Iterator[str]:
    """Yields the tokens that are links, addresses or markup, or that hide something."""
    seen_until = 0
    for hidden in _HIDDEN.finditer(_JOINERS.sub("\u0640", text)):
        if hidden.start() >= seen_until:
            start, seen_until = _token(text, hidden.start(), hidden.end(), seen_until)
            yield text[start:seen_until].strip(_TRIM)
    bare = normalise(text)
    for start, end in suspect_spans(bare):
        token = " ".join(bare[start:end].split())
        yield token.strip(_TRIM) or token


def suspect_spans(bare: str) -> Iterator[Span]:
    """Yields the spans of links, addresses and markup in a text without hidden characters."""
    seen = skeleton(bare)
    for pattern in (_LINKS, _MARKUP):
        end = 0
        while match := pattern.search(seen, end):
            start, end = _token(bare, match.start(), max(match.end(), match.start() + 1), end)
            yield start, end
    for match in _NUMERIC.finditer(seen):
        if "." in match[0] or _is_numeric(match[0]):
            yield match.span()
    for pattern, text in ((_HOST, seen), (_WIDE_HOST, bare)):
        end = 0
        for match in pattern.finditer(text):
            written = bare[match.start("host") : match.end("host")]
            if match.start() >= end and _is_host(match, written):
                start, end = _token(bare, *match.span(), end)
                yield start, end


def _token(text: str, start: int, end: int, after: int) -> Span:
    """Widens the span to the blanks around it, but not to before `after`."""
    while start > after and not _BREAK.match(text, start - 1):
        start -= 1
    broken = _BREAK.search(text, end)
    return start, broken.start() if broken else len(text)


def _is_numeric(token: str) -> bool:
    """Returns whether a token with colons is an address of IPv6 or of a device.

    A time ("12:30:45") has fewer colons and no letters.
    """
    colons, letters = token.count(":"), any(c.isalpha() for c in token)
    return colons == 7 or (colons >= 3 and (letters or "::" in token))


def _is_host(match: re.Match[str], written: str) -> bool:
    """Returns whether labels joined by dots are an address.

    These are none: "3.5", "e.g.", "U.S.", "report.pdf".
    """
    *labels, top = match["host"].split(".")
    if not labels or not all(labels) or not (top.isalpha() and len(top) > 1):
        return False
    if not any(c.isalpha() for label in labels for c in label):
        return False  # "24.Feb"
    if match["path"]:
        return True
    last = written.rpartition(".")[2]
    if not last.isascii():
        return top in _TOPS or last.casefold() in _TOPS
    begins_a_sentence = last.istitle() and len(top) > 2  # "today.The": a blank is missing
    return top in _TOPS or (top not in _FILES and not begins_a_sentence)
