"""Arrays inside the objects of an array: rows of one object are one, each item cites its row."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.data.schema import parse_schema
from tests.unit.test_records import GRADE, PLAN, array, filled, quotes, schema

TEXT = {"type": "string"}
CREWS = """# Crews

The crews of the ferries

Ferry | Port | Sailor | Hours
Gull | Kiel | Ida Holt | 12
Gull | Kiel | Ole Brandt | 30
Tern | Bonn | Mia Voss | 7
Gull | Kiel | Ann Reed | 4
Total |  |  | 53
"""
LINES = array(sailor=TEXT, hours={"type": "integer"})
FERRIES = array(ferry=TEXT, port=TEXT, crew=LINES)


def test_rows_with_the_same_outer_values_are_one_object():
    answer = filled(CREWS, question="Which crews sail?", ferries=FERRIES)
    assert answer.data == {
        "ferries": [
            {
                "ferry": "Gull",
                "port": "Kiel",
                "crew": [
                    {"sailor": "Ida Holt", "hours": 12},
                    {"sailor": "Ole Brandt", "hours": 30},
                    {"sailor": "Ann Reed", "hours": 4},
                ],
            },
            {"ferry": "Tern", "port": "Bonn", "crew": [{"sailor": "Mia Voss", "hours": 7}]},
        ]
    }
    cited = quotes(answer)
    assert cited["ferries[0].ferry"] == ["Gull | Kiel | Ida Holt | 12"]
    assert cited["ferries[0].crew[2].hours"] == ["Gull | Kiel | Ann Reed | 4"]
    assert cited["ferries[1].crew[0].sailor"] == ["Tern | Bonn | Mia Voss | 7"]
    assert len(answer.fields) == 12
    assert all(citation.verified for citation in answer.citations)


def test_an_inner_array_may_be_of_values_and_has_its_own_most():
    sailors = {"type": "array", "items": TEXT, "description": "sailor", "maxItems": 2}
    answer = filled(CREWS, question="Which crews sail?", f=array(ferry=TEXT, crew=sailors))
    assert answer.data == {
        "f": [
            {"ferry": "Gull", "crew": ["Ida Holt", "Ole Brandt"]},
            {"ferry": "Tern", "crew": ["Mia Voss"]},
        ]
    }
    assert quotes(answer)["f[0].crew[1]"] == ["Gull | Kiel | Ole Brandt | 30"]


def test_a_blank_outer_cell_means_the_one_above_it_and_cites_both_rows():
    text = CREWS.replace("Gull | Kiel | Ole", " |  | Ole").replace("Gull | Kiel | Ann", " |  | Ann")
    answer = filled(text, question="Which crews sail?", ferries=FERRIES)
    names = [[sailor["sailor"] for sailor in ferry["crew"]] for ferry in answer.data["ferries"]]
    assert names == [["Ida Holt", "Ole Brandt"], ["Mia Voss", "Ann Reed"]]
    assert quotes(answer)["ferries[0].crew[1].hours"] == [
        "Gull | Kiel | Ida Holt | 12",
        "|  | Ole Brandt | 30",
    ]


def test_a_model_gives_an_item_at_a_time_and_each_value_must_stand_in_its_quote():
    text = "# Crews\n\nIda Holt and Ole Brandt sail on the Gull. Mia Voss sails on the Tern.\n"
    both, one = "Ida Holt and Ole Brandt sail on the Gull.", "Mia Voss sails on the Tern."

    def record(ferry, sailor, quote):
        values = [{"field": "ferry", "value": ferry}, {"field": "crew.sailor", "value": sailor}]
        return {"array": "ferries", "passage": 1, "quote": quote, "values": values}

    told = [
        record("Gull", "Ida Holt", both),
        record("Gull", "Ole Brandt", both),
        record("Tern", "Ann Reed", one),
        record("Tern", "Mia Voss", one),
    ]
    llm = ScriptedLLM([PLAN, GRADE, "Nothing."], extract=[json.dumps({"records": told})])
    ferries = array(ferry=TEXT, crew=array(sailor=TEXT))
    answer = filled(text, llm, "Who sails?", ferries=ferries)
    assert answer.data["ferries"] == [
        {"ferry": "Gull", "crew": [{"sailor": "Ida Holt"}, {"sailor": "Ole Brandt"}]},
        {"ferry": "Tern", "crew": [{"sailor": "Mia Voss"}]},
    ]
    assert "ferries.crew.sailor" in [each.field for each in answer.removed]


def test_the_whole_object_is_one_line_of_an_answer_without_words():
    answer = filled(CREWS, question="Zyx?", ferries=FERRIES)
    shown = [sentence for sentence in answer.sentences if "Gull" in sentence.text]
    assert len(shown) == 1
    assert len(shown[0].citations) == 3


@pytest.mark.parametrize(
    ("inner", "fields"),
    [
        (LINES, ["ferry", "crew.sailor", "crew.hours"]),
        ({"type": "array", "items": TEXT}, ["ferry", "crew"]),
        ({"type": "object", "properties": {"head": TEXT}}, ["ferry", "crew.head"]),
    ],
)
def test_the_fields_of_an_inner_array_are_named_by_their_whole_path(inner, fields):
    [record] = parse_schema(schema(a=array(ferry=TEXT, crew=inner))).records
    assert [field.name for field in record.fields] == fields
    assert [field.name for field in record.outer_fields] == (
        ["ferry"] if inner["type"] == "array" else fields
    )
