"""How a case is judged, what a rubric makes of it, and what is said of files that are wrong."""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.errors import BadRequestError
from footnote.evaluation import words
from footnote.evaluation.cases import Case, CaseFile, Gold, Label, read_cases
from footnote.evaluation.judge import ModelJudge
from footnote.evaluation.judging import Asked, Depth, judge
from footnote.evaluation.metrics import around, kappa, overlap, precision, recall, sign_test
from footnote.evaluation.results import compare, means
from footnote.evaluation.rubric import Measure, Rubric, Totals, failures, read_rubric, score
from footnote.evaluation.settings import read_settings
from footnote.prompts import digest_of

QUOTE = "The harbour fee for a barge is 84 crowns."
GOLD = Gold(document="fees.pdf", page=3, sentence=QUOTE, box=(70, 310, 480, 330))
CASE = Case(id="fee", question="What is the harbour fee?", gold=(GOLD,), answer="84 crowns")
REFUSED = Case(id="none", question="What does a submarine pay?", must_refuse=True)
DEPTH = Depth()


def hit(**changes):
    return {"document": "fees.pdf", "pages": [3], "text": f"Fees. {QUOTE}"} | changes


def citation(**changes):
    box = {"page": 3, "x0": 72, "y0": 310, "x1": 480, "y1": 326}
    place = {"document": "fees.pdf", "pages": [3], "boxes": [box], "quote": QUOTE}
    return {"n": 1, "section": [], "header": [], "row": "", **place, **changes}


def sentence(text=QUOTE, cites=(1,)):
    return {"text": text, "citations": list(cites), "computed": []}


def reply(*sentences, cited=None, **changes):
    said = sentences or (sentence(),)
    return {
        "found": True,
        "kind": "answer",
        "answer": " ".join(f"{one['text']} [1]" for one in said),
        "sentences": list(said),
        "citations": [citation()] if cited is None else cited,
        "degraded": [],
        "coverage": None,
    } | changes


def judged(case=CASE, hits=None, standing=(1,), **told):
    found = [hit()] if hits is None else hits
    return judge(Asked(case, found, reply(**told), (), frozenset(standing)), DEPTH)


# -- figures that others have worked out -----------------------------------------------------------


def test_precision_and_recall_are_those_of_the_textbook():
    # Manning, Raghavan, Schütze, Introduction to Information Retrieval, exercise 8.8: system 1
    ranks = "RNRNNNNNRR"
    found = [f"{letter}{n}" for n, letter in enumerate(ranks)]
    relevant = {name for name in found if name.startswith("R")}
    assert len(relevant) == 4
    assert (precision(found[:1], relevant), precision(found[:5], relevant)) == (1.0, 0.4)
    assert (recall(found[:5], relevant), recall(found, relevant)) == (0.5, 1.0)
    assert (precision([], relevant), recall(found, set())) == (0.0, 0.0)


def test_two_boxes_overlap_as_much_as_they_share():
    # a published example of intersection over union: 6,624 of 8,324
    assert overlap((39, 63, 203, 112), (54, 66, 198, 114)) == pytest.approx(0.7957, abs=1e-4)
    assert overlap((0, 0, 1, 1), (2, 0, 3, 1)) == 0.0
    assert around([(1, 5, 2, 6), (0, 4, 9, 5)]) == (0, 4, 9, 6)


def test_kappa_is_agreement_beyond_chance():
    # Wikipedia's example of Cohen's kappa: 20 and 15 agreed, 5 and 10 not: .4
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10
    assert kappa([*pairs, *[(False, False)] * 15]) == pytest.approx(0.4)
    assert (kappa([]), kappa([(True, True)])) == (0.0, 1.0)


