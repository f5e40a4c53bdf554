"""With `Release` steps are called by an alias; a new version's error rolls the release back."""

import pytest

from tests.template import read_template
from tests.transformed import Resolver, as_list, made, resolved

pytestmark = pytest.mark.slow  # SAM's transform
RELEASED = ("everything", "company")
"""Sets of parameters with `Release`: by CodeDeploy, and all at once."""
METRICS = 10
"""Of one alarm, from https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html"""


def machines(name):
    return resolved(name).of_type("AWS::StepFunctions::StateMachine")


def versioned():
    """Returns the functions that have an alias, as `Plan`."""
    every = made()["template"]["Resources"].items()
    return {name.removesuffix("Alias") for name, one in every if one["Type"].endswith("::Alias")}


def called_by(name):
    """Returns what queues, state machines and their roles name as the function to call."""
    given = resolved(name)
    for machine in machines(name).values():
        substituted = machine["DefinitionSubstitutions"].items()
        yield from (arn for key, arn in substituted if key.endswith("FunctionArn"))
    for role in given.of_type("AWS::IAM::Role").values():
        for policy in role.get("Policies", []):
            for one in policy["PolicyDocument"]["Statement"]:
                if "lambda:InvokeFunction" in as_list(one["Action"]):
                    yield from as_list(one["Resource"])
    for mapping in given.of_type("AWS::Lambda::EventSourceMapping").values():
        yield mapping["FunctionName"]


@pytest.mark.parametrize("name", RELEASED)
def test_no_step_is_called_by_its_bare_name(name):
    given, called = resolved(name), set(called_by(name))
    assert len(versioned()) == 18
    for verb in versioned():
        function, alias = given.arn(f"{verb}Function"), given.physical(f"{verb}Alias")
        assert alias == f"{function}:live"
        assert alias in called, verb
        assert not called & {function, given.physical(f"{verb}Function")}, verb


def test_without_a_release_nothing_has_a_version_and_functions_are_called_as_they_are():
    kinds = {one["Type"] for one in resolved("defaults").resources.values()}
    assert not kinds & {"AWS::Lambda::Version", "AWS::Lambda::Alias"}
    assert not any(kind.startswith("AWS::CodeDeploy") for kind in kinds)
    given, called = resolved("defaults"), set(called_by("defaults"))
    for verb in versioned():
        assert called & {given.arn(f"{verb}Function"), given.physical(f"{verb}Function")}, verb
    assert not any(arn.endswith(":live") for arn in called)


def test_every_task_and_every_step_of_a_document_has_an_alias():
    steps = {
        key.removesuffix("FunctionArn")
        for machine in machines("everything").values()
        for key in machine["DefinitionSubstitutions"]
        if key.endswith("FunctionArn")
    }
    of_queues = {
        name.removesuffix("FunctionQueue")
        for name, one in read_template()["Resources"].items()
        if one["Type"] == "AWS::Lambda::EventSourceMapping" and "Condition" not in one
    }
    assert steps | of_queues == versioned()


def test_a_release_of_another_name_publishes_what_it_did_not_change():
    """Lambda publishes no second version of a function that is as it was."""
    for name in RELEASED:
        release = resolved(name).values["Release"]
        versions = resolved(name).of_type("AWS::Lambda::Version")
        assert {one["Description"] for one in versions.values()} == {release}
        functions = resolved(name).of_type("AWS::Lambda::Function")
        assert {one["Description"] for one in functions.values()} == {release}
    assert not any(
        "Description" in one for one in resolved("own").of_type("AWS::Lambda::Function").values()
    )


def test_versions_of_before_stay_for_who_puts_them_back_by_hand():
    every = made()["template"]["Resources"].values()
    kept = [one["UpdateReplacePolicy"] for one in every if one["Type"] == "AWS::Lambda::Version"]
    assert kept == ["Retain"] * len(versioned())


def shifted(name):
    """Returns which deployment group moves an alias, by the alias's step."""
    given = resolved(name)
    return {
        alias.removesuffix("Alias"): policy["CodeDeployLambdaAliasUpdate"]
        for alias, one in given.resources.items()
        if one["Type"] == "AWS::Lambda::Alias" and (policy := one.get("UpdatePolicy"))
    }


