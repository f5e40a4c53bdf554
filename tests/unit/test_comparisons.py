"""Comparisons of whole documents: which ones a question means, what differs, and who says so."""

import json
import re

import pytest

from footnote.ask.planning.answer_options import make_options
from footnote.ask.whole import comparison
from footnote.ask.whole.compared import compared_documents
from footnote.ask.whole.comparison import BY_ALIGNMENT, silent_in
from footnote.model import Coverage, Entry, ModelReply, Notes, ReadShare, Whole
from footnote.service import Service
from footnote.text.own_words import BY_MODEL
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

OLD = """# Lease of the boathouse 2024

## 1. Parties

The landlord is Elm Harbour Trust. The tenant is the rowing club Skuld.

## 2. Rent

The rent is 900 crowns a month. It is due on the first day of each month.

| item | crowns |
|---|---|
| deposit | 1,800 |
| heating | 120 |

## 3. Term

The lease ends on 31 May 2025. Either party may end it with notice of three months.

## 4. Pets

Dogs are welcome on the pier. Cats are not. Birds are kept in cages.
"""
NEW = """# Lease of the boathouse 2025

## 1. Parties

The landlord is Elm Harbour Trust. The tenant is the rowing club Idun.

## 2. Term

The lease ends on 31 May 2026. Either party may not end it with notice of three months.

## 3. Rent

The rent is 950 crowns a month. It is payable on the first day of each month.

| item | crowns |
|---|---|
| heating | 120 |
| deposit | 1,900 |

Three keys were handed over.
"""
FILES = {
    "lease-2024.md": OLD,
    "lease-2025.md": NEW,
    "report-2024.md": "# Report 2024\n\nNothing was built.\n",
}


def shelf(llm=None, files=FILES):
    made = Pipeline(llm=llm, embedder=HashEmbedder(), tokenizer=Words())
    for name, text in files.items():
        made.upload(f"acme/default/{name}", text.encode())
    return made


@pytest.fixture(scope="module")
def pipeline():
    return shelf()


def ask(pipeline, question, scope=None, **options):
    service = Service(pipeline, "acme")
    scope = service.searches.scope(**scope) if scope else None
    asked = service.questions.ask(question, scope, options=make_options(**options))
    return service.questions.get(asked.question_id).answer


def rows(answer):
    """Returns the cells of the table's rows, and for each the quotes of its citations."""
    quotes = {one.n: (one.document, one.quote) for one in answer.citations}
    return {
        tuple(cell.strip() for cell in one.text.strip("| ").split(" | ")): [
            quotes[n] for n in one.citations
        ]
        for one in answer.sentences
        if one.citations
    }


# -- which documents -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Compare lease-2024.md and lease-2025.md.",
        "Compare the 2024 and the 2025 lease.",
        "compare the lease 2024 with the lease of 2025",
        "What differs between lease-2024 and lease-2025?",
        "What are the differences between the 2024 lease and the 2025 lease?",
        "What changed from the 2024 lease to the 2025 lease?",
        "How does the 2024 lease differ from the 2025 lease?",
        "Compare the two leases.",
        "Vergleiche lease-2024.md mit lease-2025.md.",
        "Was unterscheidet lease-2024 von lease-2025?",
    ],
)
def test_a_question_that_names_both_documents_is_read_from_both(pipeline, question):
    answer = ask(pipeline, question)
    assert answer.coverage == Coverage(documents=2, of=2)
    assert answer.plan.question_kind == "comparison"
    assert {one.document for one in answer.citations} == {"lease-2024.md", "lease-2025.md"}


@pytest.mark.parametrize(
    "question",
    [
        "Compare the lease with the mortgage.",
        "Compare the 2024 and the 2031 lease.",
        "What changed in 2025?",
        "Compare rent and heating.",
    ],
)
def test_what_names_no_two_documents_stays_a_search(pipeline, question):
    assert ask(pipeline, question).coverage is None


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("Compare the rent in the 2024 and the 2025 lease.", "950 crowns", "Idun"),
        ("How did the rent change between the 2024 and the 2025 lease?", "950 crowns", "Idun"),
        ("What changed in the lease?", "Idun", "Nothing was built"),
        ("Compare the parties of the 2024 and the 2025 lease.", "Idun", "950 crowns"),
        (
            "How did the masts change between the 2024 and the 2025 lease?",
            "lease-2025.md does not say anything about \u201cthe masts\u201d.",
            "Idun",
        ),
    ],
)
def test_one_thing_of_two_documents_is_compared_by_its_lines(pipeline, question, has, lacks):
    answer = ask(pipeline, question)
    assert has in answer.answer
    assert lacks not in answer.answer
    assert answer.coverage == Coverage(documents=2, of=2)
    named = {one.document for one in answer.citations}
    assert named == ({"lease-2024.md", "lease-2025.md"} if answer.found else set())


@pytest.mark.parametrize("question", ["Compare these two.", "What differs?", "Compare both files."])
def test_documents_of_the_request_are_compared(pipeline, question):
    scope = {"documents": ["lease-2025.md", "report-2024.md"]}
    assert ask(pipeline, question, scope).coverage == Coverage(documents=2, of=2)
    alone = {"documents": ["lease-2025.md"]}
    assert ask(pipeline, question, alone).coverage is None