def test_the_sign_test_is_exact():
    # 8 heads of 10: 2 * (1 + 10 + 45) / 1024
    assert sign_test(8, 2) == sign_test(2, 8) == pytest.approx(0.109375)
    assert (sign_test(0, 0), sign_test(1, 1)) == (1.0, 1.0)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted", "held"),
    [
        ("Hotel, per night | £170 | £115", "Hotel, per night … £170", True),
        ("Hotel, per night | £170 | £115", "£170 … Hotel", False),
        ("The  harbour\nfee", "the harbour fee", True),
        ("The harbour fees", "the harbour fee", False),
    ],
)
def test_a_text_holds_words_in_their_order(text, wanted, held):
    assert words.holds(text, wanted) is held


def test_a_sentence_rests_on_quotes_with_its_figures_and_half_of_its_words():
    assert words.rests_on("A barge pays a fee of 84 crowns.", [QUOTE])
    assert not words.rests_on("A barge pays a fee of 97 crowns.", [QUOTE])
    assert not words.rests_on("Submarines surface seldom near 84.", [QUOTE])


# -- one case --------------------------------------------------------------------------------------


def test_a_right_answer_has_no_fault_and_full_figures():
    figures, faults = judged()
    assert faults == ()
    assert figures.pop("context_relevance") == 1.0
    assert set(figures.values()) == {1.0}
    assert {"faithfulness", "precision_at_k", "recall_at_k", "answer_and_place"} <= set(figures)


@pytest.mark.parametrize(
    ("changes", "figure", "fault"),
    [
        ({"hits": [hit(pages=[4]), hit()]}, "precision_at_k", None),
        ({"hits": [hit(text="Fees.")]}, "recall_at_k", None),
        ({"found": False}, "answered", "no answer (a search finds the gold place at rank 1)"),
        ({"cited": [citation(pages=[9])]}, "citation_recall", "cites no gold place, but fees.pdf"),
        ({"answer": "97 crowns [1]"}, "answer_match", "it does not say “84 crowns”"),
        ({"standing": ()}, "faithfulness", "a quote that its document does not have"),
        ({"sentences": [sentence(cites=())]}, "faithfulness", "cites nothing"),
        ({"sentences": [sentence("It is 97 crowns.")]}, "faithfulness", "not what its quotes say"),
        ({"cited": [citation(boxes=[])]}, "answer_and_place", None),
    ],
)
def test_what_is_wrong_lowers_its_figure_and_is_said(changes, figure, fault):
    figures, faults = judged(**changes)
    assert figures[figure] == 0.0
    assert any(fault in one for one in faults) if fault else not faults


def test_a_box_elsewhere_on_the_right_page_is_the_wrong_place():
    box = {"page": 3, "x0": 72, "y0": 500, "x1": 480, "y1": 516}
    figures, _ = judged(cited=[citation(boxes=[box])])
    assert (figures["citation_recall"], figures["answer_and_place"]) == (1.0, 0.0)


def test_what_must_be_refused_may_be_shown_but_not_answered():
    assert judged(REFUSED, found=False).faults == ()
    figures, [fault] = judged(REFUSED)
    assert figures["refusal_accuracy"] == 0.0 and fault.startswith("it answers what must be")
    assert judged(REFUSED, found=False, kind="direct").figures["refusal_accuracy"] == 0.0


def test_a_note_excuses_an_answer_where_the_case_allows_it():
    case = REFUSED.model_copy(update={"or_note": "German"})
    assert judged(case, degraded=["The question is in german."]).faults == ()
    assert judged(case, degraded=["No model."]).faults != ()


def test_a_case_that_was_not_answered_for_an_error_fails():
    figures, [fault] = judge(Asked(CASE, error="unavailable: it is down"), DEPTH)
    assert (figures, fault) == ({"answered": 0.0}, "it was not answered: unavailable: it is down")


def test_remarks_on_the_search_itself_need_no_quote():
    remark = sentence("The documents do not say who pays.", cites=())
    assert judged(sentences=[sentence(), remark]).figures["faithfulness"] == 1.0
    assert judged(sentences=[sentence(), sentence("So be it.", ())]).figures["faithfulness"] == 0.5


