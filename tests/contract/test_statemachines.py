"""State machines, contracts, function folders, template and events agree on names."""

import inspect
import json
import re
from pathlib import Path

import pytest

from footnote import contracts, errors
from footnote.ask.write import single_writer as writing
from footnote.settings import PREFIX, Settings
from footnote.wiring import local_workflow
from footnote.wiring.local_models import ENGLISH, MULTILINGUAL
from footnote.wiring.step import MARGIN
from tests.machine import ANY, retrier
from tests.template import mapping_of, read_template

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = sorted((ROOT / "statemachines").glob("*.asl.json"))
RAISED = {name for name, value in inspect.getmembers(errors, inspect.isclass)}
FUNCTIONS = sorted(path.parent.name for path in ROOT.glob("functions/*/app.py"))


@pytest.fixture(scope="module")
def template():
    return read_template()


def tasks(states):
    for name, state in states.items():
        if state["Type"] == "Task":
            yield name, state
        yield from tasks(state.get("ItemProcessor", {}).get("States", {}))


def all_states(states):
    for name, state in states.items():
        yield name, state
        yield from all_states(state.get("ItemProcessor", {}).get("States", {}))


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_every_task_has_a_contract_a_folder_and_an_event(path):
    for name, state in tasks(json.loads(path.read_text())["States"]):
        assert name in contracts.STEPS
        assert (ROOT / "functions" / name.lower() / "app.py").exists()
        assert (ROOT / "events" / f"{name.lower()}.json").exists()
        assert state["Resource"] == f"${{{name}FunctionArn}}"


def task_names(path):
    return [name for name, _ in tasks(json.loads(path.read_text())["States"])]


BY_ITSELF = {"Sweep"}  # no state: a schedule invokes it


def test_every_step_with_a_contract_is_a_task_of_a_machine():
    named = {name for path in DEFINITIONS for name in task_names(path)}
    assert set(contracts.STEPS) - BY_ITSELF == named


def test_the_workflow_of_this_process_runs_every_task():
    source = inspect.getsource(local_workflow)
    run = set(re.findall(r'self\._run\(\s*"(\w+)"', source))
    assert run == {name.lower() for path in DEFINITIONS for name in task_names(path)}


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_every_task_is_told_of_in_the_architecture(path):
    told = (ROOT / "docs" / "architecture.md").read_text()
    assert [name for name in task_names(path) if not re.search(rf"\b{name}\b", told)] == []


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_a_machine_is_given_its_functions_and_may_call_no_others(path, template):
    arns = {
        f"{name}FunctionArn": ["Releases", f"!Ref {name}Alias", f"!GetAtt {name}Function.Arn"]
        for name in task_names(path)
    }
    name = f"{path.name.partition('.')[0].capitalize()}Machine"
    machine = template["Resources"][name]["Properties"]
    given = machine["DefinitionSubstitutions"]
    assert {key: arn for key, arn in given.items() if key.endswith("FunctionArn")} == arns
    statements = [one for policy in machine["Policies"] for one in policy["Statement"]]
    [called] = [one for one in statements if one["Action"] == "lambda:InvokeFunction"]
    assert sorted(called["Resource"]) == sorted(arns.values())


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_a_task_is_given_what_its_contract_takes(path):
    for name, state in all_states(json.loads(path.read_text())["States"]):
        task, given = name, state.get("Parameters")
        if state["Type"] == "Map":
            task, given = next(iter(state["ItemProcessor"]["States"])), state["ItemSelector"]
        if given is None or task not in contracts.STEPS:
            continue
        fields = {field.removesuffix(".$") for field in given}
        assert fields == set(contracts.STEPS[task][0].model_fields), task


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_every_error_name_is_one_we_raise_or_one_aws_raises(path):
    for name, state in all_states(json.loads(path.read_text())["States"]):
        for rule in state.get("Retry", []) + state.get("Catch", []):
            for error in rule["ErrorEquals"]:
                theirs = error.startswith(("States.", "Lambda.", "Runtime.", "Sandbox."))
                assert theirs or error in RAISED, (name, error)


