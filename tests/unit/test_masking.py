"""Personal data: where it stands in a text, and how it stays away from a model."""

import json
import re

import pytest

from footnote.adapters.llm.masking_llm import NOTE, Mask, MaskingLLM, Masks
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.model import (
    Block,
    Citable,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
    user_says,
)
from footnote.text.personal import PERSONAL_KINDS, find_personal, names_pattern
from tests.contract.suites.llm import LLMSuite, scripted, scripted_calls, scripted_failure
from tests.growth import LIMIT, ratio

NAMES = names_pattern(["Anna Berg", "Zoë Ångström"])
ALL = Masks(PERSONAL_KINDS, NAMES)
KEY = "0123456789abcdef"


def found_in(text, kinds=PERSONAL_KINDS, names=None):
    return [(text[start:end], kind) for start, end, kind in find_personal(text, kinds, names)]


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("Write to anna.berg+x@mail.example.org.", "anna.berg+x@mail.example.org", "email"),
        ("<müller@straße.de>", "müller@straße.de", "email"),
        ("IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF", "DE89 3704 0044 0532 0130 00", "iban"),
        ("ES9121000418450200051332", "ES9121000418450200051332", "iban"),
        ("to ES91 2100 0418 4502 0005 1332 BANK", "ES91 2100 0418 4502 0005 1332", "iban"),
        ("card 4111 1111 1111 1111, thanks", "4111 1111 1111 1111", "card"),
        ("5555555555554444", "5555555555554444", "card"),
        ("3782 822463 10005", "3782 822463 10005", "card"),
        ("Steuer-ID 86 095 742 719", "86 095 742 719", "id"),
        ("DNI 12345678Z", "12345678Z", "id"),
        ("NIE X1234567L", "X1234567L", "id"),
        ("NIR 1 84 12 76 451 089 46", "1 84 12 76 451 089 46", "id"),
        ("CF RSSMRA85T10A562S", "RSSMRA85T10A562S", "id"),
        ("PESEL 44051401359", "44051401359", "id"),
        ("85.07.30-033.28", "85.07.30-033.28", "id"),
        ("131052-308T", "131052-308T", "id"),
        ("811218-9876", "811218-9876", "id"),
        ("SSN 219-09-9999.", "219-09-9999", "id"),
        ("call +49 431 123456", "+49 431 123456", "phone"),
        ("0044 20 7946 0958", "0044 20 7946 0958", "phone"),
        ("Tel.: 123 45 67", "123 45 67", "phone"),
        ("(555) 123-4567", "(555) 123-4567", "phone"),
        ("01 23 45 67 89", "01 23 45 67 89", "phone"),
        ("0431 / 123456", "0431 / 123456", "phone"),
        ("from 192.168.10.4 on", "192.168.10.4", "ip"),
        ("2001:db8::8a2e:370:7334", "2001:db8::8a2e:370:7334", "ip"),
    ],
)
def test_personal_data_is_found_with_its_kind(text, value, kind):
    assert found_in(text) == [(value, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "Revenue rose by 26.6 percent to 10,840,000 euros in 2025.",
        "Sum: 1 234 567 890, of these 12 345 678 in cash",
        "on 01.02.2026 at 12:30:45, and on 2026-02-01",
        "DE89 3704 0044 0532 0130 01",  # another check digit
        "4111 1111 1111 1112",
        "86 095 742 718",
        "12345678A",
        "NIR 1 84 12 76 451 089 47",
        "RSSMRA85T10A562T",
        "44051401358",
        "85.07.30-033.29",
        "131052-308U",
        "811218-9875",
        "666-09-9999",
        "see section 4.2.1.3",
        "version 1.2.3.4.5 and 999.1.2.3",
        "order 2024-0001-7, part 4711",
        "x :: y and std::vector",
        "[3.2] <<<0123456789abcdef a>>>",
        "+5.6 percent, -12,345 units",
    ],
)
def test_figures_and_numbers_whose_check_fails_are_left_alone(text):
    assert found_in(text) == []


def test_only_the_kinds_that_are_asked_for_are_found():
    text = "anna@mail.example, +49 431 123456"
    assert found_in(text, ("phone",)) == [("+49 431 123456", "phone")]


def test_a_name_is_found_in_any_case_over_a_line_and_only_as_whole_words():
    text = 'ANNA BERG, "Zoë\nÅngström", Anna\u00a0Berg’s, Joanna Bergen, "\\nAnna Berg"'
    assert [value for value, _ in found_in(text, (), NAMES)] == [
        "ANNA BERG",
        "Zoë\nÅngström",
        "Anna\u00a0Berg",
        "Anna Berg",
    ]


HOSTILE = (
    "a.",
    "a@",
    "a@b.",
    "0431 ",
    "+1",
    "00 ",
    "AA11 ",
    "AA11",
    "1",
    "a:",
    "1.",
    "tel. ",
    "Anna ",
)


@pytest.mark.growth
@pytest.mark.parametrize("unit", HOSTILE)
def test_looking_takes_time_in_proportion_to_the_text(unit):
    def look(text):
        return find_personal(text, PERSONAL_KINDS, NAMES)

    assert ratio(look, unit * 2_000, unit * 8_000) < LIMIT