def test_each_new_version_is_watched_by_the_alarm_that_rolls_it_back():
    given = resolved("everything")
    groups = {
        given.physical(name): name for name in given.of_type("AWS::CodeDeploy::DeploymentGroup")
    }
    for verb, policy in shifted("everything").items():
        assert groups[policy["DeploymentGroupName"]] == f"{verb}Release"
        group = given.resources[f"{verb}Release"]["Properties"]
        assert group["AutoRollbackConfiguration"]["Enabled"]
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
        assert group["DeploymentConfigName"] == "CodeDeployDefault.LambdaCanary10Percent5Minutes"
        [alarm] = group["AlarmConfiguration"]["Alarms"]
        assert group["AlarmConfiguration"]["Enabled"]
        assert (verb, "live") in watched(given, alarm["Name"])
    assert len(shifted("everything")) == 13


def watched(given, alarm):
    """Yields the step and the alias whose new version's errors an alarm counts."""
    [found] = [one for name, one in given.resources.items() if given.physical(name) == alarm]
    metrics = [one for one in found["Properties"]["Metrics"] if "MetricStat" in one]
    assert len(metrics) <= METRICS
    for one in metrics:
        metric = one["MetricStat"]["Metric"]
        assert (metric["Namespace"], metric["MetricName"]) == ("AWS/Lambda", "Errors")
        named = {each["Name"]: each["Value"] for each in metric["Dimensions"]}
        function, _, alias = named["Resource"].partition(":")
        assert function == named["FunctionName"]
        verb = next(v for v in versioned() if given.physical(f"{v}Function") == function)
        assert named["ExecutedVersion"] == given.physical(f"{verb}Version")
        yield verb, alias


def test_all_at_once_needs_no_codedeploy():
    assert shifted("company") == {}
    kinds = {one["Type"] for one in resolved("company").resources.values()}
    assert not any(kind.startswith("AWS::CodeDeploy") for kind in kinds)


def named_by(value):
    """Yields the resources that a value refers to, as CloudFormation counts what waits for what."""
    if isinstance(value, list):
        for one in value:
            yield from named_by(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key == "Ref":
                yield one
            elif key == "Fn::GetAtt":
                yield one[0] if isinstance(one, list) else one.split(".")[0]
            elif key == "Fn::Sub":
                text = one if isinstance(one, str) else one[0]
                yield from (part.split("}")[0].split(".")[0] for part in text.split("${")[1:])
                yield from named_by(one)
            elif key != "Condition":
                yield from named_by(one)


def waits_for(name):
    resources, found, left = made()["template"]["Resources"], set(), [name]
    while left:
        one = left.pop()
        after = set(named_by(resources[one])) & resources.keys()
        left += after - found
        found |= after
    return found


@pytest.mark.parametrize("verb", ["Ask", "Api", "Mcp", "Stream", "Fill"])
def test_what_asks_is_changed_after_the_steps_have_held(verb):
    """So new states meet no old function, and a release that fails never comes to the API."""
    name = f"{verb}Machine" if verb == "Ask" else f"{verb}Function"
    held = {f"{one}Alias" for one in ("Plan", "Read", "Work", "Retrieve", "Grade", "Synthesize")}
    assert held <= waits_for(name)


def test_codedeploy_may_move_these_aliases_and_no_others():
    given = resolved("everything")
    [policy] = given.resources["ReleaseRole"]["Properties"]["Policies"]
    moves = [
        one
        for one in policy["PolicyDocument"]["Statement"]
        if "lambda:UpdateAlias" in one["Action"]
    ]
    functions = {given.arn(f"{verb}Function") for verb in shifted("everything")}
    assert set(moves[0]["Resource"]) == functions | {f"{arn}:live" for arn in functions}
    assert len(moves) == 1


def test_a_shift_that_codedeploy_does_not_know_is_refused():
    given = made()["template"]["Parameters"]["ReleaseShift"]
    assert given["Default"] in given["AllowedValues"]
    one = Resolver(
        made()["template"], {"Release": "1", "ReleaseShift": "Linear10PercentEvery1Minute"}
    )
    group = one.resources["PlanRelease"]["Properties"]
    assert group["DeploymentConfigName"] == "CodeDeployDefault.LambdaLinear10PercentEvery1Minute"
