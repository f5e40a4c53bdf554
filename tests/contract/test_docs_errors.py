"""docs/errors.md has every error code that footnote can give, and none that it cannot."""

import ast
import json
import re
from functools import cache
from typing import NamedTuple, get_args

from footnote import errors
from footnote.ingest.index import line_rules
from footnote.model import Status
from tests.pages import ROOT, names, page, section, table
from tests.sources import tree_of
from tests.template import read_template

STATUS = {"DEFAULT_4XX": 400, "DEFAULT_5XX": 503}  # of those that keep the status there was
ERRORS = page("errors")
IN_PROCESS = "wiring/local_workflow.py"  # stands in for Step Functions in tests


class Given(NamedTuple):
    """A code, and the class of the error that has it ("" where none has)."""

    code: str
    error: str


@cache
def given():
    """Returns each code written as `code=…`, the classes' own, the lines' and the gateway's."""
    found = {Given(kind.default_code, name) for name, kind in kinds().items()}
    found |= {Given(code, "") for code in [*of_lines(), *of_the_gateway()]}
    for file in sorted((ROOT / "shared" / "footnote").rglob("*.py")):
        if not file.as_posix().endswith(IN_PROCESS):
            found |= set(said_in(tree_of(file)))
    return found


def kinds():
    every = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
    return {n: kind for n, kind in every.items() if issubclass(kind, errors.FootnoteError)}


def said_in(tree):
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        error = call.func.id if isinstance(call.func, ast.Name) else ""
        for keyword in call.keywords:
            if keyword.arg == "code" and not ast.unparse(call.func).startswith("logger."):
                yield from (Given(code, error) for code in texts(keyword.value, tree))


def texts(value, tree):
    """Returns the texts that a text, a constant's name or f"empty_{what}" stands for."""
    match value:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id=name):
            assigned = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
            constants = {
                ast.unparse(target): one.value for one in assigned for target in targets(one)
            }
            known = constants.get(name)
            return texts(known, tree) if known else imported(name, tree)
        case ast.JoinedStr():
            return filled(value, tree)
    return []


def targets(assigned):
    return assigned.targets if isinstance(assigned, ast.Assign) else [assigned.target]


def imported(name, tree):
    """Returns the texts of a constant that is imported from another of our modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and name in {one.name for one in node.names}:
            module = ROOT / "shared" / f"{(node.module or '').replace('.', '/')}.py"
            if module.exists():
                return texts(ast.Name(id=name), tree_of(module))
    return []


def filled(template, tree):
    """Yields f"{what}_too_long" for each text that the function around it is called with."""
    around = [
        n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and template in ast.walk(n)
    ]
    [name] = [function.name for function in around]
    for call in calls():
        if ast.unparse(call.func).endswith(name):
            for argument in call.args:
                if isinstance(argument, ast.Constant):
                    yield "".join(
                        part.value if isinstance(part, ast.Constant) else argument.value
                        for part in template.values
                    )


@cache
def calls():
    """Returns every call in the package."""
    trees = [tree_of(file) for file in (ROOT / "shared/footnote").rglob("*.py")]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def of_lines():
    """Returns the names of what `line_rules` finds wrong with a contextual line."""
    tree = tree_of(ROOT / "shared/footnote/ingest/index/line_rules.py")
    assert line_rules.find_problem("a\nb", [], lambda _: [1]) == "several_lines"
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    [problem] = [function for function in functions if function.name == "find_problem"]
    returned = [node.value for node in ast.walk(problem) if isinstance(node, ast.Return)]
    constants = [
        one for value in returned for one in ast.walk(value) if isinstance(one, ast.Constant)
    ]
    return {one.value for one in constants if isinstance(one.value, str)} - {"", "\n"}


def of_the_gateway():
    """Yields the codes of errors that API Gateway answers with for us."""
    for response in gateway().values():
        yield json.loads(response["ResponseTemplates"]["application/json"])["error"]["code"]


def gateway():
    return read_template()["Resources"]["Api"]["Properties"]["GatewayResponses"]


def told(text):
    """Returns the codes in the tables of a part of the page."""
    rows = [*table(text, "HTTP"), *table(text, "status")]
    cells = [row[1] for row in rows] + [row[0] for row in table(text, "code")]
    return {name for name in names(cells) if re.fullmatch(r"[a-z_]+", name)}


def test_every_code_is_told_and_no_other():
    real = {one.code for one in given()}
    assert len(real) > 40
    assert real - told(ERRORS) == set()
    assert told(ERRORS) - real == set()


def test_a_code_stands_beside_the_http_status_that_it_comes_with():
    rows = {code: row[0] for row in table(ERRORS, "HTTP") for code in names([row[1]])}
    classes = {name: str(kind.http_status) for name, kind in kinds().items()}
    for one in given():
        if one.error in classes and one.code in rows:
            assert rows[one.code] == classes[one.error], one
    for name, response in gateway().items():
        body = json.loads(response["ResponseTemplates"]["application/json"])
        assert rows[body["error"]["code"]] == str(response.get("StatusCode", STATUS.get(name)))


def test_every_class_that_the_api_answers_with_has_its_own_code_among_those_of_http():
    own = {kind.default_code for kind in kinds().values() if kind.http_status != 500}
    assert own <= told(section(ERRORS, "HTTP"))


def test_the_codes_of_files_that_cannot_be_read_stand_among_those_of_documents():
    refused = {one.code for one in given() if one.error in {"BadDocumentError", "UnsupportedError"}}
    assert refused - told(section(ERRORS, "Documents")) == {"unreadable"}  # of `footnote estimate`


def test_every_status_of_a_document_is_told():
    assert {
        status for status in get_args(Status) if status not in section(ERRORS, "Documents")
    } == set()
    rows = {row[0] for row in table(ERRORS, "status")}
    assert rows == {"READY", "DELETED", "FAILED", "UNSUPPORTED"}
