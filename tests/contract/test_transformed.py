"""What SAM makes of the template fits into AWS, and lets no role touch what is not the stack's."""

import json
import subprocess
from fnmatch import fnmatchcase

import pytest

from tests.reconfigured import Deployed, changed
from tests.transformed import ACCOUNT, REGION, SAM, SETS, Resolver, as_list, made, resolved

pytestmark = pytest.mark.slow  # SAM's transform
ENVIRONMENT = 4096
"""Bytes, from https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
INLINE, MANAGED = 10_240, 6_144
"""Characters without blanks, from https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"""
BODY, MOST_RESOURCES, MOST_PARAMETERS = 1_000_000, 500, 200
"""Bytes and numbers, from https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"""
MANAGED_POLICIES = {
    "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole": {
        "Effect": "Allow",
        "Action": ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
        "Resource": "*",
    }
}
"""What SAM may attach, with what it allows."""
AT = f"{REGION}:{ACCOUNT}"
FOREIGN = {
    "sqs": f"arn:aws:sqs:{AT}:another",
    "dynamodb": f"arn:aws:dynamodb:{AT}:table/another/stream/2026-01-01T00:00:00.000",
    "s3": "arn:aws:s3:::another/parsed/x",
    "logs": f"arn:aws:logs:{AT}:log-group:/aws/lambda/another:log-stream:x",
    "ssm": f"arn:aws:ssm:{AT}:parameter/another",
    "states": f"arn:aws:states:{AT}:stateMachine:another",
    "es": f"arn:aws:es:{AT}:domain/another/_search",
    "events": f"arn:aws:events:{AT}:event-bus/another",
    "lambda": f"arn:aws:lambda:{AT}:function:another",
    "cloudwatch": "*",
    "apigateway": f"arn:aws:apigateway:{REGION}::/apikeys/another",
    "bedrock": f"arn:aws:bedrock:{REGION}::foundation-model/another",
    "bedrock-mantle": f"arn:aws:bedrock-mantle:{AT}:project/another",
    "textract": "*",
}
"""A thing of the same account that is none of the stack's, by service."""
WIDE = {
    "apigateway:GET": "keys are made after the stack",
    "bedrock:InvokeModel": "models are AWS's, and a parameter names them",
    "bedrock:Rerank": "IAM knows no resource of it",
    "bedrock-mantle:CreateInference": "a project of the account, which Bedrock chooses",
    "textract:DetectDocumentText": "IAM knows no resource of it",
}
"""What a function may do to what is not the stack's."""
DELIVERY = {f"logs:{verb}LogDelivery" for verb in ("Create", "Get", "Update", "Delete")} | {
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:DescribeResourcePolicies",
    "logs:DescribeLogGroups",
}
"""A state machine needs these on all, says the Step Functions Developer Guide ("Logging")."""


def inline(role):
    return [
        one for policy in role.get("Policies", []) for one in policy["PolicyDocument"]["Statement"]
    ]


def allows(statements, action, resource):
    """Evaluates statements that allow, as IAM does."""
    return any(
        any(fnmatchcase(resource, one) for one in as_list(statement["Resource"]))
        and (
            any(fnmatchcase(action, one) for one in as_list(statement["Action"]))
            if "Action" in statement
            else not any(fnmatchcase(action, one) for one in as_list(statement["NotAction"]))
        )
        for statement in statements
        if statement["Effect"] == "Allow"
    )


def functions(name="everything"):
    return resolved(name).of_type("AWS::Lambda::Function")


def roles(name="everything"):
    return resolved(name).of_type("AWS::IAM::Role")


AUDITED = {"ApiFunction", "DrawFunction", "McpFunction", "StreamFunction"}
"""The functions that callers reach. They alone may add to the audit log."""


def boundary(name):
    """Returns the statements that bound a function's role."""
    own = "AuditBoundary" if name in AUDITED else "FunctionBoundary"
    return resolved().resources[own]["Properties"]["PolicyDocument"]["Statement"]


def length(document):
    return len(json.dumps(document, separators=(",", ":")))


