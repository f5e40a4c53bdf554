"""Which lines are of a program, and that sentences come before them."""

import pytest

from footnote.ask.quote.lines import rank_lines
from footnote.text.source_code import is_source_code
from tests.unit.test_figure_asked import found_for, line


@pytest.mark.parametrize(
    "text",
    [
        "const { lamp } = require('quay:lamp'); const one = lamp({ seconds: 20 }); one.start();",
        "struct Lamp(f32, u64);",
        "test('lamp() method', (t) => {",
        "} = require('quay:lamp');",
        "// The lamps of a quay share one wire",
        'lamps.fail("there is no lamp on the quay", 7);',
        "const { lamp, quay, gate, crane } = pier; for (const ship in docks) { crane.run(ship); }",
        "quay.close(); // It does not put out the lamps of the quay",
        "});",
        "import { lamp } from 'quay:lamp';",
        "console.log(quay.lamp, 'is lit')",
        "/* NOTE 1 K = 1024 bytes */",
        "#include <lamp.h>",
        'err(EXIT_FAILURE, "no lamp");',
        "while (null !== (lamp = quay.read())) {",
        "lamps.map(one => one.colour)",
    ],
)
def test_a_line_of_a_program(text):
    assert is_source_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lamp is lit by lamp_start(), which returns at once.",
        "Calling `skip()` does not end the function of the test;",
        "Since Quay 2.6 the harbour lights lamps with setlamp(8).",
        "(b) cash dividends;",
        "Use setlamp(8), chlamp(2).",
        "\u2022 Use chroot(2);",
        "- lamps (red and green);",
        "Net revenue (in millions)",
        "lamp --dry-run --colour red",
        "Lamps | 12; 14 | 13",
        "See http://quay.example/lamps(red); it is the list of all of the lamps.",
        "",
    ],
)
def test_a_sentence_an_item_or_a_command_is_none(text):
    assert not is_source_code(text)


def test_a_line_of_a_program_counts_less_than_a_sentence():
    one = line("const lamp = require('quay:lamp');")
    assert one._replace(is_code=True).score < one.score
    told = "Calling skip of a lamp at a quay leaves the lamp on."
    pages = {"lamp.md": [f"lamp.skip(lamp, quay, now, gate);\n\n{told}\n"]}
    asked = "does lamp.skip of a quay lamp leave the lamp on now"
    best = rank_lines(asked, found_for(asked, pages))
    assert [one.is_code for one in best] == [False, True]
