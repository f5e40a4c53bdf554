"""The names that dates are written with: months and weekdays in some languages, Japan's eras."""

from typing import NamedTuple


class Era(NamedTuple):
    """An era of Japan. Its first year follows the year `before`."""

    begins: tuple[int, int, int]
    letter: str
    name: str
    before: int


_ERAS = (
    Era((2019, 5, 1), "R", "令和", 2018),
    Era((1989, 1, 8), "H", "平成", 1988),
    Era((1926, 12, 25), "S", "昭和", 1925),
    Era((1912, 7, 30), "T", "大正", 1911),
    Era((0, 0, 0), "M", "明治", 1867),
)


class _Names(NamedTuple):
    months: str
    short_months: str
    weekdays: str  # from Sunday
    short_weekdays: str


_ENGLISH = _Names(
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
    "Sun Mon Tue Wed Thu Fri Sat",
)
_CHINESE = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"
_NUMBERED = "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"
_LANGUAGES = {
    0x04: _Names(
        _CHINESE, _NUMBERED, "星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        "周日 周一 周二 周三 周四 周五 周六",
    ),
    0x07: _Names(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So Mo Di Mi Do Fr Sa",
    ),
    0x0A: _Names(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb",
    ),
    0x0C: _Names(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv févr mars avr mai juin juil août sept oct nov déc",
        "dimanche lundi mardi mercredi jeudi vendredi samedi", "dim lun mar mer jeu ven sam",
    ),
    0x10: _Names(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
        "dicembre", "gen feb mar apr mag giu lug ago set ott nov dic",
        "domenica lunedì martedì mercoledì giovedì venerdì sabato", "dom lun mar mer gio ven sab",
    ),
    0x11: _Names(
        _NUMBERED, _NUMBERED, "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
        "日 月 火 水 木 金 土",
    ),
    0x12: _Names(
        _NUMBERED.replace("月", "월"), _NUMBERED.replace("月", "월"),
        "일요일 월요일 화요일 수요일 목요일 금요일 토요일", "일 월 화 수 목 금 토",
    ),
    0x13: _Names(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "zo ma di wo do vr za",
    ),
    0x16: _Names(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        "dom seg ter qua qui sex sáb",
    ),
    0x1D: _Names(
        "januari februari mars april maj juni juli augusti september oktober november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec",
        "söndag måndag tisdag onsdag torsdag fredag lördag", "sön mån tis ons tors fre lör",
    ),
}  # fmt: skip
"""Names by the primary language of a Windows language id. English stands for all others."""
_PRIMARY = 0x3FF  # bits of the primary language


def era_of(year: int, month: int, day: int) -> Era:
    return next(era for era in _ERAS if era.begins <= (year, month, day))


def month_name(month: int, *, is_short: bool, language: int) -> str:
    names = _LANGUAGES.get(language & _PRIMARY, _ENGLISH)
    return (names.short_months if is_short else names.months).split()[month - 1]


def weekday_name(weekday: int, *, is_short: bool, language: int) -> str:
    names = _LANGUAGES.get(language & _PRIMARY, _ENGLISH)
    return (names.short_weekdays if is_short else names.weekdays).split()[weekday]


def weekday_sign(weekday: int, size: int, language: int) -> str:
    """Returns the name of a weekday under `aaa` and `aaaa`, the signs of East Asian formats."""
    return weekday_name(weekday, is_short=size == len("aaa"), language=language)