THROTTLED = "Lambda.TooManyRequestsException"
AGAIN = {
    "UnavailableError",
    # Step Functions Developer Guide, "Handle transient Lambda service exceptions"
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    # a step that was killed
    "Lambda.Unknown",
    "Runtime.ExitError",
    # a version that does not start has done nothing: behind an alias another may take the next try
    "Runtime.ImportModuleError",
    "Runtime.HandlerNotFound",
    "Runtime.UserCodeSyntaxError",
}
OF_THE_FUNCTION = {"KeyError", "ValidationError", "ConfigurationError", "UnreadableError"}
"""What a bad version may raise: of these the next try, by another version, may know nothing."""
OF_THE_QUESTION = {
    name
    for name, value in inspect.getmembers(errors, inspect.isclass)
    if issubclass(value, errors.FootnoteError)
} - {
    *("FootnoteError", "UnavailableError", *OF_THE_FUNCTION),
    # steps that queues feed, the machine of re-indexes, and the door raise these
    *("BadDocumentError", "UnsupportedError", "SupersededError", "ReindexRefusedError"),
    *("UnauthorizedError", "LimitedError"),
}
TIMED_OUT = {"States.Timeout", "Sandbox.Timedout"}
TRIES = {
    # three tries more: of a tenth of the work, .0001 meets a bad version four times
    "ask.asl.json": {
        **dict.fromkeys(AGAIN | OF_THE_FUNCTION, 3),
        **dict.fromkeys(OF_THE_QUESTION | TIMED_OUT, 0),
        THROTTLED: 16,
    },
    # their functions shift at once, so the next try meets the same version; what was done when
    # time was over stays, and the next try goes on
    **{
        name: {
            **dict.fromkeys(AGAIN | TIMED_OUT | {THROTTLED}, 4),
            **dict.fromkeys(OF_THE_FUNCTION | OF_THE_QUESTION, 0),
        }
        for name in ("grid.asl.json", "reindex.asl.json")
    },
}
"""How often a task is tried again after an error."""
OTHERS: dict[str, dict[str, int]] = {
    "Synthesize": {"ConflictError": 27},  # another run is writing the answer
    # it records a failure, whatever that was, in the time that an execution has left
    "Fail": dict.fromkeys(AGAIN | OF_THE_FUNCTION | OF_THE_QUESTION, 2)
    | {THROTTLED: 2, "Sandbox.Timedout": 2},
    "Rebuild": dict.fromkeys(AGAIN | TIMED_OUT | {THROTTLED}, 5),
}


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_each_task_is_tried_again_after_the_errors_that_another_try_may_not_meet(path):
    for name, state in tasks(json.loads(path.read_text())["States"]):
        wanted = TRIES[path.name] | OTHERS.get(name, {})
        assert {error: retrier(state, error)["MaxAttempts"] for error in wanted} == wanted, name


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_a_rule_is_read_before_one_that_takes_any_error(path):
    for name, state in all_states(json.loads(path.read_text())["States"]):
        named = [rule["ErrorEquals"] for rule in state.get("Retry", [])]
        assert [ANY] not in named[:-1], name
        assert all(len(names) == len(set(names)) for names in named), name


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda p: p.name)
def test_tries_do_not_come_back_at_the_same_moment(path):
    for name, state in tasks(json.loads(path.read_text())["States"]):
        for rule in state["Retry"]:
            waits = rule["ErrorEquals"] == ["ConflictError"]  # for one other run
            assert waits or not rule["MaxAttempts"] or rule["JitterStrategy"] == "FULL", name


def test_a_run_is_named_once_and_its_name_goes_all_the_way():
    machine = json.loads((ROOT / "statemachines/ask.asl.json").read_text())
    assert machine["States"][machine["StartAt"]]["Parameters"]["run.$"] == "States.UUID()"
    for name, state in tasks(machine["States"]):
        taken, given = contracts.STEPS[name]
        if "run" in taken.model_fields:
            assert state["Parameters"]["run.$"] == "$.run"
        if name in {"Plan", "Grade"}:  # their results are the next state's input
            assert "run" in given.model_fields