def test_the_sets_of_parameters_have_each_condition_both_ways():
    seen = {(name, value) for one in SETS for name, value in resolved(one).conditions.items()}
    for name in made()["template"]["Conditions"]:
        assert {(name, True), (name, False)} <= seen, name


@pytest.mark.parametrize("name", SETS)
def test_every_environment_fits(name):
    sizes = {
        one: length({key: str(value) for key, value in given["Environment"]["Variables"].items()})
        for one, given in functions(name).items()
    }
    assert len(sizes) > 20
    assert {one: size for one, size in sizes.items() if size > ENVIRONMENT * 0.95} == {}


@pytest.mark.parametrize("name", SETS)
def test_every_policy_fits(name):
    for one, role in roles(name).items():
        sizes = [length(each["PolicyDocument"]) for each in role.get("Policies", [])]
        assert sum(sizes) < INLINE, one
    for policy in resolved(name).of_type("AWS::IAM::ManagedPolicy").values():
        assert length(policy["PolicyDocument"]) < MANAGED


@pytest.mark.parametrize("name", SETS)
def test_sam_attaches_no_policy_that_is_not_known_here(name):
    attached = {arn for role in roles(name).values() for arn in role.get("ManagedPolicyArns", [])}
    assert attached == MANAGED_POLICIES.keys()


@pytest.mark.parametrize("name", SETS)
def test_every_role_of_a_function_has_the_boundary(name):
    named = resolved(name)
    for one in functions(name):
        audits = named.conditions["KeepsAudit"] and one in AUDITED
        own = named.physical("AuditBoundary" if audits else "FunctionBoundary")
        own = named.values["RoleBoundaryArn"] or own
        assert named.role(one)["PermissionsBoundary"] == own, one


def test_no_function_may_touch_what_is_not_the_stacks():
    wide = set()
    for name in functions():
        role = resolved().role(name)
        given = inline(role) + [MANAGED_POLICIES[arn] for arn in role["ManagedPolicyArns"]]
        actions = {action for one in given for action in as_list(one["Action"])}
        for action in actions:
            assert "*" not in action, (name, action)
            foreign = FOREIGN[action.partition(":")[0]]
            if allows(given, action, foreign) and allows(boundary(name), action, foreign):
                wide.add(action)
    assert wide == WIDE.keys()


def test_no_other_role_may_touch_what_is_not_the_stacks():
    of_functions = {json.dumps(resolved().role(name)) for name in functions()}
    others = {one: role for one, role in roles().items() if json.dumps(role) not in of_functions}
    assert len(others) == 5  # three machines, the schedule of one, and CodeDeploy
    wide = {
        action
        for role in others.values()
        for statement in inline(role)
        for action in as_list(statement["Action"])
        if allows([statement], action, FOREIGN[action.partition(":")[0]])
    }
    assert wide == DELIVERY | {"cloudwatch:DescribeAlarms"}


def test_the_boundary_takes_nothing_that_a_policy_grants():
    for name in functions():
        for one in inline(resolved().role(name)):
            for action in as_list(one["Action"]):
                for resource in as_list(one["Resource"]):
                    assert allows(boundary(name), action, resource), (name, action)


def test_the_template_fits():
    template = made()["template"]
    assert len(json.dumps(template)) < BODY / 2
    assert len(template["Resources"]) < MOST_RESOURCES * 0.9
    assert len(template["Parameters"]) < MOST_PARAMETERS * 0.9


def is_refused(values):
    """Whether a rule of the template refuses a deployment with these parameters."""
    one = Resolver(made()["template"], values)
    return any(
        one.of(rule.get("RuleCondition", True))
        and not all(one.of(each["Assert"]) for each in rule["Assertions"])
        for rule in made()["template"]["Rules"].values()
    )


def test_more_copies_of_the_index_than_nodes_are_refused():
    given = made()["template"]["Parameters"]
    for nodes in given["OpenSearchNodes"]["AllowedValues"]:
        for copies in range(int(given["OpenSearchReplicas"]["MaxValue"]) + 1):
            values = {"OpenSearchNodes": str(nodes), "OpenSearchReplicas": str(copies)}
            assert is_refused(values) == (copies >= int(nodes)), values
            assert not is_refused(values | {"OpenSearchEndpoint": "https://search.example.com"})


