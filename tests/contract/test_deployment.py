"""A deployment that failed, or was deleted, is in no later one's way; waits hold few executions."""

import ast
from pathlib import Path

import pytest

import footnote
from footnote.service import MAX_WAIT
from footnote.settings import Settings
from tests.template import read_template

NAMES = {"BucketName", "TableName", "DomainName", "QueueName", "FunctionName", "RoleName"}
HOLDS_DATA = {"UploadsBucket", "ArtifactsBucket", "DocumentsTable", "QuestionsTable", "Domain",
              "AuditLogs"}  # fmt: skip

PACKAGE = Path(footnote.__path__[0])


@pytest.fixture(scope="module")
def template():
    return read_template()


def test_what_holds_data_stays_after_a_deletion_and_goes_when_its_creation_fails(template):
    resources = template["Resources"]
    kept = {
        name: one["DeletionPolicy"]
        for name, one in resources.items()
        if one.get("DeletionPolicy", "Delete") != "Delete"
    }
    assert kept == dict.fromkeys(HOLDS_DATA, "RetainExceptOnCreate")
    assert {resources[name]["UpdateReplacePolicy"] for name in kept} == {"Retain"}


NAME_ANOTHER = {
    "AWS::Lambda::EventSourceMapping": "the function that it feeds",
    "AWS::Lambda::Version": "the function that it is of",
    "AWS::Lambda::Alias": "likewise",
    "AWS::ApiGateway::BasePathMapping": "the domain that it is of",
    "AWS::ApiGateway::DomainName": "itself as its certificate does; it goes with the stack",
}
"""What has such a property and stays for nobody."""


def test_nothing_that_may_stay_has_a_name_of_ours(template):
    """A second deployment would find the name taken."""
    for name, resource in template["Resources"].items():
        if resource["Type"] in NAME_ANOTHER:
            continue
        assert not NAMES & set(resource.get("Properties", {})), name


def test_a_pause_stops_the_parse_step_alone_and_the_sweep_knows_of_it(template):
    mappings = {
        name: resource["Properties"]
        for name, resource in template["Resources"].items()
        if resource["Type"] == "AWS::Lambda::EventSourceMapping"
    }
    stops = {name for name, given in mappings.items() if given.get("Enabled", True) is not True}
    assert stops == {"ParseFunctionQueue"}
    assert mappings["ParseFunctionQueue"]["Enabled"] == ["Parses", True, False]
    sweep = template["Resources"]["SweepFunction"]["Properties"]["Environment"]["Variables"]
    assert sweep["FOOTNOTE_PARSE_STATE"] == "!Ref ParseState"
    states = template["Parameters"]["ParseState"]["AllowedValues"]
    assert Settings(parse_state=states[1]).parse_state == "DISABLED"


def test_by_default_no_request_waits_and_no_execution_is_reserved(template):
    given = template["Parameters"]
    assert given["WaitSeconds"]["Default"] == 0
    # parse, chunk and index hold the rest of ten; each reply that lasts waits for a step
    held = 2 * given["Concurrency"]["Default"] + given["IndexConcurrency"]["Default"]
    assert held + 2 * given["Streams"]["Default"] <= 10
    assert given["ApiConcurrency"]["Default"] == 0  # an account with ten cannot reserve any
    assert given["WaitSeconds"]["MaxValue"] == MAX_WAIT == Settings().wait_seconds


def test_a_key_makes_no_more_requests_than_a_new_account_has_executions(template):
    throttle = template["Resources"]["UsagePlan"]["Properties"]["Throttle"]
    assert set(throttle.values()) == {"!Ref RequestsPerSecond"}
    assert template["Parameters"]["RequestsPerSecond"]["Default"] <= 10


def modules_of(name):
    """Returns the modules of footnote that one imports when it is imported, itself included."""
    found, left = set(), [name]
    while left:
        one = left.pop()
        file = PACKAGE.parent / f"{one.replace('.', '/')}.py"
        if one in found or not file.is_file():
            continue
        found.add(one)
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                left += [node.module, *(f"{node.module}.{part.name}" for part in node.names)]
    return found


def faces(template):
    """Yields each function to which the API sends requests: its properties, and its module."""
    for name, resource in template["Resources"].items():
        properties = resource.get("Properties", {})
        events = properties.get("Events", {}).values()
        if resource["Type"] == "AWS::Serverless::Function" and any(
            one["Type"] == "Api" for one in events
        ):
            code = (PACKAGE.parents[1] / properties["CodeUri"] / "app.py").read_text()
            [module] = [
                one.module for one in ast.parse(code).body if isinstance(one, ast.ImportFrom)
            ]
            yield name, properties, module


def test_every_function_that_says_whose_pages_may_read_its_replies_is_told(template):
    """One that is not told lets the pages of all origins read them."""
    told, untold = set(), set()
    for name, properties, module in faces(template):
        variables = properties.get("Environment", {}).get("Variables", {})
        sources = (PACKAGE.parent / f"{one.replace('.', '/')}.py" for one in modules_of(module))
        if any("Access-Control-Allow-Origin" in one.read_text() for one in sources):
            (told if variables.get("FOOTNOTE_ALLOWED_ORIGIN") else untold).add(name)
    assert (told, untold) == (
        {"ApiFunction", "McpFunction", "DrawFunction", "StreamFunction", "ServeFunction"},
        set(),
    )


def test_no_partition_of_aws_is_written_down(root):
    """Regions in China and of the government have others."""
    folders = ("statemachines", "shared/footnote", "functions")
    files = [file for one in folders for file in (root / one).rglob("*.*") if file.is_file()]
    sources = [one for one in files if one.suffix in {".json", ".py"}] + [root / "template.yaml"]
    assert len(sources) > 100
    assert [one.name for one in sources if "arn:aws:" in one.read_text()] == []
