"""The number formats that a file names only by their ids (ECMA-376, part 1, 18.8.30).

The ids 14, 22 and 30 are "the short date of whoever looks". Here that is the date of ISO 8601,
which is read alike everywhere. The ids 27 to 58 mean other formats in each East Asian edition of
Excel; here they are those of China. The ids 59 to 81 are those of Thailand.
"""

_SHORT_DATE = "yyyy-mm-dd"
_MONTH, _DAY = 'yyyy"年"m"月"', 'm"月"d"日"'
_CLOCK, _SECONDS = 'h"时"mm"分"', 'h"时"mm"分"ss"秒"'
_HALF_CLOCK, _HALF_SECONDS = f"上午/下午{_CLOCK}", f"上午/下午{_SECONDS}"
_ACCOUNT = "_({0}* #,##0{1}_);_({0}* (#,##0{1});_({0}* -{2}_);_(@_)"

CODES: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "$#,##0_);($#,##0)", 6: "$#,##0_);($#,##0)",
    7: "$#,##0.00_);($#,##0.00)", 8: "$#,##0.00_);($#,##0.00)",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: _SHORT_DATE, 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: f"{_SHORT_DATE} h:mm",
    27: _MONTH, 28: _DAY, 29: _DAY, 30: _SHORT_DATE, 31: f'{_MONTH}d"日"', 32: _CLOCK,
    33: _SECONDS, 34: _HALF_CLOCK, 35: _HALF_SECONDS, 36: _MONTH,
    37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
    41: _ACCOUNT.format("", "", ""), 42: _ACCOUNT.format("$", "", ""),
    43: _ACCOUNT.format("", ".00", "??"), 44: _ACCOUNT.format("$", ".00", "??"),
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: _MONTH, 51: _DAY, 52: _MONTH, 53: _DAY, 54: _DAY, 55: _HALF_CLOCK, 56: _HALF_SECONDS,
    57: _MONTH, 58: _DAY,
    59: "0", 60: "0.00", 61: "#,##0", 62: "#,##0.00", 67: "0%", 68: "0.00%", 69: "# ?/?",
    70: "# ??/??", 71: "d/m/yyyy", 72: "d-mmm-yy", 73: "d-mmm", 74: "mmm-yy", 75: "h:mm",
    76: "h:mm:ss", 77: "d/m/yyyy h:mm", 78: "mm:ss", 79: "[h]:mm:ss", 80: "mm:ss.0", 81: "d/m/bb",
}  # fmt: skip
"""Codes by id; an id that is not here means "General"."""
