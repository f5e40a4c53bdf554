"""Judges whether a text is a document's title, and not a file name, address or part's name.

Rules look at the whole text: a word that is no title alone may begin one ("Print",
"Printer maintenance manual").
"""

import re

_FEWEST_LETTERS = 3
_LONG_TOKEN = 12  # characters: a single longer word with figures in it is an identifier
_PARTS = (  # words that software numbers, in the languages of its menus
    "document|dokument(?:um)?|documento|документ|presentation|präsentation|présentation"
    "|presentaci[oó]n|presentazione|apresentação|презентация|slide|folie|diapositive|diapositiva"
    "|slajd|слайд|layout|sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|blad|arkusz|лист|book"
    "|mappe|classeur|libro|cartel|pasta|page|seite|página|pagina|exhibit|annex|appendix|anhang"
    "|annexe|anexo|allegato|attachment|schedule|figure|abbildung|table"
)
_PLACEHOLDER = re.compile(
    rf"(?:{_PARTS}|image|img|scan|文档|文書|幻灯片|スライド|シート)[\s_]*(?:\(?\d[\d.\-]*\)?)"
    r"|(?:new |blank )?(?:microsoft )?(?:word|powerpoint|excel|office)"
    r"(?: (?:document|presentation|worksheet|workbook))?(?: \d+)?"
    r"|microsoft (?:word|powerpoint|excel|publisher|visio) - .*"
    r"|(?:untitled|unbenannt|ohne titel|sans titre|sin título|senza titolo|sem título|naamloos"
    r"|bez tytułu|без названия|無題|无标题|無標題|제목 없음)"
    r"(?:[\s-]*(?:\d+|document|presentation|spreadsheet|page))?"
    r"|(?:document|presentation|page|report|article|paper|my)? ?title(?: (?:here|page|slide))?"
    r"|(?:insert|enter|add|type|click to (?:add|edit)) .{0,20}\btitle\b.{0,20}"
    r"|title of (?:(?:each|the|your|this) )?"
    r"(?:class|document|paper|presentation|report|article)\b.*"
    r"|(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|indice"
    r"|目次|目录|目錄|оглавление|содержание"
    r"|print|printout|welcome|home|index|cover|confidential|draft|none|null|n/a|unknown|default"
    r"|(?:sub)?total|summary of contents"
    r"|arxiv:\s?\d.*|doi:\s?\S+|https?://\S+|www\.\S+|file://.*",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"[\w)\]]\.(?:docx?|pptx?|xlsx?|pdf|indd|html?|qxd|tmp|tex|dvi|pmd|txt|rtf|od[tsp]|ai|eps)\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_FORM = re.compile(r"form\s++(?=[^\d\s/]*+\d)[\w-]++(?:/a)?", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\d,]{3,40}, ?[^\W\d][\w. ]{1,20} \d{5}(?:-\d{4})?")
_CAPTION = re.compile(r"table \d.*", re.IGNORECASE)
_TOTAL = re.compile(r"(?:sub)?total\b", re.IGNORECASE)


def is_title(text: str) -> bool:
    """Tells whether a text is a document's title.

    It must hold words. It must not be a file name, an identifier, a placeholder of software, or the
    name of a part ("Contents", "Slide 3", "Exhibit 99.1").
    """
    letters = sum(map(str.isalpha, text))
    if not _WORD.search(text) or (letters < _FEWEST_LETTERS and text.isascii()):
        return False
    ending = text[-8:]  # of a file name; the pattern is only searched for at the end
    if any(match.end() == len(ending) for match in _FILE.finditer(ending)):
        return False
    return not _PLACEHOLDER.fullmatch(text) and not _is_identifier(text)


def is_cover_title(text: str) -> bool:
    """Tells whether a line on the first page names the document.

    An address, the number of a form, a row of figures and the caption of a table do not.
    """
    if any(kind.fullmatch(text) for kind in (_FORM, _ADDRESS, _CAPTION)) or _is_row(text):
        return False
    return is_title(text)


def is_form_number(text: str) -> bool:
    """Tells whether a line is the number of a form ("FORM 10-K").

    The form's issuer stands above it, its subject below.
    """
    return bool(_FORM.fullmatch(text))


def _is_row(text: str) -> bool:
    """Tells whether a line is the last row of a table: a total that ends in a figure."""
    end = text.rstrip()[-1:]
    return bool(_TOTAL.match(text)) and (end.isdigit() or end in {")", "%"})


def _is_identifier(text: str) -> bool:
    figures = sum(map(str.isdigit, text))
    return " " not in text and len(text) >= _LONG_TOKEN and 3 * figures >= len(text)
