"""A stack of the last release can be updated to this template, and keeps what it holds.

What CloudFormation makes anew, or refuses, is read from its schemas and from what AWS says of
tables. `tests/integration/test_deploy_again.py` does it, on a stack that knows less of it.
"""

import pytest

from tests import last_release
from tests.template import read_template
from tests.transformed import made

pytestmark = pytest.mark.slow  # SAM's transform
NAMES = {"StateMachineName", "LogGroupName", "DashboardName", "Name", "ManagedPolicyName"}
"""Properties by which we name a resource: CloudFormation cannot make a second one beside it."""
IN_USE = {
    "AWS::Lambda::Function": "executions and messages that are under way call it",
    "AWS::SQS::Queue": "messages lie in it",
    "AWS::StepFunctions::StateMachine": "questions run in it",
    "AWS::ApiGateway::RestApi": "its address and keys are known to callers",
    "AWS::ApiGateway::ApiKey": "callers hold it",
    "AWS::ApiGateway::UsagePlan": "keys that operators have made belong to it",
}
"""What holds no document but must not go either."""


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return last_release.unpack(tmp_path_factory.mktemp("last"))


@pytest.fixture(scope="module")
def was(template):
    return made(template)["template"]["Resources"]


@pytest.fixture(scope="module")
def now():
    return made()["template"]["Resources"]


@pytest.fixture(scope="module")
def source(template):
    return last_release.read(template)


def part(resource, path):
    found = resource.get("Properties", {})
    for name in path.split("/"):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def remade(was, now, name):
    """Returns the properties of a resource whose change makes another one, and that have changed.

    A property without a value counts as unchanged where its value is the default: none is so here.
    """
    paths = made()["replacing"][now[name]["Type"]]
    return {path for path in paths if part(was[name], path) != part(now[name], path)}


def holds_data(resources):
    kinds = set(made()["stateful"])
    return {name for name, one in resources.items() if one["Type"] in kinds}


def test_whatever_holds_data_or_is_in_use_is_still_there(was, now):
    kept = holds_data(was) | {name for name, one in was.items() if one["Type"] in IN_USE}
    assert len(kept) > 50
    for name in kept:
        assert name in now, name
        assert now[name]["Type"] == was[name]["Type"], name
        assert now[name].get("Condition") == was[name].get("Condition"), name


def test_nothing_that_holds_data_or_is_in_use_is_made_anew(was, now):
    kept = holds_data(was) | {name for name, one in was.items() if one["Type"] in IN_USE}
    assert {name: changed for name in kept if (changed := remade(was, now, name))} == {}


def test_what_has_a_name_of_ours_is_not_made_anew_under_that_name(was, now):
    """CloudFormation makes the new one first, and finds its name taken: the update fails."""
    named = {
        name
        for name, one in was.items()
        if name in now and NAMES & one.get("Properties", {}).keys() & set(paths_of(one))
    }
    assert named
    assert {name: changed for name in named if (changed := remade(was, now, name))} == {}


def paths_of(resource):
    return made()["replacing"].get(resource["Type"], ())


def test_a_table_gets_or_loses_one_index_and_changes_none(was, now):
    """DynamoDB makes or deletes one in an update, and CloudFormation makes one update of it."""
    tables = [name for name, one in was.items() if one["Type"] == "AWS::DynamoDB::Table"]
    assert len(tables) > 3
    for name in tables:
        before, after = indexes(was[name]), indexes(now[name])
        assert len(before.keys() ^ after.keys()) <= 1, name
        for index in before.keys() & after.keys():
            assert before[index] == after[index], (name, index)


def indexes(table):
    given = table["Properties"].get("GlobalSecondaryIndexes", [])
    return {one["IndexName"]: one for one in given}


def test_a_parameter_that_was_given_may_be_given_again(source):
    """`sam deploy` refuses names that the template lacks, and values that it no longer takes."""
    present = read_template()["Parameters"]
    for name, before in source["Parameters"].items():
        after = present[name]
        assert after["Type"] == before["Type"], name
        assert after.get("AllowedPattern", ".*") in {".*", before.get("AllowedPattern")}, name
        taken = after.get("AllowedValues")
        assert taken is None or set(before["AllowedValues"]) <= set(taken), name
        assert float(after.get("MinValue", "-inf")) <= float(before.get("MinValue", "-inf")), name
        assert float(after.get("MaxValue", "inf")) >= float(before.get("MaxValue", "inf")), name


def test_a_default_is_what_it_was_or_the_page_on_upgrading_says_so(source, root):
    present = read_template()["Parameters"]
    changed = {
        name
        for name, before in source["Parameters"].items()
        if present[name].get("Default") != before.get("Default")
    }
    upgrading = (root / "docs/deploying.md").read_text().split("## Upgrading")[1].split("\n## ")[0]
    assert {name for name in changed if f"The default of `{name}`" not in upgrading} == set()


def test_outputs_that_scripts_read_are_still_there(source):
    assert source["Outputs"].keys() <= read_template()["Outputs"].keys()


def test_a_stack_that_is_updated_keeps_what_a_deletion_would_keep(was):
    """The policies of the stack that is there count until the update is over."""
    kept = {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"}
    assert len(durable(was)) == 5
    assert all(kept.items() <= one.items() for one in durable(was))


def durable(resources):
    kinds = {"AWS::S3::Bucket", "AWS::OpenSearchService::Domain"}
    names = {"DocumentsTable", "QuestionsTable"}
    return [one for name, one in resources.items() if one["Type"] in kinds or name in names]