# -- the model -------------------------------------------------------------------------------------


def masking(llm, tell=lambda *_: None, masks=ALL):
    return MaskingLLM(llm, masks, KEY, tell)


class TestMaskingLLM(LLMSuite):
    @pytest.fixture
    def saying(self):
        return lambda text: masking(scripted(text), masks=Masks((), re.compile("Roost")))

    @pytest.fixture
    def calling(self):
        return lambda *calls: masking(scripted_calls(*calls))

    @pytest.fixture
    def failing(self):
        return lambda failure: masking(scripted_failure(failure))


class Echo:
    """An LLM that says what it is told, a few signs at a time, and calls a tool with it."""

    def __init__(self, size=3):
        self.requests = []
        self._size = size

    def complete(self, request):
        self.requests.append(request)
        call = ToolCall(id="1", name="look", arguments={"at": [request.prompt], "n": 3})
        return ModelReply(text=request.prompt, mode="anthropic", model="echo", calls=(call,))

    def stream(self, request):
        reply = self.complete(request)
        for n in range(0, len(reply.text), self._size):
            yield reply.text[n : n + self._size]
        yield reply


SAID = 'Anna Berg (anna@mail.example) pays "Zoë\nÅngström" from DE89370400440532013000.'


def request_of(*messages, **given):
    return ModelRequest(task="synthesize", system="You write.", messages=messages, **given)


def test_a_model_reads_placeholders_and_its_words_come_back_as_they_were():
    model = Echo()
    reply = masking(model).complete(request_of(*user_says(SAID)))
    [sent] = model.requests
    assert not re.search(r"Anna|Berg|anna|mail|Zoë|Ångström|DE89", sent.prompt)
    assert re.fullmatch(r'NAME\w{8} \(EMAIL\w{8}\) pays "NAME\w{8}" from IBAN\w{8}\.', sent.prompt)
    assert sent.system == "You write." + NOTE
    assert reply.text == SAID
    assert reply.calls[0].arguments == {"at": [SAID], "n": 3}


@pytest.mark.parametrize("size", [1, 2, 5, 13, 400])
def test_a_stream_comes_back_in_pieces_and_no_piece_has_a_placeholder(size):
    *pieces, last = masking(Echo(size)).stream(request_of(*user_says(SAID)))
    assert "".join(pieces) == last.text == SAID
    assert size > 12 or len(pieces) > 5


def test_in_json_a_value_is_escaped():
    model = Echo()
    asked = request_of(*user_says(json.dumps({"who": SAID}, ensure_ascii=False)), shape={})
    mask = Mask(ALL, KEY)
    text = json.dumps({"who": mask.hide(SAID)})
    llm = masking(ScriptedLLM([text]))
    reply = llm.complete(request_of(*user_says(SAID), shape={"type": "object"}))
    assert json.loads(reply.text) == {"who": SAID}
    assert json.loads(masking(model).complete(asked).text) == {"who": SAID}


def test_all_that_a_turn_carries_is_masked():
    model = Echo()
    citable = Citable(number=1, about="of Anna Berg", pieces=((1, "Anna Berg pays."),))
    call = ToolCall(id="1", name="look", arguments={"for": {"who": "Anna Berg"}})
    masking(model).complete(
        request_of(
            Message(role="user", blocks=(Block(text="Anna Berg", citable=(citable,)),)),
            Message(role="assistant", blocks=(Block(text="Anna Berg"),), calls=(call,)),
            Message(role="user", results=(ToolResult(id="1", text="Anna Berg pays."),)),
        )
    )
    assert "Anna" not in repr(model.requests)


def test_a_question_has_one_placeholder_for_a_value_and_another_question_another():
    first, again, other = Mask(ALL, KEY), Mask(ALL, KEY), Mask(ALL, "another")
    assert first.hide("Anna Berg") == again.hide("Anna Berg") != other.hide("Anna Berg")


def test_spellings_of_the_same_differ_in_the_last_two_signs_only_and_each_comes_back():
    mask = Mask(ALL, KEY)
    one, two = mask.hide("Anna Berg"), mask.hide("ANNA  BERG")
    assert (one[:-2], one == two) == (two[:-2], False)
    assert mask.show(f"{one} {two.lower()}s") == "Anna Berg ANNA  BERGs"


def test_a_placeholder_that_no_turn_has_stays():
    mask = Mask(ALL, KEY)
    mask.hide("Anna Berg")
    assert mask.show("NAMEBBBBBBBB") == "NAMEBBBBBBBB"


def test_where_nothing_is_found_a_request_goes_as_it_is():
    model = Echo()
    asked = request_of(*user_says("How many bikes?"))
    masking(model).complete(asked)
    assert model.requests == [asked]


def test_counts_are_told_once_for_each_value():
    told = []
    llm = masking(Echo(), lambda *news: told.append(news))
    for text in (SAID, SAID, f"{SAID} +49 431 123456"):
        llm.complete(request_of(*user_says(text)))
    assert [(task, dict(counts)) for task, counts, _ in told] == [
        ("synthesize", {"name": 2, "email": 1, "iban": 1}),
        ("synthesize", {"phone": 1}),
    ]
    assert len({name for *_, name in told}) == 2
