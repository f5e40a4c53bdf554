"""First hits that a small model reads: what it is shown of them, and what follows from its word."""

import pytest

from footnote.ask.find.hit_probability import drop_unlikely, with_probability
from footnote.ask.find.reader_signal import LENGTH, LONGEST, READ, WEIGHT, excerpts, read_hits
from footnote.ask.query.reading import QueryReading
from footnote.model import Chunk, Hit, TableHeader

QUESTION = "What does a berth cost at Quay Nine?"
READING = QueryReading(QUESTION)


def judge(word="", asked=None):
    """Returns a judge that is certain of every text with `word`, and certain against all others."""

    def judge_lines(texts):
        if asked is not None:
            asked.append(texts)
        return [50.0 if word and word in text else -50.0 for text in texts]

    return judge_lines


def hit(text, n=1, score=1.0, **fields):
    chunk = Chunk(id=f"c{n}", ordinal=n, text=text, start=0, end=len(text), **fields)
    return Hit(
        rank=n,
        score=score,
        document_id=f"d{n}",
        document=f"harbour_fees_{n}.pdf",
        collection="c",
        version="v1",
        chunk=chunk,
    )


def many(count):
    """Returns hits from 1 down to 0 in equal steps."""
    return [hit(f"Fee {n}.", n, 1 - (n - 1) / (count - 1)) for n in range(1, count + 1)]


# -- what is shown --------------------------------------------------------------------------------


def test_the_line_with_the_words_asked_for_is_read_with_where_it_stands():
    filler = "The ferry leaves at noon and comes back before it is dark again. " * 5
    text = f"{filler}A berth costs 140 crowns. {filler}"
    [read] = excerpts(READING, [hit(text, title="Fees", section=("Rules", "Berths"))])
    line, place = read.split("\n")
    assert "A berth costs 140 crowns." in line
    assert line.count("ferry") == 1  # after it; one more before would be too long
    assert place == "harbour fees 1 > Fees > Berths"


def test_a_rare_word_counts_more_than_two_that_every_hit_has():
    both = hit("A berth has a cost. " * 9 + "The Quay is the third one.", 1)
    others = [hit("A berth has a cost.", n) for n in range(2, 11)]
    [read, *_] = excerpts(READING, [both, *others])
    assert "The Quay" in read


def test_a_row_is_read_with_the_header_of_its_table():
    rows = [f"Row {n} | {n}00 | {n}50" for n in range(1, 9)]
    table = "\n".join(["Place | 2023 | 2022", *rows, "Berth at Quay Nine | 140 | 130"])
    [read] = excerpts(READING, [hit(table)])
    assert read.split("\n")[1] == "Place | 2023 | 2022"
    assert "Quay Nine | 140" in read.split("\n")[0]


def test_a_row_of_a_table_that_goes_on_is_read_with_the_header_above_it():
    above = TableHeader(text="Place | 2023 | 2022", start=0, rows=0, end=19)
    [read] = excerpts(READING, [hit("Berth | 140 | 130\nShed | 20 | 19", above=above)])
    assert "Place | 2023 | 2022" in read


@pytest.mark.parametrize("words", [1, 15, 200])
def test_an_excerpt_is_short_however_long_its_line_is(words):
    text = f"A berth {'very ' * words}costs much. " + "The ferry leaves at noon. " * 40
    [read] = excerpts(READING, [hit(text)])
    line = read.split("\n")[0]
    said = line.replace(".", " .").split()
    assert len(line) == LONGEST if words == 200 else words + 5 < len(said) <= LENGTH


def test_a_question_without_a_word_of_its_own_and_a_text_without_lines_are_taken():
    assert excerpts(QueryReading("What is it?"), [hit("One thing. Another thing.")])[0].startswith(
        "One thing."
    )
    assert excerpts(READING, [hit(" ")]) == ["harbour fees 1"]
    assert excerpts(READING, []) == []


# -- what follows ---------------------------------------------------------------------------------


def test_what_is_certain_to_answer_rises_by_its_share_and_says_so():
    found = read_hits(READING, many(11), 50, judge("Fee 2"))
    assert [one.chunk.id for one in found[:3]] == ["c2", "c1", "c3"]
    assert [one.rank for one in found] == list(range(1, 12))
    assert found[0].score == pytest.approx(0.9 + WEIGHT)
    [signal] = found[0].explanation.signals
    assert (signal.signal, signal.added) == ("read", pytest.approx(WEIGHT))


def test_it_reads_the_first_hits_alone_and_the_others_stay():
    asked = []
    found = read_hits(READING, many(11), 50, judge(f"Fee {READ + 1}", asked))
    assert [len(texts) for texts in asked] == [READ]
    assert [one.chunk.id for one in found] == [f"c{n}" for n in range(1, 12)]
    assert found[READ].explanation is None


def test_where_nothing_answers_the_order_stays():
    found = read_hits(READING, many(11), 50, judge())
    assert [one.chunk.id for one in found] == [f"c{n}" for n in range(1, 12)]


def test_what_a_hit_gains_does_not_depend_on_how_many_hits_there_are():
    few, more = many(50)[:20], many(50)
    found = [read_hits(READING, hits, 20, judge("Fee 2"))[:20] for hits in (few, more)]
    assert found[0] == found[1]


def test_no_hits_and_one_hit_are_taken():
    assert read_hits(READING, [], 50, judge()) == []
    assert read_hits(READING, [hit("Fee 1.")], 50, judge("Fee 1"))[0].score == 1 + WEIGHT


def test_the_probability_of_a_hit_is_known_in_this_order():
    found = with_probability(read_hits(READING, many(5), 50, judge("Fee 2")), "hybrid_reranked")
    assert all(0 < one.probability < 1 for one in found)
    assert drop_unlikely(found, "hybrid_reranked", 1.0) == ([], ())
