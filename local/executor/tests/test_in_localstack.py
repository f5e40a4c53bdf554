"""Our plugins inside the real LocalStack: what stock keeps or makes again and again, and we do not.

`localstack_checks.py` does the looking, with LocalStack's own Python.
"""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from footnote_executor import LOCALSTACK

pytestmark = pytest.mark.slow  # LocalStack's imports take seconds
CHECKS = Path(__file__).with_name("localstack_checks.py")


def run(python, folder, *words):
    """Runs a program with LocalStack's Python, in a folder that becomes its file system."""
    (folder / "tmp").mkdir(parents=True)
    own = {"FILESYSTEM_ROOT": str(folder), "TMPDIR": str(folder / "tmp")}
    fixed = {"OVERRIDE_IN_DOCKER": "0", "AWS_DEFAULT_REGION": "us-east-1", "DISABLE_EVENTS": "1"}
    environ = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [python, *words],
        env={**environ, **own, **fixed},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def check(python, folder, what):
    done = run(python, folder, CHECKS, what)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def looks(localstack_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("localstack")
    kinds = ("stock", "plugins")
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda kind: check(localstack_python, folder / kind, kind), kinds)
        return dict(zip(kinds, found, strict=True))


@pytest.fixture(scope="module")
def stock(looks):
    return looks["stock"]


@pytest.fixture(scope="module")
def ours(looks):
    return looks["plugins"]


def test_threads_that_ended_are_let_go(stock, ours):
    assert stock["threads_kept"] == stock["times"]
    assert ours["threads_kept"] < stock["times"] / 2


def test_a_thread_that_still_waits_stays_listed_for_the_shutdown(ours):
    assert ours["a_waiting_thread_is_kept"]


def test_an_invocation_is_recorded_without_a_thread(stock, ours):
    assert stock["threads_of_an_invocation"] == stock["times"]
    assert ours["threads_of_an_invocation"] == 1  # the queue's own


def test_an_environment_that_is_used_again_starts_no_thread_each_time(stock, ours):
    assert stock["threads_of_a_used_environment"] == stock["times"]
    assert ours["threads_of_a_used_environment"] == 1  # that of all timers


def test_two_models_of_a_service_share_a_parser_and_a_serializer(stock, ours):
    assert (stock["parsers_of_two_models"], ours["parsers_of_two_models"]) == ([2, 2], [1, 1])


def test_each_protocol_of_a_service_keeps_a_parser_of_its_own(stock, ours):
    wanted = ["JSONRequestParser", "SQSQueryRequestParser", "JSONRequestParser"]
    assert stock["parsers_by_protocol"] == ours["parsers_by_protocol"] == wanted


def test_a_role_is_assumed_once_for_many_tasks_and_apart_from_other_roles(stock, ours):
    names = [f"arn:{role}" for role in "aaaaab"]
    assert (stock["roles_assumed"], ours["roles_assumed"]) == ([6, names], [2, names])


def test_a_request_finds_its_key_while_others_are_made(stock, ours):
    assert stock["keys_that_come_meanwhile"] == ["dictionary changed size during iteration"] * 2
    assert ours["keys_that_come_meanwhile"] == [[{"id": "one"}]] * 2


def test_a_json_path_is_parsed_once(stock, ours):
    assert (stock["grammars_of_a_path"], ours["grammars_of_a_path"]) == (10, 2)


def test_a_definition_is_read_once_and_each_execution_has_a_program_of_its_own(stock, ours):
    theirs, mine = stock["readings_of_a_definition"], ours["readings_of_a_definition"]
    assert (theirs[0], mine[0]) == (3, 1)
    assert mine[1:3] == theirs[1:3] == [3, ["A"]]
    assert mine[3] == theirs[3]
    assert len(mine[3]) == 2


def test_of_ended_executions_the_newest_are_kept(stock, ours):
    assert stock["executions_kept"] == [3 * stock["times"], True]
    assert ours["executions_kept"] == [500, True]


def test_of_log_events_and_streams_the_newest_are_kept(stock, ours):
    events = 50 * stock["times"]
    assert stock["log_events_kept"] == [events, events - 1, stock["times"] + 1, True]
    assert ours["log_events_kept"] == [1_000, events - 1, 100, True]


def test_figures_are_written_as_stock_does_in_one_transaction_and_old_ones_go(stock, ours):
    theirs, mine = stock["metrics_are_written"], ours["metrics_are_written"]
    assert (theirs["opened"], mine["opened"]) == (3, 1)
    assert theirs["single"][0][0] == "old"
    assert mine["single"] == theirs["single"][1:]
    assert mine["summed"] == theirs["summed"]


def test_how_long_functions_work_and_how_many_at_once_are_figures(stock, ours):
    assert stock["figures_of_work"] == []
    found = [
        (*place, dimension["Value"], name, value)
        for *place, [dimension], name, value in ours["figures_of_work"]
    ]
    of = ("0", "us-east-1", "AWS/Lambda")
    assert found == [
        (*of, "f", "Duration", True),
        (*of, "f", "ConcurrentExecutions", 2),
        (*of, "f", "Duration", True),
        (*of, "f", "ConcurrentExecutions", 1),
        (*of, "g", "Duration", True),
        (*of, "g", "ConcurrentExecutions", 1),
    ]


