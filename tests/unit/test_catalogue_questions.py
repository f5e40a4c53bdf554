"""Which questions the table of documents answers, what they ask of it, which it leaves alone."""

from datetime import date

import pytest

from footnote.ask.catalogue.grammar import Ground
from footnote.ask.catalogue.question import say_question
from footnote.ask.catalogue.read import LONGEST, read_catalogue
from footnote.ask.catalogue.terms import FAILED, FAMILIES, LANGUAGES, WORKING
from footnote.model.catalogue import Between, CatalogueQuery, Days

TODAY = date(2026, 5, 20)  # a Wednesday
COLLECTIONS = {"contracts", "annual-reports", "Ports"}
GROUND = Ground(TODAY, COLLECTIONS.__contains__)
LIST, FAILURES = {"shows": "list"}, {"shows": "list", "statuses": FAILED}
NEWEST = {"order": "added", "descending": True}


def read(question, history=()):
    return read_catalogue(question, history, GROUND)


ASKED = {
    "How many documents are there?": {},
    "how many files do we have in total": {},
    "What is the total number of documents?": {},
    "Can you tell me how many documents there are?": {},
    "Count all documents": {},
    "How many docs are in the system right now?": {},
    "List all documents": LIST,
    "Please show me the files": LIST,
    "Which documents do I have access to?": LIST,
    # by collection
    "How many documents are in contracts?": {"collections": ("contracts",)},
    "How many documents are in the annual reports?": {"collections": ("annual-reports",)},
    'List the documents in the collection "old things"': LIST | {"collections": ("old things",)},
    "How many documents are in annual-reports and contracts?": {
        "collections": ("annual-reports", "contracts")
    },
    "How many files are in the folder drafts/2024?": {"folders": ("drafts/2024",)},
    "How many documents are in each collection?": {"shows": "groups", "by": "collection"},
    "Which collections are there?": {"shows": "groups", "by": "collection"},
    # by format and language
    "How many PDFs are there?": {"formats": ("PDF",)},
    "How many Word documents and PDF files are there?": {"formats": ("Word", "PDF")},
    "How many spreadsheets are there?": {"formats": ("Excel", "ODS", "CSV")},
    "Which documents are of type HTML?": LIST | {"formats": ("HTML",)},
    "How many documents by type?": {"shows": "groups", "by": "format"},
    "What file types are there?": {"shows": "groups", "by": "format"},
    "How many documents are in German?": {"languages": ("de",)},
    "How many French PDFs are there?": {"languages": ("fr",), "formats": ("PDF",)},
    "In which languages are the documents?": {"shows": "groups", "by": "language"},
    # by year and day
    "How many documents from 2024 are there?": {"years": (2024,)},
    "How many documents from 2022 to 2024?": {"years": (2022, 2023, 2024)},
    "Documents per year": {"shows": "groups", "by": "year"},
    "How many documents were added in 2025?": {"added": Days(first="2025-01-01", end="2026-01-01")},
    "Which documents were added this week?": LIST
    | {"added": Days(first="2026-05-18", end="2026-05-25")},
    "Which files were uploaded last month?": LIST
    | {"added": Days(first="2026-04-01", end="2026-05-01")},
    "What was added yesterday?": LIST | {"added": Days(first="2026-05-19", end="2026-05-20")},
    "Which documents were added since March?": LIST | {"added": Days(first="2026-03-01")},
    "Which documents were added after March 2026?": LIST | {"added": Days(first="2026-04-01")},
    "Which documents were added before 5 March 2026?": LIST | {"added": Days(end="2026-03-05")},
    "How many files were uploaded in the last 10 days?": {"added": Days(first="2026-05-10")},
    "Which documents changed between 2026-05-01 and 2026-05-03?": LIST
    | {"changed": Days(first="2026-05-01", end="2026-05-04")},
    # the first in an order
    "Which is the newest document?": LIST | NEWEST | {"limit": 1},
    "What are the five newest PDFs?": LIST | NEWEST | {"limit": 5, "formats": ("PDF",)},
    "Which document was added last?": LIST | NEWEST | {"limit": 1},
    "Show me the 3 largest files in contracts": LIST
    | {"order": "size", "descending": True, "limit": 3, "collections": ("contracts",)},
    "Which document is the oldest?": LIST | {"order": "added", "limit": 1},
    "Which documents have the most pages?": LIST | {"order": "pages", "descending": True},
    # size
    "Which documents are larger than 10 MB?": LIST | {"size": Between(least=10_000_001)},
    "How many files are under 500 KB?": {"size": Between(most=499_999)},
    "Which documents have at least 100 pages?": LIST | {"pages": Between(least=100)},
    "How many pages do the documents in contracts have?": {
        "measure": "pages", "collections": ("contracts",)
    },
    "What is the total size of all PDFs?": {"measure": "bytes", "formats": ("PDF",)},
    # status
    "What failed?": FAILURES | {"with_reasons": True},
    "What failed and why?": FAILURES | {"with_reasons": True},
    "Which documents failed and why?": FAILURES | {"with_reasons": True},
    "Why did documents fail?": FAILURES | {"with_reasons": True},
    "Did any documents fail?": FAILURES,
    "Which documents can\u2019t be read?": FAILURES,
    "How many failed?": {"statuses": FAILED},
    "Which documents failed this month?": FAILURES
    | {"changed": Days(first="2026-05-01", end="2026-06-01")},
    "How many documents are READY?": {"statuses": ("READY",)},
    "How many documents are not ready yet?": {"statuses": (*WORKING, *FAILED)},
    "Which documents are still being processed?": LIST | {"statuses": WORKING},
    "How many documents with warnings are there?": {"warned": True},
    "How many PDFs from 2024 in contracts failed?": {
        "formats": ("PDF",), "years": (2024,), "collections": ("contracts",), "statuses": FAILED
    },
    # one document
    "Why did scan.pdf fail?": LIST | {"files": ("scan.pdf",), "with_reasons": True},
    'What is the status of "annual plan.pdf"?': LIST | {"files": ("annual plan.pdf",)},
    "Is notes/plan.md ready?": LIST | {"files": ("notes/plan.md",)},
    "How many pages does plan.pdf have?": LIST | {"files": ("plan.pdf",)},
    "Which files with invoice in the name failed?": FAILURES | {"names": ("invoice",)},
    # readers
    "Who may read plan.pdf?": LIST | {"files": ("plan.pdf",)},
    "Who may read the documents?": {"shows": "groups", "by": "readers"},
    "Which documents can everyone read?": LIST | {"readers": "*"},
    "Which documents may the group legal read?": LIST | {"readers": "legal"},
    # German
    "Wie viele Dokumente gibt es?": {},
    "Wie viele PDF-Dateien aus 2024 in contracts sind fehlgeschlagen?": {
        "formats": ("PDF",), "years": (2024,), "collections": ("contracts",), "statuses": FAILED
    },
    "Was ist fehlgeschlagen und warum?": FAILURES | {"with_reasons": True},
    "Welches ist das neueste Dokument?": LIST | NEWEST | {"limit": 1},
    "Zeige mir die 3 gr\u00f6\u00dften Dateien": LIST
    | {"order": "size", "descending": True, "limit": 3},
    "Wie viele deutsche Dokumente haben wir?": {"languages": ("de",)},
    "Welche Dokumente wurden gestern hochgeladen?": LIST
    | {"added": Days(first="2026-05-19", end="2026-05-20")},
    "Welche Dateien sind gr\u00f6\u00dfer als 2 GB?": LIST | {"size": Between(least=2 * 10**9 + 1)},
    "Dokumente nach Jahr": {"shows": "groups", "by": "year"},
    "Wer darf plan.pdf lesen?": LIST | {"files": ("plan.pdf",)},
}  # fmt: skip


