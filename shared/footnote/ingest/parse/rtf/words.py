"""The control words of RTF that decide how a group is read (Rich Text Format 1.9.1)."""

import codecs
from collections.abc import Mapping, Sequence

from footnote.ingest.parse.characters import TICKED, UNTICKED

SKIPPED = frozenset(
    b"abicellprops abimathml abitableprops aftncn aftnsep aftnsepc atndate atnparent atnref "
    b"atrfend atrfstart author background bgbdr bkmkcolf bkmkcoll bkmkend bkmkpub bkmkstart "
    b"blipuid category colorschememapping colortbl comment company creatim datafield "
    b"datastore defchp defpap doccomm docvar ebcend ebcstart expandedcolortbl factoidname "
    b"falt fchars ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext ffname ffstattext "
    b"file filetbl fldinst fldtype fname fontemb fontfile fontinfo ftncn ftnsep "
    b"ftnsepc generator gridtbl hl hlfr hlinkbase hlloc hlsrc hsv htmltag info keycode "
    b"keywords latentstyles lchars levelnumbers leveltext lfolevel linkval list listlevel "
    b"listname listoverride listoverridetable listpicture liststylename listtable "
    b"lsdlockedexcept macc manager mhtmltag mmathPr nesttableprops nextfile nonesttables "
    b"nonshppict objalias objclass objdata objname objsect objtime oldcprops oldpprops "
    b"oldsprops oldtprops oleclsid operator panose passwordhash pgdsctbl pgp pgptbl picprop "
    b"pn pnaiueo pnaiueod pnseclvl pntxta pntxtb printim private propname protend protstart "
    b"protusertbl pxe revtbl revtim rsidtbl rxe shprslt stylesheet subject svb tc "
    b"template themedata title ulinline userprops wgrffmtfilter windowcaption "
    b"writereservation writereservhash xe xform xmlattrname xmlattrvalue xmlclose xmlname "
    b"xmlnstbl xmlopen".split()
)
"""Groups that hold no text of the document, or a copy of a text that stands elsewhere."""
CONTAINERS = frozenset(
    b"ud shppict do shpinst sp result fldrslt field object shpgrp shp shptop "
    b"moMath mr oMath oMathPara".split()
)
"""Groups that are read though a program may pass over them: what they hold is visible."""
MUTE = frozenset(b"object do shpinst shp sp".split())
"""Containers that hold settings. Only groups of `ASIDES` and results in them are visible."""
VISIBLE = frozenset(b"result fldrslt ud".split())
FORMATTING = frozenset(
    b"b caps cf cs ds expnd f fs highlight i kerning lang par pard plain s scaps sub super ts ul "
    b"ulnone".split()
)
"""Words that open no group of their own: a star before them says nothing."""
ASIDES = {
    b"footnote": "note",
    b"shptxt": "box",
    b"dptxbxtext": "box",
    b"annotation": "comment",
    b"atnauthor": "author",
    b"atnid": "initials",
    b"listtext": "number",
    b"pntext": "number",
    b"formfield": "form",
    b"ffl": "entry",
    b"sn": "property",
    b"sv": "value",
    **dict.fromkeys(
        b"header headerl headerr headerf footer footerl footerr footerf".split(), "edge"
    ),
}
"""Groups whose text is no part of the sentence around them → what it is."""
WORD_ART = "gtextUNICODE"  # the property of a shape that is its WordArt
FORM_WORDS = frozenset({b"fftype", b"ffres", b"ffdefres"})
CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp850",
}  # fmt: skip
_MACINTOSH = {
    10000: "mac_roman", 10001: "shift_jis", 10006: "mac_greek", 10007: "mac_cyrillic",
    10029: "mac_latin2", 10079: "mac_iceland", 10081: "mac_turkish",
}  # fmt: skip
ENCODINGS = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
SYMBOLS = {
    b"tab": "\t", b"line": "\n", b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c",
    b"rdblquote": "\u201d", b"emdash": "\u2014", b"endash": "\u2013", b"bullet": "\u2022",
    b"emspace": " ", b"enspace": " ", b"~": " ", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\",
}  # fmt: skip
ENDS = frozenset({b"par", b"sect", b"page", b"\n", b"\r"})
MEANINGFUL = SKIPPED | CONTAINERS | ENDS | frozenset((
    *ASIDES, *ENCODINGS, *FORM_WORDS, *SYMBOLS, b"*", b"ansicpg", b"cell", b"deleted", b"f",
    b"fcharset", b"fonttbl", b"htmlrtf", b"intbl", b"nestcell", b"outlinelevel", b"pard", b"pict",
    b"plain", b"row", b"u", b"uc", b"upr", b"v",
))  # fmt: skip
"""All words that the parser heeds. Most of the others say how the text looks."""


def encoding_of(code_page: int) -> str:
    """Returns the encoding of a code page; Windows-1252 for one that Python does not have."""
    try:
        return codecs.lookup(_MACINTOSH.get(code_page, f"cp{code_page}")).name
    except LookupError:
        return "cp1252"


_CHECKBOX, _LIST = 1, 2  # types of form fields
_UNCHANGED = 25  # the result of one that shows its default


def form_field(words: Mapping[bytes, int], entries: Sequence[str]) -> str:
    """Returns what a box or a list of a form shows; "" for a text, which has a result."""
    result = words.get(b"ffres", _UNCHANGED)
    chosen = words.get(b"ffdefres", 0) if result == _UNCHANGED else result
    kind = words.get(b"fftype")
    if kind == _CHECKBOX:
        return TICKED if chosen else UNTICKED
    return entries[chosen] if kind == _LIST and 0 <= chosen < len(entries) else ""