def test_a_rule_that_is_disabled_sends_nothing_on(stock, ours):
    others = ["ENABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"]
    assert stock["rules_that_get_an_event"] == [others[0], "DISABLED", others[1]]
    assert ours["rules_that_get_an_event"] == others


def test_a_table_gets_an_index_when_its_stack_is_updated_and_only_one(stock, ours):
    assert stock["updates_of_a_table"] == "not updated"
    [added, two, rekeyed, swapped, nothing] = ours["updates_of_a_table"]
    assert added[0][0] == "SUCCESS"
    assert added[1] == 3  # it waits until the index is there
    [asked] = added[2]
    assert asked["TableName"] == "t"
    [made] = asked["GlobalSecondaryIndexUpdates"]
    assert made["Create"]["IndexName"] == "by-day"
    refused = ["FAILED", "Cannot perform more than one GSI creation or deletion in a single update"]
    assert two == swapped == [refused, 1, []]
    assert rekeyed[0][0] == "FAILED"
    assert (nothing[0][0], nothing[2]) == ("SUCCESS", [])


def test_a_branch_of_a_condition_is_read_for_the_side_that_takes_it(stock, ours):
    refused = "Template format error: Unresolved resource dependencies [Fetch] in the Resources "
    assert stock["roles_of_updates"] == [f"{refused}block of the template"] * 3
    inserted, on, off = ours["roles_of_updates"]
    assert inserted == [["es"], ["es"]]
    assert on == [["es"], ["arn:f", "es"]]
    assert off == [["arn:f", "es"], ["es"]]


def test_what_one_side_of_an_update_has_is_read_for_that_side(stock, ours):
    undefined = "Undefined variable name in Fn::Sub string template 'Alarm'"
    unresolved = "Template format error: Unresolved resource dependencies [Fetch] in the Resources "
    assert set(stock["what_one_side_has"]) == {undefined, f"{unresolved}block of the template"}
    board_on, board_off, output_on, output_off = ours["what_one_side_has"]
    assert board_on == [None, "all alarms of arn:f"]
    assert board_off == ["all alarms of arn:f", None]
    assert output_on == [None, "arn:f"]
    assert output_off == ["arn:f", None]


def test_a_role_has_the_policies_of_its_stack_after_an_update(stock, ours):
    assert stock["update_of_a_role"] == [[], "r", "arn:r"]
    told = [["delete", "r", "goes"], ["put", "r", "changes"], ["put", "r", "comes"]]
    assert ours["update_of_a_role"] == [told, "r", "arn:r"]


def test_an_api_that_changes_is_imported_anew_and_its_stage_serves_that(stock, ours):
    assert stock["update_of_an_api"] == "not updated"
    [imported, served], root, made_once = ours["update_of_an_api"]
    assert imported["body"] == '{"paths": {"/a": {}}}'
    assert (imported["restApiId"], imported["mode"], root) == ("a", "overwrite", "r2")
    change = {"op": "replace", "path": "/deploymentId", "value": "d2"}
    assert served == {"restApiId": "a", "stageName": "prod", "patchOperations": [change]}
    assert made_once == []  # the stage keeps its name, so it is not made once more


def test_authorizers_are_asked_and_who_they_do_not_allow_is_refused(stock, ours):
    assert stock["who_passes_an_authorizer"] is None
    assert ours["who_passes_an_authorizer"] == {
        "open": [None, None],
        "iam": "AuthorizerConfigurationError",
        "no authorizer": "AuthorizerConfigurationError",
        "of type TOKEN": "AuthorizerConfigurationError",
        "allowed": ["ada", "key of ada"],
        "denied": "AccessDeniedError",
        "of another method": "AccessDeniedError",
        "malformed": "AuthorizerConfigurationError",
        "kept without its header": "UnauthorizedError",
        "kept by no header": "UnauthorizedError",
        "calls of the one that is kept": ["ada", "ada", "eve"],  # the second has two values
        "calls of the one that is not": ["ada", "ada"],
    }


def test_an_edit_in_a_checkout_counts_at_the_next_invocation_while_an_overlay_names_it(ours):
    """By edit: the handler's word, its layer's word, and whose process it is by order of start."""
    found = ours["edits_that_count"]
    assert "SyntaxError" in found.pop("broken")
    assert found == {
        "deployed": ["deployed", "layer", 1],
        "the layer changed": ["deployed", "layer", 1],
        "an overlay of others": ["deployed", "layer", 1],
        "overlaid": ["checkout", "edited", 2],
        "nothing": ["checkout", "edited", 2],
        "shared": ["checkout", "longer than before", 3],
        "one in the same second": ["checkout", "one", 4],
        "two in the same second": ["checkout", "two", 5],
        "handler": ["handler", "two", 6],
        "mended": ["mended", "two", 7],
        "compiled by others": ["mended", "two", 7],
        "one who is gone": ["deployed", "unseen", 8],
        "the end": ["deployed", "unseen", 8],
    }