@pytest.mark.parametrize("question", ASKED)
def test_a_question_about_the_documents_themselves_is_read_with_all_its_conditions(question):
    assert read(question) == CatalogueQuery(**ASKED[question])


@pytest.mark.parametrize("question", ASKED)
def test_its_whole_words_are_read_as_the_same_question(question):
    query = read(question)
    assert read(say_question(query)) == query


@pytest.mark.parametrize(
    "query",
    [
        *(CatalogueQuery(formats=(name,)) for name in FAMILIES),
        *(CatalogueQuery(languages=(code,)) for code in LANGUAGES),
    ],
    ids=say_question,
)
def test_each_format_and_language_has_words_of_its_own(query):
    assert read(say_question(query)) == query


LEFT_ALONE = """
How many contracts end in 2027?
How many contracts are there?
How many documents mention Berlin?
How many documents are in Berlin?
How many documents do we need?
How many documents can I upload?
How many documents were signed in 2024?
How many documents did Anna send?
How many documents are required for a permit?
How many files does the contract require?
How many copies of the documents are there?
How many employees are there?
How many failed inspections are there?
How many reports mention revenue?
How many images are on page 3?
How many pages does the handbook require?
How many PDF exports does the tool allow?
How big may a file be?
List all documents about floods
List the documents to be filed
Show me what the documents say about tariffs
Which documents expire in 2027?
Which documents must be signed?
Which documents are due?
Which documents are needed for a visa?
Which documents are available to shareholders?
Which documents did the auditor request?
Which documents are confidential?
Which document says who is liable?
Which files are deleted after ten years?
Which harbours are there?
What is the largest contract?
What is the newest version of the policy?
What is the oldest document about?
What does the newest document say?
Summarise the newest document
Summarise all documents
What failed in the 2019 test?
Why did the pump fail?
Why are documents in German?
What file types are supported?
What languages are spoken in Belgium?
Who may read medical records?
Who wrote plan.pdf?
What is plan.pdf about?
What documents do I need to file a claim?
How long is the document?
When was the company founded?
documents
German documents
Wie viele Vertr\u00e4ge enden 2027?
Wie viele Dokumente brauche ich f\u00fcr den Antrag?
Wie viele Dokumente erw\u00e4hnen Berlin?
Welche Dokumente muss ich einreichen?
Welche Unterlagen sind n\u00f6tig?
Was ist das \u00e4lteste Geb\u00e4ude?
Warum ist die Pumpe fehlgeschlagen?
""".strip().splitlines()


