"""Warnings are condensed by kind: however many there are, a record holds few and says how many."""

from email.message import EmailMessage

import pytest

from footnote.text.condense import LONGEST, MAX_KINDS, condense
from tests.growth import LIMIT, ratio
from tests.unit.faces import small


def test_warnings_that_differ_in_names_and_numbers_are_one_kind():
    many = [f"Message {n} of 'box {n}': Left out: a{n}.exe is a program." for n in range(5000)]
    hidden = [f"The hidden sheet '{n}' is left out." for n in range(3)]
    once = ["The message is encrypted; only what is outside of that was read."]
    assert condense([*many, *once, *hidden]) == (
        f"{many[0]} (and 4,999 more like it)",
        *once,
        f"{hidden[0]} (and 2 more like it)",
    )


def test_condensing_again_changes_nothing_and_counts_go_on():
    first = condense([f"Left out: a{n}.exe is a program." for n in range(1001)])
    assert condense(first) == first
    again = [*first, *(f"Left out: z{n}.exe is a program." for n in range(50))]
    assert condense(again) == ("Left out: a0.exe is a program. (and 1,050 more like it)",)


def test_a_few_warnings_stay_as_they_are():
    few = tuple(f"Left out: a{n}.exe is a program." for n in range(MAX_KINDS))
    assert condense(few) == few


def word(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def test_of_too_many_kinds_the_first_stay_and_the_rest_is_counted():
    found = condense(f"Something {word(n)}." for n in range(120))
    assert len(found) == MAX_KINDS + 1
    assert found[-1] == "70 more warnings of other kinds are left out."
    assert condense([*found, "Another one."])[-1].startswith("71 more")
    assert condense(found) == found


def test_a_long_warning_is_cut_in_the_middle():
    pages = ", ".join(str(2 * n) for n in range(5000))
    warning = f"Pages {pages} have text that was read by OCR."
    [cut] = condense([warning])
    [first, *_] = many = condense([warning, *(f"Something {word(n)}." for n in range(99)), warning])
    assert max(len(cut), len(first)) <= LONGEST
    assert condense(many) == many
    assert cut.startswith("Pages 0, 2") and cut.endswith("have text that was read by OCR.")


@pytest.mark.growth
@pytest.mark.parametrize("odd", ["ü", "'", '"', "1", ".", " a", "a' "])
def test_the_time_grows_with_the_length(odd):
    short, long = (
        [odd * (length // len(odd)) + str(n) for n in range(200)] for length in (10_000, 40_000)
    )
    assert ratio(condense, short, long) < LIMIT


def test_a_mailbox_of_thousands_of_refused_attachments_is_ready_and_lists_few_warnings():
    letters = []
    for n in range(600):
        letter = EmailMessage()
        letter["Subject"], letter["From"], letter["To"] = f"Berth {n}", "a@quay.test", "b@quay.test"
        letter.set_content(f"The ferry of berth {n} leaves at noon.")
        letter.add_attachment(
            b"\x7fELF" + bytes(60), "application", "x-elf", filename=f"run{n}.bin"
        )
        letters.append(b"From a@quay.test Mon Jan  5 10:00:00 2026\n" + letter.as_bytes() + b"\n")
    pipeline = small()
    record = pipeline.upload("acme/default/berths.mbox", b"".join(letters))
    assert (record.status, record.error) == ("READY", None)
    assert len(record.warnings) < 5
    assert any("more like it)" in warning for warning in record.warnings)