# -- the rubric ------------------------------------------------------------------------------------


def totals(**changes):
    figures = {"faithfulness": 0.9, "precision_at_k": 0.5, "recall_at_k": 1.0}
    return Totals(score=0.8, passed=0.9, figures=figures | changes)


def test_the_score_weighs_what_was_measured():
    figures = {"faithfulness": 1.0, "precision_at_k": 0.5, "answered": 0.0}
    assert score(Rubric(), figures) == pytest.approx((0.30 + 0.125) / 0.55)
    assert score(Rubric(), {"answered": 1.0}) == 0.0


def test_unfaithful_answers_fail_a_run_whatever_the_rest():
    assert list(failures(Rubric(), totals(faithfulness=0.71), None)) == []
    [why] = failures(Rubric(), totals(faithfulness=0.69), None)
    assert why == "faithfulness: 0.690 is below its floor 0.700"
    [why] = failures(Rubric(), Totals(score=1, passed=1, figures={"answered": 1.0}), None)
    assert "no case measured it" in why


def test_a_run_fails_by_score_cases_and_cost():
    rubric = Rubric(score=0.85, passed=0.95, ceilings={"usd": 1.0})
    dear = totals().model_copy(update={"costs": {"usd": 1.5}})
    assert [why.split(":")[0] for why in failures(rubric, dear, None)] == ["score", "passed", "usd"]


def test_a_figure_of_the_rubric_may_not_fall_below_the_baseline():
    rubric = Rubric(fall=0.02)
    assert list(failures(rubric, totals(), totals(precision_at_k=0.51))) == []
    [why] = failures(rubric, totals(), totals(precision_at_k=0.6))
    assert why == "precision_at_k: 0.500, the baseline has 0.600"
    assert list(failures(rubric, totals(), totals(answered=1.0))) == []
    gone = totals()
    assert list(failures(rubric, gone, totals(context_relevance=0.4)))


def test_each_case_counts_the_same():
    wrong = judged(sentences=[sentence(cites=()), sentence(), sentence(), sentence()])
    assert means([judged(), wrong])["faithfulness"] == pytest.approx(0.875)


def test_runs_are_compared_case_by_case():
    def run(**faults):
        return {"cases": [{"id": name, "faults": each} for name, each in faults.items()]}

    before, now = run(a=["x"], b=[], c=[], gone=[]), run(a=[], b=["x"], c=[], new=["x"])
    expected = {"cases": 3, "better": ["a"], "worse": ["b"], "p": 1.0}
    assert compare(now, before) == expected


# -- a model as judge ------------------------------------------------------------------------------


def verdict(*, supported, lacks=""):
    return f'{{"words": [], "lacks": "{lacks}", "supported": {str(supported).lower()}}}'


def test_a_model_judges_sentences_and_is_measured_by_what_people_said():
    yes, no = verdict(supported=True), verdict(supported=False)
    model = ModelJudge(ScriptedLLM([], judge=[yes, no, verdict(supported=True, lacks="97")]))
    labels = [Label(sentence="A", quote="B", supported=told) for told in (True, False, True)]
    results = model.results(labels)
    assert (results["labels"], results["agreed"], results["judged"]) == (3, 2, 3)
    assert results["prompt"] == digest_of("judge")


def test_where_the_model_fails_rules_judge_and_that_is_counted():
    model = ModelJudge(ScriptedLLM([], judge=["no JSON"]))
    assert model.supports(QUOTE, [QUOTE])
    assert model.results([])["by_rule"] == 1


# -- files -----------------------------------------------------------------------------------------

WRONG = {
    "page": ("cases:\n- id: a\n  question: b\n  gold:\n  - document: c\n    page: x\n", 6),
    "gold[0].pages": ("cases:\n- id: a\n  question: b\n  gold: [{document: c, pages: [1]}]\n", 4),
    "cases[1].question": ("cases:\n- {id: a, question: b, answer: c}\n- id: d\n  answer: x\n", 3),
    "stands here twice": ("cases:\n- id: a\n  answer: x\n  answer: y\n  question: b\n", 4),
    "mapping values": ("cases:\n- id: a: b\n", 2),
    "cases: ": ("cases: []\n", 1),
}