def test_a_look_at_an_empty_queue_makes_no_request(stock, ours):
    assert (stock["looks_at_a_queue"], ours["looks_at_a_queue"]) == ([1, 1, 1], [0, 1, 1])


def test_whoever_finds_no_place_to_run_learns_what_aws_says_and_a_batch_waits_for_one(stock, ours):
    """REST APIs answer 500 where Lambda refuses an invocation ("Handling Lambda errors with an API
    Gateway API"), and 502 only where the function fails.
    """
    cause = "Rate Exceeded."
    assert stock["what_throttled_callers_learn"] == {
        "a state": ["Exception", "Exception", cause],
        "a request": 502,
        "a batch": [1],
    }
    named = "Lambda.TooManyRequestsException"
    cause += " (Service: AWSLambda; Status Code: 429; Error Code: TooManyRequestsException; "
    cause += "Request ID: r; Proxy: null)"
    assert ours["what_throttled_callers_learn"] == {
        "a state": [named, named, cause],
        "a request": 500,
        "an authorizer": "AuthorizerFailureError",
        "a batch": [1, 1],
    }


def test_what_functions_print_is_kept_by_stream_without_a_request(stock, ours):
    assert stock["logs_are_written"] == [1, None]
    lines = {name: ["START\n", f"{name}\n", "END\n"] for name in "ab"}
    lines["a"] *= 2
    assert ours["logs_are_written"] == [0, lines]


@pytest.mark.parametrize(
    "place",
    [
        "localstack.utils.threads:start_thread",
        "localstack.services.sqs.models:StandardQueue.shutdown",
    ],
)
def test_the_checks_see_a_change_only_where_a_plugin_changes_something(
    place, localstack_python, tmp_path
):
    done = run(localstack_python, tmp_path / "x", CHECKS, place)
    if place.endswith("shutdown"):  # no plugin touches it
        assert done.returncode == 0, done.stderr
        return
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    for part in (
        f"PatchError: localstack-core {LOCALSTACK}: localstack.utils.threads.start_thread",
        "not 4e137a7a3269",
        f"written for localstack-core {LOCALSTACK}",
        "footnote_executor",
    ):
        assert part in last


def test_localstack_does_not_start_when_a_plugin_cannot_be_applied(localstack_python, tmp_path):
    """Runs the real start, with the plugins that are installed and one function changed."""
    program = (
        "import localstack.services.sqs.models as m; m.StandardQueue.__init__ = lambda self: None\n"
        "from localstack.runtime import main; main.main()"
    )
    done = run(localstack_python, tmp_path / "x", "-c", program)
    assert done.returncode != 0
    assert (
        "localstack.services.sqs.models.StandardQueue.__init__ has fingerprint"
        in done.stdout + done.stderr
    )


START = "User: arn:aws:sts::000000000000:assumed-role/seller/one is not authorized to perform: "


def denied(code, status, action, resource):
    why = f"on resource: {resource} because no identity-based policy allows the {action} action"
    return [code, status, f"{START}{action} {why}"]


def test_a_role_may_do_what_its_policies_allow_at_this_moment_and_nothing_else(stock, ours):
    theirs, mine = stock["what_a_role_may_do"], ours["what_a_role_may_do"]
    assert theirs["before"] == theirs["root"] == mine["root"]
    assert theirs["signed before"] == [200, 200]
    folder, queue = "arn:aws:s3:::shop", "arn:aws:sqs:us-east-1:000000000000"
    parameter = "arn:aws:ssm:us-east-1:000000000000:parameter/none"
    unknown = f"{START}sqs:PurgeQueue: footnote_executor.iam.rights does not know what "
    unknown += "sqs:PurgeQueue needs"
    nothing = {
        "open": denied("AccessDenied", 403, "s3:GetObject", f"{folder}/open/a"),
        "closed": denied("AccessDenied", 403, "s3:GetObject", f"{folder}/closed/a"),
        "none": denied("AccessDenied", 403, "s3:GetObject", f"{folder}/open/none"),
        "orders": denied("AccessDenied", 403, "sqs:SendMessage", f"{queue}:orders"),
        "other": denied("AccessDenied", 403, "sqs:SendMessage", f"{queue}:x"),
        "parameter": denied("AccessDeniedException", 400, "ssm:GetParameter", parameter),
        "unknown": ["AccessDenied", 403, unknown],
        "who": "done",
    }
    assert mine["before"] == mine["taken away"] == nothing
    assert mine["with a policy"] == nothing | {
        "open": "done",
        "none": denied("AccessDenied", 403, "s3:ListBucket", folder),  # and not 404
        "orders": "done",
    }
    code, status, message = mine["bounded"].pop(1)
    assert (code, status) == ("AccessDenied", 403)
    assert message.endswith("because no permissions boundary allows the s3:GetObject action")
    assert mine["bounded"] == ["done", "done"]
    assert mine["signed before"] == [403, 403]
    assert mine["signed with a policy"] == [200, 200]
