"""Which sentences oblige whom, and lists of duties read from whole documents."""

import pytest

from footnote.ask.whole.topic import read_topic
from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words


@pytest.mark.parametrize(
    "sentence",
    [
        "The tenant shall keep the pier clean.",
        "The tenant must not store petrol.",
        "The tenant pays the rent by the third day.",
        "The tenant also promptly reports damage.",
        "Each tenant keeps the lamps lit.",
        "The tenant is responsible for the ropes.",
        "The tenant is solely liable for broken glass.",
        "The tenant agrees to paint the hull.",
        "The tenant undertakes to insure the boat.",
        "The tenant has to lock the gate.",
        "The tenant is required to give notice.",
        "The tenant may not sublet the berth.",
        "The tenant will return the keys.",
        "Water is to be paid by the tenant.",
        "All ropes shall be replaced at his own cost by the tenant.",
        "If the landlord asks for it, the tenant shall open the shed.",
        "The landlord shall repair the roof and the tenant shall clear the snow.",
        "The tenant, at his own cost, shall clear the snow.",
        "On notice from the landlord the tenant shall open the shed.",
        "The landlord shall repair the roof, and the tenant is in charge of the gutters.",
        "The tenant shall sweep the pier and must lock the gate.",
        "The tenant must have left by noon.",
        "The tenant has a duty to report damage.",
        "It is the tenant's responsibility to insure the boat.",
        "The tenant should oil the hinges.",
    ],
)
def test_a_sentence_that_obliges_is_a_duty(sentence):
    assert read_topic("obligations of the tenant").says_duty(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The tenant may keep a dog.",
        "The tenant receives two keys.",
        "The tenant is a rowing club.",
        "The tenant will receive the deposit within a month.",
        "The tenant's deposits are kept in a bank.",
        "If the tenant is late, the landlord shall send a letter.",
        "The landlord shall repair the roof.",
        "The landlord pays the tenant.",
        "The fee is to be paid by the landlord.",
        "With the tenant comes a new lamp.",
        "The tenant is not required to paint the hull.",
        "The tenant does not have to paint the hull.",
        "The tenant need not paint the hull.",
        "The tenant is under no obligation to paint the hull.",
        "The tenant shall not be liable for storms.",
        "The tenant shall have the right to inspect the roof.",
        "The tenant shall mean whoever signs.",
        "References to the tenant shall include guests.",
        "The tenant must have been asleep when the boat sank.",
        "The tenant must have taken the wrong rope.",
        "If the tenant must wait, the landlord pays for the time.",
        "The landlord shall give the tenant keys to the gate.",
        "Nothing in this lease shall oblige the tenant to sail.",
        "It is not the tenant's duty to paint the hull.",
        "It is the landlord's duty to heat the shed of the tenant's neighbour.",
        "The fee for the tenant shall be reviewed each year.",
    ],
)
def test_a_sentence_that_does_not_oblige_the_one_is_none(sentence):
    assert not read_topic("obligations of the tenant").says_duty(sentence)


@pytest.mark.parametrize(
    ("sentence", "is_duty"),
    [
        ("Der Mieter muss den Steg reinigen.", True),
        ("Der Mieter zahlt die Miete bis zum dritten Werktag.", True),
        ("Der Mieter ist verpflichtet, Schäden zu melden.", True),
        ("Der Mieter hat die Lampen zu pflegen.", True),
        ("Die Kosten sind vom Mieter zu tragen.", True),
        ("Der Mieter darf nicht untervermieten.", True),
        ("Der Mieter darf einen Hund halten.", False),
        ("Der Mieter erhält zwei Schlüssel.", False),
        ("Wenn der Mieter säumig ist, muss der Vermieter mahnen.", False),
        ("Hunde muss der Mieter anmelden.", True),
        ("Der Mieter hat den Steg täglich aufzuräumen.", True),
        ("Der Mieter sichert zu, den Steg zu reinigen.", True),
        ("Der Mieter ist für die Lampen verantwortlich.", True),
        ("Der Mieter muss nicht streichen.", False),
        ("Der Mieter ist nicht verpflichtet, den Steg zu pflegen.", False),
        ("Der Mieter haftet nicht für Sturm.", False),
        ("Der Vermieter stellt dem Mieter Strom.", False),
        ("Strom muss der Vermieter dem Mieter stellen.", False),
        ("Der Mieter soll schon 1950 gestorben sein.", False),
    ],
)
def test_german_sentences_are_read_alike(sentence, is_duty):
    assert read_topic("Pflichten des Mieters").says_duty(sentence) is is_duty