def entry(path):
    return Entry(document_id=path, document=path, collection="c", version="v", title="")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Compare travel and expenses with the budget", ["travel-and-expenses.html", "budget.md"]),
        ("Compare a.md, b.md and c.md", ["a.md", "b.md", "c.md"]),
        ("Compare the budget and the budget", []),
        ("What differs between the plan and the budget?", ["plan.md", "budget.md"]),
    ],
)
def test_names_may_have_an_and_in_them(question, named):
    names = [
        "a.md",
        "b.md",
        "c.md",
        "budget.md",
        "plan.md",
        "plan-b.md",
        "travel-and-expenses.html",
    ]
    chosen, _ = compared_documents(question, [entry(name) for name in names], is_narrowed=False)
    assert [one.document for one in chosen] == named


# -- what differs ----------------------------------------------------------------------------------


def test_each_difference_stands_side_by_side_with_a_citation_to_each(pipeline):
    answer = ask(pipeline, "Compare the 2024 and the 2025 lease.")
    table = rows(answer)
    old, new = "lease-2024.md", "lease-2025.md"
    assert table["2. Rent (figure)", "The rent is 900 crowns a month.",
                 "The rent is 950 crowns a month."] == [
        (old, "The rent is 900 crowns a month."),
        (new, "The rent is 950 crowns a month."),
    ]  # fmt: skip
    labels = [cells[0] for cells in table]
    assert labels == [
        "1. Parties (name)",
        "2. Rent (figure)",
        "2. Rent › deposit (figure)",
        "3. Term (date)",
        "3. Term (limit)",
        "4. Pets (3 lines, this is the first)",
        "3. Rent",
        "2. Rent (wording)",
    ]
    assert [len(quotes) for quotes in table.values()] == [2, 2, 2, 2, 2, 1, 1, 2]
    assert all(one.checked == "exact" for one in answer.sentences if one.citations)
    assert answer.sentences[0].text == (
        "lease-2024.md and lease-2025.md, laid beside each other: 5 lines with another figure,"
        " date, name or limit, 1 in other words, 3 only in lease-2024.md, 1 only in lease-2025.md,"
        " 2 the same. All 2 documents were read whole."
    )
    assert BY_ALIGNMENT in answer.degraded


def test_asked_again_the_first_document_still_stands_first():
    made = shelf()
    first = ask(made, "Compare the 2025 and the 2024 lease.")
    made.upload("acme/default/lease-2025.md", NEW.replace("950", "960").encode())
    again = ask(made, "Compare the 2025 and the 2024 lease.")
    assert again.answer == first.answer.replace("950", "960")


def test_equal_documents_say_the_same():
    files = {"a.md": OLD, "b.md": OLD.replace("2024", "copy")}
    answer = ask(shelf(files=files), "Compare a.md and b.md.")
    assert answer.answer.startswith("a.md and b.md say the same in all 11 lines.")
    assert (answer.outcome, answer.citations) == ("answer", ())


def test_a_document_without_text_is_not_compared():
    files = {"a.md": OLD, "b.md": "# B\n"}
    answer = ask(shelf(files=files), "Compare a.md and b.md.")
    assert answer.outcome == "nearest"
    assert "nothing is compared" in answer.answer


def test_a_table_has_only_so_many_rows_and_says_so(monkeypatch, pipeline):
    monkeypatch.setattr(comparison, "MOST_ROWS", 2)
    answer = ask(pipeline, "Compare the 2024 and the 2025 lease.")
    assert len(rows(answer)) == 2
    assert answer.sentences[-1].text == "The first 2 of 8 rows are shown."


def test_lines_beyond_the_most_are_said_to_be_left_out(monkeypatch):
    monkeypatch.setattr(comparison, "MOST_LINES", 4)
    monkeypatch.setattr("footnote.ask.answer.compared.MOST_LINES", 4)
    answer = ask(shelf(), "Compare the 2024 and the 2025 lease.")
    assert "Of a document only the first 4 lines are compared." in answer.degraded


# -- what they say about a topic -------------------------------------------------------------------

PETS_2024 = {
    ("4. Pets", line, "\u2014"): [("lease-2024.md", line)]
    for line in ("Dogs are welcome on the pier.", "Cats are not.", "Birds are kept in cages.")
}