@pytest.mark.parametrize("field", WRONG)
def test_a_mistake_in_a_file_is_named_with_its_line_and_field(tmp_path, field):
    text, line = WRONG[field]
    file = tmp_path / "cases.yaml"
    file.write_text(text)
    with pytest.raises(BadRequestError) as wrong:
        read_cases(file)
    assert f"{file}, line {line}" in wrong.value.message
    assert field in wrong.value.message
    assert wrong.value.action.endswith((".", "it."))


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ("{id: a, question: b, must_refuse: true, answer: c}", "must_refuse"),
        ("{id: a, question: b, answer: c, or_note: d}", "or_note"),
        ("{id: a, question: b}", "nothing is judged"),
        ("{id: a, question: b, gold: [{document: c, box: [1, 2, 3, 4]}]}", "box"),
        ("{id: a, question: b, answer: c, filters: [nope]}", "filters"),
        ("{id: a, question: b, answer: c}\n- {id: a, question: b, answer: c}", "another case"),
    ],
)
def test_a_case_that_contradicts_itself_is_named(tmp_path, case, field):
    file = tmp_path / "cases.yaml"
    file.write_text(f"cases:\n- {case}\n")
    with pytest.raises(BadRequestError, match=field) as wrong:
        read_cases(file)
    assert "case 'a'" in wrong.value.message


@pytest.mark.parametrize("text", ["", "\x00", "&a [*a]", "- a", "cases: &a [*a]"])
def test_a_file_that_is_no_file_of_cases_is_refused_in_words(tmp_path, text):
    file = tmp_path / "cases.yaml"
    file.write_text(text)
    with pytest.raises(BadRequestError, match=r"cases\.yaml"):
        read_cases(file)


def test_answers_stay_the_words_that_were_written(tmp_path):
    file = tmp_path / "cases.yaml"
    rows = "\n".join(f"- {{id: c{n}, question: b, answer: {told}}}" for n, told in enumerate(WORDS))
    file.write_text(f"cases:\n{rows}\n")
    assert [case.answer for case in read_cases(file).cases] == WORDS


WORDS = ["2014", "no", "2026-08-15", "1_000", "0x10", "1e3", "null"]


def test_drafts_are_not_asked_and_tags_choose():
    draft = CASE.model_copy(update={"id": "d", "draft": True})
    tagged = REFUSED.model_copy(update={"tags": ("absent",)})
    file = CaseFile(cases=(CASE, draft, tagged))
    assert file.with_tags(()) == (CASE, tagged)
    assert file.with_tags(("absent", "other")) == (tagged,)


def test_a_rubric_and_settings_come_from_yaml(tmp_path):
    file = tmp_path / "rubric.yaml"
    file.write_text("k: 3\nfigures:\n  answered: {weight: 1, floor: .5}\nceilings: {usd: 2}\n")
    rubric = read_rubric(file)
    assert (rubric.k, rubric.figures) == (3, {"answered": Measure(weight=1, floor=0.5)})
    file.write_text("figures:\n  answered: {floor: .5}\n")
    with pytest.raises(BadRequestError, match="no figure has a weight"):
        read_rubric(file)
    file.write_text("settings:\n  words: {search: {strategy: magic}}\n")
    with pytest.raises(BadRequestError, match=r"line 2, settings\.words\.search\.strategy"):
        read_settings(file)
    file.write_text("settings:\n  words: {search: {strategy: lexical}, ask: {budget: {rounds: 1}}}")
    [setting] = read_settings(file).values()
    assert (setting.search_options, setting.ask_options) == (
        {"strategy": "lexical"},
        {"budget": {"rounds": 1}},
    )