LEASE = """# Lease of the berth

## Tenant's duties

- clears the ice from the pier
- the gate: lock it at night

Lamps are lit at dusk.

## Costs

The tenant pays 40 crowns a month. Water is to be paid by the tenant. The landlord pays for heating.

## Rights of the tenant

The tenant may keep a dog.

- moor two boats

## Tenant

- feed the swans

## Work in winter

In winter the tenant shall:

- salt the steps
- break the ice, but need not carry it away
"""
MIETE = """# Mietvertrag

Der Mieter zahlt 40 Kronen im Monat. Der Vermieter heizt den Schuppen.
"""


@pytest.fixture(scope="module")
def pipeline():
    made = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    made.upload("acme/default/lease.md", LEASE.encode())
    made.upload("acme/default/mietvertrag.md", MIETE.encode())
    made.upload("acme/default/bericht.md", b"# Bericht\n\nDer Hafen wuchs um drei Stege.\n")
    return made


def ask(pipeline, question):
    service = Service(pipeline, "acme")
    answer = service.questions.get(service.questions.ask(question).question_id).answer
    return answer, [one.text for one in answer.sentences if one.citations]


@pytest.mark.parametrize(
    "question",
    [
        "List all obligations of the tenant.",
        "What are the tenant's duties?",
        "Which responsibilities does the tenant have?",
        "What must the tenant do?",
    ],
)
def test_duties_are_found_below_their_heading_and_in_other_sentences(pipeline, question):
    answer, lines = ask(pipeline, question)
    assert lines == [
        "clears the ice from the pier",
        "the gate: lock it at night",
        "Lamps are lit at dusk.",
        "The tenant pays 40 crowns a month.",
        "Water is to be paid by the tenant.",
        "feed the swans",
        "salt the steps",
    ]
    assert answer.coverage.documents == 3


# -- in German -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Liste alle Pflichten des Mieters auf.", "1 Eintrag zu „Pflichten des Mieters“"),
        ("Was sind die Pflichten des Mieters?", "1 Eintrag zu „Pflichten des Mieters“"),
        ("Was muss der Mieter tun?", "1 Eintrag zu „Pflichten: der Mieter“"),
        ("Fasse den Mietvertrag zusammen.", "Kernsätze aus 1 Dokument, zusammen 1 Satz"),
        ("Gib mir einen Überblick über den Bericht.", "Kernsätze aus 1 Dokument, zusammen 1 Satz"),
        ("Wie viele Verträge nennen Kronen?", "„Kronen“ steht in 1 von 1 Vertrag"),
        ("Wie viele Dokumente erwähnen den Hafen?", "„Hafen“ steht in 1 von 3 Dokumenten"),
        (
            "In wie vielen Dokumenten wird der Mieter erwähnt?",
            "„Mieter“ steht in 1 von 3 Dokumenten",
        ),
    ],
)
def test_german_lists_counts_and_summaries_are_read_whole(pipeline, question, first):
    answer, _ = ask(pipeline, question)
    assert answer.answer.startswith(first)
    assert answer.coverage.documents == answer.coverage.of


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Kronen zahlt der Mieter?",
        "Was zahlt der Mieter im Monat?",
        "Was muss der Mieter bei Frost tun?",
        "What must the tenant do after a storm?",
        "What are the requirements for a berth?",
    ],
)
def test_what_a_sentence_states_is_still_searched_for(pipeline, question):
    assert ask(pipeline, question)[0].coverage is None