@pytest.mark.parametrize(
    ("question", "silent"),
    [
        (
            "Compare what the 2024 lease and the 2025 lease say about pets.",
            "lease-2025.md does not say anything about \u201cpets\u201d.",
        ),
        ("What do lease-2024.md and lease-2025.md say about pets?", "lease-2025.md does not say"),
        ("Compare lease-2024.md and lease-2025.md on pets.", "lease-2025.md does not say"),
        ("Compare the two leases with regard to the pets", "lease-2025.md does not say"),
        (
            "Vergleiche, was lease-2024.md und lease-2025.md \u00fcber Pets sagen.",
            "lease-2025.md sagt nichts zu \u201ePets\u201c.",
        ),
        ("Was sagen lease-2024.md und lease-2025.md zu Pets?", "lease-2025.md sagt nichts zu"),
        ("Vergleiche lease-2024.md und lease-2025.md hinsichtlich Pets", "lease-2025.md sagt nic"),
    ],
)
def test_what_one_document_alone_says_stands_beside_the_others_silence(pipeline, question, silent):
    answer = ask(pipeline, question)
    assert rows(answer) == PETS_2024
    assert silent in answer.sentences[0].text
    assert (answer.outcome, answer.coverage) == ("answer", Coverage(documents=2, of=2))


def test_of_a_topic_each_line_is_shown_also_what_is_the_same(pipeline):
    table = rows(ask(pipeline, "What do the 2024 and the 2025 lease say about heating?"))
    row, *others = table.items()
    assert row[0] == ("2. Rent \u203a heating", "heating; 120", "heating; 120")
    assert [document for document, _ in row[1]] == ["lease-2024.md", "lease-2025.md"]
    assert others == []


def test_a_topic_that_no_document_speaks_of_is_said_of_each(pipeline):
    answer = ask(pipeline, "Compare what lease-2024.md and report-2024.md say about parking.")
    assert answer.answer.startswith(
        "lease-2024.md does not say anything about \u201cparking\u201d."
        " report-2024.md does not say anything about \u201cparking\u201d."
    )
    assert (answer.outcome, answer.found, answer.confidence) == ("none", False, 0.0)


def test_lines_with_all_words_of_a_topic_go_before_those_with_one():
    files = {
        "a.md": "# A\n\nThe late fee is 3 crowns.\n\nThe entry fee is 1 crown.\n",
        "b.md": "# B\n\nThe entry fee is 2 crowns.\n",
    }
    answer = ask(shelf(files=files), "Compare what a.md and b.md say about the late fee.")
    quoted = [text for quotes in rows(answer).values() for _, text in quotes]
    assert quoted == ["The late fee is 3 crowns.", "The entry fee is 2 crowns."]


def test_nobody_is_silent_who_was_not_read():
    share = ReadShare(document_id="b", version="v", share=0, of=2)
    whole = Whole(
        kind="comparison", question="", compared=("a", "b"), called=("a.md", "b.md"), topic="pets"
    )
    assert silent_in(whole, [Notes(notes=(), read=(share,))]) == []
    rest = share.model_copy(update={"share": 1})
    assert silent_in(whole, [Notes(notes=(), read=(share, rest))]) == ["b.md"]


@pytest.mark.parametrize(
    "question",
    ["What do Elm and Skuld say about pets?", "What does the 2024 lease say about the rent?"],
)
def test_who_speaks_must_be_two_documents(pipeline, question):
    assert ask(pipeline, question).coverage is None


# -- with a model ----------------------------------------------------------------------------------


class Reader:
    """A model that notes the lines on the rent and writes one sentence on them."""

    def __init__(self, written):
        self.requests = []
        self._written = written

    def complete(self, request):
        self.requests.append(request)
        lines = re.findall(r"^(\d+) (.*)$", request.prompt, re.MULTILINE)
        replies = {
            "plan": {
                "kind": "retrieve",
                "question_kind": "comparison",
                "sub_questions": [{"text": "the 2024 lease"}, {"text": "the 2025 lease"}],
            },
            "read": {"items": [{"lines": [int(n)]} for n, text in lines if "rent" in text]},
            "judge": {"words": [], "lacks": "all", "supported": False},
        }  # fmt: skip
        text = json.dumps(replies.get(request.task, {}))
        return ModelReply(
            text=text, mode="anthropic", model="m", input_tokens=100, output_tokens=10, usd=0.001
        )

    def stream(self, request):
        self.requests.append(request)
        yield self._written
        yield ModelReply(text=self._written, mode="anthropic", model="m", usd=0.01)


def test_a_model_reads_each_document_and_a_better_one_writes_above_the_table():
    model = Reader("The rent is 900 crowns a month. [1.1] The rent is 40 crowns a month. [1.1]")
    answer = ask(shelf(model), "Compare the 2024 and the 2025 lease.")
    assert [one.task for one in model.requests][:4] == ["plan", "read", "read", "synthesize"]
    [written] = [one.prompt for one in model.requests if one.task == "synthesize"]
    assert "The rent is 950 crowns a month." in written
    assert answer.sentences[0].text == "The rent is 900 crowns a month."
    assert "40 crowns" in answer.removed[0].text
    assert len(rows(answer)) == 2  # the sentence and the one row
    assert BY_MODEL in answer.degraded
    assert answer.usage.by_step["read"] == {"tokens": 220, "usd": 0.002}


def test_where_the_writer_is_of_no_use_the_table_stands_alone():
    answer = ask(shelf(Reader("Nothing of this holds. [1.1]")), "Compare the 2024 and 2025 lease.")
    assert answer.sentences[0].text.startswith("lease-2024.md and lease-2025.md")
    assert answer.outcome == "answer"
