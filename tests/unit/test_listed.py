"""Whether "which invoices" means documents or rows of a table: what is in scope decides."""

import pytest

from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

SHEET = """invoice,customer,due date,amount,status
R-101,Wilkins Ropes,2027-01-10,400,paid
R-102,Delmar Sails,,250,open
R-103,Wilkins Ropes,2026-12-01,90,open
"""
ITEMS = "\n\n| item | price |\n|---|---|\n| oar | 40 |\n| rope | 12 |\n"
INVOICES = {
    "invoice-1.md": f"# Invoice 1\n\nFor three paddles. Due date: 3 May 2027.{ITEMS}",
    "invoice-2.md": f"# Invoice 2\n\nFor a bell. Thank you.{ITEMS}",
}
REGISTER = "report,author,pages\nNorth pier,Ann,4\nSouth pier,Bo,9\nWater tower,Cy,3\n"
REPORTS = {
    "report-north.md": "# Report on the north pier\n\nThe water rose in May.\n",
    "report-south.md": "# Report on the south pier\n\nThe planks were changed.\n",
}
CONTRACTS = {
    "vertrag-nord.md": "# Mietvertrag Nord\n\nHaustiere sind erlaubt.\n",
    "vertrag-ost.md": "# Mietvertrag Ost\n\nDie Kaution ist hoch.\n",
}
LISTE = "Vertrag,Mieter,Ende\nNord,Falk,31.12.2027\nOst,Kern,30.06.2028\nWest,Lind,31.03.2027\n"
LEASES = {
    "leases/elm.md": "# Elm Row 1\n\nPets are welcome.\n",
    "leases/oak.md": "# Oak Row 2\n\nThe rent is 400.\n",
}
SCOPES = {
    "sheet": {"receivables.csv": SHEET, "notes.md": "# Notes\n\nThe harbour is deep.\n"},
    "files": {**INVOICES, "notes.md": "# Notes\n\nNo due date is set.\n"},
    "both": {**INVOICES, "receivables.csv": SHEET},
    "reports": {**REPORTS, "reports-register.csv": REGISTER},
    "contracts": {**CONTRACTS, "liste.csv": LISTE},
    "leases": LEASES,
}
ROWS, DOCUMENTS = "These are rows of a table", "These are documents that are called so."
ZEILEN, DOKUMENTE = "Das sind Zeilen einer Tabelle", "Das sind Dokumente, die so heißen."


@pytest.fixture(scope="module")
def services():
    made = {}
    for name, files in SCOPES.items():
        pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
        for path, text in files.items():
            pipeline.upload(f"acme/{path if '/' in path else f'default/{path}'}", text.encode())
        made[name] = Service(pipeline, "acme")
    return made


def ask(services, scope, question):
    questions = services[scope].questions
    return questions.get(questions.ask(question).question_id).answer


def shown(answer, *, rows):
    """Returns the first cell of each row, or the documents of all lines."""
    if rows:
        return [one.text.split(" | ")[0] for one in answer.sentences if one.citations]
    return sorted({one.document for one in answer.citations})