def test_a_domain_name_without_a_certificate_is_refused():
    name, certificate = {"ApiDomain": "ask.example.com"}, {"ApiCertificateArn": "arn:aws:acm:x"}
    assert [is_refused(one) for one in (name, certificate, name | certificate, {})] == [
        *(True, True, False, False)
    ]


def test_no_profile_is_refused():
    assert not any(is_refused(values) for values in SETS.values())


def test_nodes_stand_in_as_many_zones_as_there_may_be():
    zones = {}
    for nodes in made()["template"]["Parameters"]["OpenSearchNodes"]["AllowedValues"]:
        domain = Resolver(made()["template"], {"OpenSearchNodes": str(nodes)}).resources["Domain"]
        cluster = domain["Properties"]["ClusterConfig"]
        found = cluster.get("ZoneAwarenessConfig", {}).get("AvailabilityZoneCount", 1)
        assert cluster["ZoneAwarenessEnabled"] == (found > 1)
        zones[int(cluster["InstanceCount"])] = found
    assert zones == {1: 1, 2: 2, 3: 3, 6: 3, 9: 3}


def test_a_function_may_write_its_log():
    for name, properties in functions().items():
        group = properties["LoggingConfig"]["LogGroup"]
        stream = f"arn:aws:logs:{AT}:log-group:{group}:log-stream:x"
        assert allows(boundary(name), "logs:PutLogEvents", stream), name
        assert allows(boundary(name), "logs:CreateLogStream", stream), name


def test_only_who_meets_callers_adds_to_the_audit_log_and_nobody_reads_it():
    group = resolved().physical("AuditLogs")
    arn = f"arn:aws:logs:{AT}:log-group:{group}"
    for name in functions():
        role = resolved().role(name)
        given = inline(role) + [MANAGED_POLICIES[each] for each in role["ManagedPolicyArns"]]
        may = {
            action
            for action in AUDIT_ACTIONS
            if allows(given, action, f"{arn}:log-stream:x")
            and allows(boundary(name), action, f"{arn}:log-stream:x")
        }
        adds = {"logs:CreateLogStream", "logs:PutLogEvents"}
        assert may == (adds if name in AUDITED else set()), name


AUDIT_ACTIONS = ["logs:CreateLogStream", "logs:PutLogEvents", "logs:GetLogEvents",
                 "logs:FilterLogEvents", "logs:StartQuery", "logs:DeleteLogStream",
                 "logs:DeleteLogGroup", "logs:PutRetentionPolicy"]  # fmt: skip


def test_cloudformation_would_take_what_sam_makes(tmp_path):
    """`sam validate --lint`, which `make check` runs, sees the source only."""
    path = tmp_path / "template.json"
    path.write_text(json.dumps(made()["template"]))
    command = [SAM / "cfn-lint", "--regions", REGION, "--ignore-checks", "W", "--", path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def test_a_step_that_is_switched_gets_the_template_s_rights_by_the_names_of_a_stack():
    """What tests of a deployed stack give a function (`tests/reconfigured.py`)."""
    lined = {"AnthropicKeyParameter": "key", "ContextualLines": "on"}
    before, after = Deployed({}, {}), Deployed(lined, {"VectorsTable": "footnote-dev-Vectors"})
    given = changed(before.policies("IndexFunction"), after.policies("IndexFunction"))
    rights = {
        action: as_list(one["Resource"])
        for document in given.values()
        for one in document["Statement"]
        for action in as_list(one["Action"])
    }
    here = f"{Deployed.region}:{Deployed.account}"
    assert rights["ssm:GetParameter"] == [f"arn:aws:ssm:{here}:parameter/key"]
    assert rights["dynamodb:BatchWriteItem"] == [
        f"arn:aws:dynamodb:{here}:table/footnote-dev-Vectors"
    ]
    told = changed(before.variables("IndexFunction"), after.variables("IndexFunction"))
    assert told["FOOTNOTE_ANTHROPIC_KEY_PARAMETER"] == "key"
    assert told["FOOTNOTE_CONTEXTUAL_LINES"] == "on"