def test_a_run_that_waits_for_another_to_write_waits_until_that_can_be_replaced(template):
    states = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]
    waits = retrier(states["Synthesize"], "ConflictError")
    assert waits["BackoffRate"] == 1
    assert waits["IntervalSeconds"] * waits["MaxAttempts"] > writing.CLAIM_SECONDS
    for name in ("Synthesize", "Fail"):  # these claim the question
        timeout = template["Resources"][f"{name}Function"]["Properties"]["Timeout"]
        assert timeout < states[name]["TimeoutSeconds"] <= writing.CLAIM_SECONDS


def test_every_function_is_in_the_template_once_and_in_its_folder(template):
    resources = template["Resources"]
    functions = {
        name: resource["Properties"]["CodeUri"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    assert functions == {f"{verb.capitalize()}Function": f"functions/{verb}" for verb in FUNCTIONS}


def test_every_queue_message_has_its_queue_its_dead_letters_and_its_function(template):
    for queue in contracts.QUEUES.values():
        name = queue.capitalize()
        redrive = template["Resources"][f"{name}Queue"]["Properties"]["RedrivePolicy"]
        assert redrive["deadLetterTargetArn"] == f"!GetAtt {name}DeadLetters.Arn"
        mapping = mapping_of(queue)
        assert mapping["FunctionName"] == ["Releases", f"!Ref {name}Alias", f"!Ref {name}Function"]
        assert mapping["EventSourceArn"] == f"!GetAtt {name}Queue.Arn"
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_the_queues_give_up_when_the_steps_expect_it(template):
    for queue in contracts.QUEUES.values():
        properties = template["Resources"][f"{queue.capitalize()}Queue"]["Properties"]
        assert properties["RedrivePolicy"]["maxReceiveCount"] == Settings().max_receives + 1


def test_a_queue_step_may_put_off_its_own_messages(template):
    for queue in set(contracts.QUEUES.values()) - {"admit"}:  # admit lets SQS redeliver its batch
        name = queue.capitalize()
        step = template["Resources"][f"{name}Function"]["Properties"]
        variable = f"{PREFIX}{queue.upper()}_QUEUE"
        assert step["Environment"]["Variables"][variable] == f"!Ref {name}Queue"
        statements = [one for policy in step["Policies"][:1] for one in policy["Statement"]]
        [allowed] = [one["Resource"] for one in statements if one["Action"] == ["sqs:SendMessage"]]
        assert f"!GetAtt {name}Queue.Arn" in allowed


# Lambda Developer Guide, "Creating and configuring an Amazon SQS event source mapping"
TIMES, RECEIVES = 6, 5


@pytest.mark.parametrize("queue", contracts.QUEUES.values())
def test_a_queue_hides_a_message_while_lambda_waits_for_a_place_to_run(queue, template):
    name = queue.capitalize()
    timeout = template["Resources"][f"{name}Function"]["Properties"]["Timeout"]
    properties = template["Resources"][f"{name}Queue"]["Properties"]
    window = mapping_of(queue).get("MaximumBatchingWindowInSeconds", 0)
    assert properties["VisibilityTimeout"] >= TIMES * timeout + window
    assert properties["RedrivePolicy"]["maxReceiveCount"] >= RECEIVES


def test_a_sweep_waits_until_a_message_has_had_all_its_deliveries(template):
    """Adds up the deliveries of a message whose step is killed in each. See `QueueStep._hold`."""
    for queue, seconds in Settings().bounds.items():
        name = queue.capitalize()
        properties = template["Resources"][f"{name}Queue"]["Properties"]
        timeout = template["Resources"][f"{name}Function"]["Properties"]["Timeout"]
        later = properties["RedrivePolicy"]["maxReceiveCount"] - 1
        assert seconds > properties["VisibilityTimeout"] + later * (timeout + MARGIN), queue


FRESH = 10  # executions at a time in a new account (Lambda Developer Guide, "Lambda quotas")


def test_the_defaults_ask_for_no_more_at_a_time_than_a_new_account_can_bear(template):
    """Two is the least that a mapping takes, and there are six. Steps that last are three."""
    given = template["Parameters"]
    for name in ("Concurrency", "IndexConcurrency"):
        assert given[name]["Default"] == given[name]["MinValue"] == 2
    lasting = {"parse": "Concurrency", "chunk": "Concurrency", "index": "IndexConcurrency"}
    adding = sum(given[name]["Default"] for name in lasting.values())
    assert adding <= FRESH * 0.6  # the rest is for questions, and for steps that take no time
    for queue in contracts.QUEUES.values():
        most = mapping_of(queue)["ScalingConfig"]["MaximumConcurrency"]
        assert most == f"!Ref {lasting.get(queue, 'Concurrency')}"


@pytest.mark.parametrize(("verb", "seconds"), [("prepare", 60), ("promote", 60), ("rebuild", 240)])
def test_a_step_of_a_reindex_stops_before_it_is_stopped(template, verb, seconds):
    """A step ends what it has begun: a page of the table, or 2,000 chunks that want vectors."""
    timeout = template["Resources"][f"{verb.capitalize()}Function"]["Properties"]["Timeout"]
    assert timeout > Settings().reindex_seconds + seconds


def test_every_state_of_a_reindex_that_can_fail_drops_what_the_run_has_made():
    states = json.loads((ROOT / "statemachines/reindex.asl.json").read_text())["States"]
    able = {name for name, state in states.items() if state["Type"] in {"Task", "Map"}}
    for name in able - {"Abandon"}:
        [caught] = states[name]["Catch"]
        assert (caught["ErrorEquals"], caught["Next"]) == (["States.ALL"], "Abandon"), name
        assert caught["ResultPath"] == "$.failure"  # Abandon needs `$.run`
        assert name == "Batches" or "run" in contracts.STEPS[name][0].model_fields


def test_no_state_of_a_reindex_carries_a_list():
    for verb in ("Prepare", "Promote", "Rebuild", "Abandon"):
        for contract in contracts.STEPS[verb]:
            kinds = {field.annotation for field in contract.model_fields.values()}
            assert kinds <= {str, int, bool}, contract


def test_a_reindex_by_schedule_is_given_what_the_machine_takes(template):
    events = template["Resources"]["ReindexMachine"]["Properties"]["Events"]
    states = json.loads((ROOT / "statemachines/reindex.asl.json").read_text())["States"]
    taken = {path.removeprefix("$.") for path in states["Begin"]["Parameters"].values()}
    given = json.loads(events["Schedule"]["Properties"]["Input"])
    assert given == {"reason": "schedule", "force": False}
    assert taken - {"$$.Execution.Name", ""} == set(given)


NOT_IN_THE_TEMPLATE = {
    "backend": "memory is for tests and trials; what is deployed is on AWS",
    "retry_seconds": "goes with max_waits",
    "max_waits": "80 minutes in all, told in docs/operations.md",
    "max_receives": "one less than the queues' maxReceiveCount: a test of its own",
    "backlog_seconds": "a day is enough for any queue",
    "reindex_seconds": "what a re-index's step begins before its timeout: a test of its own",
    "sweep_items": "keeps a sweep under its function's timeout",
    "ocr_pages": "what one invocation reads before its timeout",
    "pages_a_part": "what one invocation reads with its memory",
    "persona": "a caller chooses, or the planner: few deployments want another default",
    "upload_seconds": "S3 looks at it when an upload begins: how long it takes does not count",
    "parse_seconds": "goes with the queues' visibility times: a test of its own",
    "chunk_seconds": "likewise",
    "index_seconds": "likewise",
}
"""Settings that a deployment does not set, and why."""


def test_template_and_settings_have_the_same_fields(template):
    variables = set(template["Globals"]["Function"]["Environment"]["Variables"])
    for resource in template["Resources"].values():
        environment = resource.get("Properties", {}).get("Environment", {})
        variables |= set(environment.get("Variables", {}))
    ours = {name.removeprefix(PREFIX).lower() for name in variables if name.startswith(PREFIX)}
    assert set(Settings.model_fields) - set(NOT_IN_THE_TEMPLATE) == ours
    assert not ours & set(NOT_IN_THE_TEMPLATE)


def test_what_costs_money_is_off_and_its_defaults_are_those_of_the_settings(template):
    for parameter, field in {
        "OcrProvider": "ocr_provider",
        "EmbeddingProvider": "embedding_provider",
        "EmbeddingDimensions": "embedding_dimensions",
        "Rerankers": "rerankers",
        "ProviderCalls": "provider_calls",
        "ProviderTokens": "provider_tokens",
        "ContextualLines": "contextual_lines",
        "ContextModel": "context_model",
    }.items():
        assert template["Parameters"][parameter]["Default"] == getattr(Settings(), field)
    off = Settings()
    assert (off.ocr_provider, off.contextual_lines) == ("tesseract", "off")
    assert (off.embedding_provider, off.rerankers) == ("local", "")


def test_the_words_of_the_embedding_model_stand_for_those_of_the_layers(template):
    assert template["Parameters"]["EmbeddingModel"]["Default"] == "english"
    chosen = template["Globals"]["Function"]["Environment"]["Variables"][f"{PREFIX}EMBEDDING_MODEL"]
    # the template's tests read !If as a list and !Ref as text
    assert chosen == ["Multilingual", MULTILINGUAL, ["English", ENGLISH, "!Ref EmbeddingModel"]]
    assert Settings().embedding_model == ENGLISH


def test_only_parse_may_call_textract_and_only_where_it_is_chosen(template):
    allowed = {
        name: policy[0]
        for name, resource in template["Resources"].items()
        for policy in resource.get("Properties", {}).get("Policies", [])
        if "textract" in json.dumps(policy)
    }
    assert allowed == {"ParseFunction": "WithTextract"}


def test_only_those_who_embed_or_ask_may_call_bedrock_and_only_where_it_is_chosen(template):
    allowed = {
        (name, policy[0])
        for name, resource in template["Resources"].items()
        for policy in resource.get("Properties", {}).get("Policies", [])
        if '"bedrock' in json.dumps(policy)
    }
    both = ("RetrieveFunction", "ApiFunction", "McpFunction")  # they re-rank, too
    wanted = {(name, "WithBedrock") for name in ("IndexFunction", "RebuildFunction")}
    wanted |= {(name, one) for name in both for one in ("AsksBedrock", "WithRerankers")}
    asking = ("PlanFunction", "ReadFunction", "WorkFunction", "GradeFunction", "SynthesizeFunction")
    wanted |= {(name, "WithClaudeOnBedrock") for name in asking}
    wanted |= {("IndexFunction", "WithBedrockForLines")}
    assert allowed == wanted


def test_what_runs_on_a_schedule_is_not_tried_again_beside_its_next_run(template):
    """Lambda invokes anew what was invoked asynchronously and failed, twice unless told not to."""
    scheduled = {
        name: resource["Properties"].get("EventInvokeConfig")
        for name, resource in template["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function"
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] not in {"Api", "SQS", "DynamoDB"}  # the caller waits, or a queue or stream
    }
    assert scheduled == {"SweepFunction": {"MaximumRetryAttempts": 0}}


def test_the_shared_layer_is_listed_once_in_globals(template):
    assert template["Globals"]["Function"]["Layers"] == ["!Ref SharedLayer"]
    for name, resource in template["Resources"].items():
        assert "!Ref SharedLayer" not in resource.get("Properties", {}).get("Layers", []), name


def test_buckets_are_private_versioned_and_encrypted(template):
    buckets = [r for r in template["Resources"].values() if r["Type"] == "AWS::S3::Bucket"]
    assert len(buckets) == 2
    for bucket in buckets:
        properties = bucket["Properties"]
        assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
        assert all(properties["PublicAccessBlockConfiguration"].values())
        assert properties["BucketEncryption"]


def test_one_search_that_fails_yields_a_result_that_says_so():
    """Of our own errors the message goes on; the cause of any other may hold anything."""
    states = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]
    item = states["Wave"]["ItemProcessor"]["States"]
    ours, others = item["Retrieve"]["Catch"]
    assert others["ErrorEquals"] == ["States.ALL"]
    raised = {
        name
        for name, value in inspect.getmembers(errors, inspect.isclass)
        if issubclass(value, errors.FootnoteError) and value is not errors.FootnoteError
    }
    of_adding = {"BadDocumentError", "UnsupportedError", "SupersededError"}
    of_reindexing = {"ReindexRefusedError"}
    of_the_door = {"UnauthorizedError", "LimitedError"}  # no question has begun by then
    assert set(ours["ErrorEquals"]) == raised - of_adding - of_reindexing - of_the_door
    for rule, last in ((ours, "SayWhy"), (others, "SayThat")):
        name, seen = rule["Next"], {"tenant", "question_id", "sub_question", "failure"}
        while item[name].get("ResultPath"):
            seen.add(item[name]["ResultPath"].removeprefix("$."))
            name = item[name]["Next"]
        given = item[name]["Parameters"]
        assert (name, item[name]["End"]) == (last, True)
        assert {path.split(".")[1] for path in given.values()} <= seen
        result = {field.removesuffix(".$"): "text" for field in given}
        assert contracts.RetrieveResult.model_validate(result).error == "text"


def test_a_question_fails_where_every_search_has_failed():
    states = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]
    [*_, failed] = states["AnythingToRetrieve"]["Choices"]
    assert failed["Next"] == "Fail"
    there, said = failed["And"]  # Plan's result has no decision
    assert (there["Variable"], there["IsPresent"]) == ("$.decision", True)
    assert (
        said["StringEquals"] in contracts.GradeResult.model_fields["decision"].annotation.__args__
    )
    assert set(contracts.Failure.model_fields) == {
        path.removeprefix("$.failure.")
        for path in states["Fail"]["Parameters"].values()
        if path.startswith("$.failure.")
    }