@pytest.mark.parametrize(
    ("scope", "question", "head", "items"),
    [
        ("sheet", "Which invoices have no due date?", ROWS, ["R-102"]),
        ("sheet", "How many invoices are open?", ROWS, ["R-102", "R-103"]),
        ("sheet", "Which invoices are due before 2027?", ROWS, ["R-103"]),
        ("sheet", "Which invoices have an amount above 200?", ROWS, ["R-101", "R-102"]),
        ("sheet", "Which invoices have no amount?", ROWS, []),
        ("sheet", "Which invoices have a status?", ROWS, ["R-101", "R-102", "R-103"]),
        ("sheet", "How many invoices mention Delmar?", ROWS, ["R-102"]),
        ("sheet", "Which invoices do not mention Delmar?", ROWS, ["R-101", "R-103"]),
        ("sheet", "Welche Rechnungen haben kein due date?", ZEILEN, ["R-102"]),
        ("files", "Which invoices have no due date?", DOCUMENTS, ["invoice-2.md"]),
        ("files", "Which invoices have a due date?", DOCUMENTS, ["invoice-1.md"]),
        ("files", "How many invoices mention paddles?", DOCUMENTS, ["invoice-1.md"]),
        ("files", "How many invoices contain a rope?", DOCUMENTS, ["invoice-1.md", "invoice-2.md"]),
        ("both", "Which invoices have no due date?", ROWS, ["R-102"]),
        ("both", "Which invoices do not mention paddles?", DOCUMENTS, ["invoice-2.md"]),
        ("both", "Which invoices mention a due date?", DOCUMENTS, ["invoice-1.md"]),
        ("both", "Which invoices contain a bell?", DOCUMENTS, ["invoice-2.md"]),
        ("reports", "Which reports mention water?", DOCUMENTS, ["report-north.md"]),
        ("reports", "Which reports are by Ann?", ROWS, ["North pier"]),
        ("reports", "Which reports have more than 3 pages?", ROWS, ["North pier", "South pier"]),
        ("contracts", "Welche Verträge enden 2027?", ZEILEN, ["Nord", "West"]),
        ("contracts", "Welche Verträge enden vor dem 1.1.2028?", ZEILEN, ["Nord", "West"]),
        ("contracts", "Welche Verträge erwähnen keine Haustiere?", DOKUMENTE, ["vertrag-ost.md"]),
        ("contracts", "Wie viele Verträge nennen eine Kaution?", DOKUMENTE, ["vertrag-ost.md"]),
        ("leases", "Which leases mention pets?", DOCUMENTS, ["elm.md"]),
        ("leases", "How many leases mention pets?", DOCUMENTS, ["elm.md"]),
        ("leases", "Which leases have no rent?", DOCUMENTS, ["elm.md"]),
    ],
)
def test_what_is_there_and_the_condition_decide(services, scope, question, head, items):
    answer = ask(services, scope, question)
    assert shown(answer, rows=head in {ROWS, ZEILEN}) == items
    assert head in answer.sentences[0].text
    assert answer.coverage.documents == answer.coverage.of == len(SCOPES[scope])


@pytest.mark.parametrize(
    ("scope", "question", "says"),
    [
        (
            "both",
            "Which invoices have no due date?",
            (
                "1 of 3 rows in receivables.csv fit “have no due date”. These are rows of a table,"
                " chosen by what its columns say. Left aside: 2 documents that the name"
                " fits as well."
            ),
        ),
        (
            "both",
            "Which invoices mention paddles?",
            (
                "1 of 2 invoices has “paddles”. These are documents that are called so. Left aside:"
                " rows of receivables.csv, which list such things as well."
            ),
        ),
        (
            "reports",
            "Which reports mention Ann?",
            (
                "0 of 2 reports have “Ann”. These are documents that are called so. Left aside:"
                " rows of reports-register.csv, which list such things as well."
            ),
        ),
        ("sheet", "Which invoices have no amount?", "0 of 3 rows in receivables.csv fit"),
        (
            "contracts",
            "Welche Verträge enden 2027?",
            (
                "2 von 3 Zeilen in liste.csv passen zu „enden 2027“. Das sind Zeilen einer Tabelle,"
                " ausgewählt nach ihren Spalten. Auf den Namen passt noch mehr; in 2 Dokumenten"
                " wurde nicht danach gesucht."
            ),
        ),
    ],
)
def test_an_answer_says_which_of_both_was_read_and_names_the_other(services, scope, question, says):
    assert ask(services, scope, question).sentences[0].text.startswith(says)


def test_where_no_column_tells_nothing_is_claimed(services):
    answer = ask(services, "sheet", "Which invoices have no stamp?")
    assert answer.outcome == "nearest"
    assert answer.sentences[0].text.startswith(
        "receivables.csv lists such things in rows, but no column or row has all words of"
        " “have no stamp”."
    )


@pytest.mark.parametrize("question", ["Which people have no boat?", "How many boats have a mast?"])
def test_a_noun_that_names_no_documents_is_searched_for_as_before(services, question):
    assert ask(services, "leases", question).coverage is None