@pytest.mark.parametrize("question", LEFT_ALONE)
def test_a_question_about_what_documents_say_is_left_to_the_search(question):
    assert read(question) is None


def test_a_day_that_does_not_exist_and_an_endless_question_are_left_alone():
    assert read("Which documents were added on 31 February 2026?") is None
    assert read("How many documents are there" + ", please" * LONGEST) is None
    assert read("") is None


def test_a_collection_is_known_only_if_the_caller_may_read_something_in_it():
    assert read("How many documents are in secrets?") is None
    closed = Ground(TODAY, lambda _: False)
    assert read_catalogue("How many documents are in contracts?", (), closed) is None
    named = read_catalogue("How many documents are in the collection contracts?", (), closed)
    assert named.collections == ("contracts",)  # and then counts none of them


FIRST = ("How many documents are there?", "There are 9 documents.")


@pytest.mark.parametrize(
    ("follows", "changed"),
    [
        ("And in contracts?", {"collections": ("contracts",)}),
        ("Only PDFs?", {"formats": ("PDF",)}),
        ("And how many of them failed?", {"statuses": FAILED}),
        ("Which ones?", LIST),
        ("Und aus 2024?", {"years": (2024,)}),
    ],
)
def test_a_question_that_goes_on_changes_the_last_one(follows, changed):
    assert read(follows) is None
    assert read(follows, (FIRST,)) == CatalogueQuery(**changed)


@pytest.mark.parametrize("question", ["And in Berlin?", "And revenue?", "Why is that?", "Thanks"])
def test_a_question_that_goes_on_with_more_than_conditions_is_left_to_the_search(question):
    assert read(question, (FIRST,)) is None


def test_a_later_condition_replaces_one_of_the_same_kind():
    history = (("How many documents are there in the collection contracts of type PDF?", "3"),)
    assert read("And from Ports?", history) == CatalogueQuery(
        collections=("Ports",), formats=("PDF",)
    )