def test_batches_are_read_in_place_of_a_search_and_one_that_fails_ends_nothing():
    states = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]
    [batches] = [one for one in states["AnythingToRetrieve"]["Choices"] if one["Next"] == "Batches"]
    assert batches["Variable"] == "$.batches[0]"
    assert "batches" in contracts.PlanResult.model_fields
    assert states["Batches"]["Next"] == "Synthesize"
    item = states["Batches"]["ItemProcessor"]["States"]
    [caught] = item["Read"]["Catch"]
    assert caught["ErrorEquals"] == ["States.ALL"]
    result = {path.removesuffix(".$"): "0" for path in item[caught["Next"]]["Parameters"]}
    assert contracts.ReadResult.model_validate(result).error == "0"


def test_the_item_of_a_model_goes_round_until_a_turn_is_the_last():
    """Without a model the item goes straight to Retrieve."""
    wave = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]["Wave"]
    item = wave["ItemProcessor"]["States"]
    begin = item[wave["ItemProcessor"]["StartAt"]]
    assert (begin["Default"], begin["Choices"][0]["Next"]) == ("Retrieve", "Work")
    assert item["Work"]["Next"] == "Retrieve"
    assert item["Work"]["Catch"] == item["Retrieve"]["Catch"]
    again = item[item["Retrieve"]["Next"]]
    assert again["Choices"][0]["Variable"] == f"{item['Retrieve']['ResultPath']}.turn"
    assert item[again["Default"]]["OutputPath"] == item["Retrieve"]["ResultPath"]
    following = item[again["Choices"][0]["Next"]]
    assert following["Next"] == "Work"
    given = {field.removesuffix(".$") for field in following["Parameters"]}
    assert given == {field.removesuffix(".$") for field in wave["ItemSelector"]}
    assert following["Parameters"]["turn.$"] == again["Choices"][0]["Variable"]
    for field in given:  # what the item is given, its tasks take
        assert field in contracts.WorkRequest.model_fields
