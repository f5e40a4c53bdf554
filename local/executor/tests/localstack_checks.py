"""Looks into LocalStack, with or without our plugins, and prints what it finds as JSON.

usage: LOCALSTACK_PYTHON localstack_checks.py stock|plugins|CHANGED

`test_in_localstack.py` runs it with LocalStack's own Python, which may have no pytest. CHANGED is a
place (module:attribute) that is made another one before the plugins are installed.
"""

import importlib
import json
import os
import sys
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

from reload_checks import edits_that_count
from role_checks import what_a_role_may_do

EXECUTOR = Path(__file__).resolve().parents[1]
TIMES = 300


def install_plugins():
    os.environ["OPENSEARCH_GATE"] = '{"port": 0, "url": "http://127.0.0.1:1", "arn": "arn"}'
    project = tomllib.loads((EXECUTOR / "pyproject.toml").read_text())["project"]
    sys.path.insert(0, str(EXECUTOR))
    for place in project["entry-points"]["localstack.hooks.on_infra_start"].values():
        module, name = place.split(":")
        getattr(importlib.import_module(module), name)()


def threads_kept():
    """Starts threads one after the other as Step Functions does; returns how many stay listed."""
    from localstack.services.stepfunctions.asl.component.program import program
    from localstack.utils.asyncio import THREAD_POOL  # it is no thread, and lists itself

    for _ in range(TIMES):
        thread = threading.Thread(target=int)
        program.TMP_THREADS.append(thread)
        thread.start()
        thread.join()
    assert THREAD_POOL in program.TMP_THREADS
    return len(program.TMP_THREADS) - 1


def a_waiting_thread_is_kept():
    from localstack.utils import threads

    event = threading.Event()
    waiting = threads.start_thread(lambda _: event.wait(), name="waits")
    threads_kept()
    kept = waiting in threads.TMP_THREADS
    event.set()
    return kept


def threads_of_an_invocation():
    """Returns how many threads the record of an invocation starts."""
    from localstack.services.lambda_.invocation import version_manager

    def record(*_args, **_options):
        version_manager.record_cw_metric_invocation(
            function_name="f", account_id="000000000000", region_name="us-east-1"
        )

    started = []
    start, threading.Thread.start = threading.Thread.start, lambda self: started.append(self.name)
    try:
        for _ in range(TIMES):
            version_manager.start_thread(record, name="record-cloudwatch-metric-f:$LATEST")
    finally:
        threading.Thread.start = start
    return len(started)


def threads_of_a_used_environment():
    """Returns how many threads a function's environment starts while it is used again and again."""
    from localstack.services.lambda_.invocation import execution_environment as module

    environment = object.__new__(module.ExecutionEnvironment)
    vars(environment).update(
        id="e",
        status=module.RuntimeStatus.READY,
        status_lock=threading.RLock(),
        initialization_type=module.InitializationType.on_demand,
        keepalive_timer=module.Timer(0, nothing),
    )
    started = []
    start = threading.Thread.start

    def count(self):
        started.append(1)
        start(self)

    threading.Thread.start = count
    try:
        for _ in range(TIMES):
            environment.reserve()
            environment.release()
        environment.keepalive_timer.cancel()
    finally:
        threading.Thread.start = start
    return len(started)


def parsers_of_two_models():
    """Returns how many parsers and serializers two models of one service get."""
    from botocore.model import ServiceModel
    from localstack.aws import skeleton
    from localstack.aws.handlers import service
    from localstack.aws.spec import load_service

    known = load_service("lambda")
    models = [ServiceModel(known._service_description, "lambda") for _ in range(2)]
    return [
        len({id(service.create_parser(model)) for model in models}),
        len({id(skeleton.create_serializer(model)) for model in models}),
    ]


def parsers_by_protocol():
    """Returns the kinds of parsers of SQS's two protocols: sharing must not mix them."""
    from localstack.aws.handlers.service import create_parser
    from localstack.aws.spec import load_service

    return [
        type(create_parser(load_service("sqs"), protocol)).__name__
        for protocol in (None, "query", None)
    ]


def roles_assumed():
    """Returns how often a role is assumed by 5 tasks of one role and one task of another."""
    from localstack.aws.connect import ExternalClientFactory

    asked = []

    class Sts:
        def request_metadata(self, **_):
            return self

        def assume_role(self, RoleArn, **_):  # noqa: N803 - boto's
            asked.append(RoleArn)
            return {
                "Credentials": {
                    "AccessKeyId": RoleArn, "SecretAccessKey": "s", "SessionToken": "t"
                }
            }  # fmt: skip

    class Factory(ExternalClientFactory):
        def __call__(self, **options):
            if "aws_access_key_id" in options:
                return options["aws_access_key_id"]
            return SimpleNamespace(sts=Sts())

    factory = Factory()
    got = [
        factory.with_assumed_role(role_arn=f"arn:{role}", region_name="us-east-1")
        for role in "aaaaab"
    ]
    return [len(asked), got]


def grammars_of_a_path():
    """Returns how often the grammar is made for one path that is used again and again."""
    from jsonpath_ng import parser
    from localstack.services.stepfunctions.asl.component.common.path.result_path import ResultPath
    from localstack.services.stepfunctions.asl.utils.json_path import extract_json

    made = []
    original = parser.JsonPathParser.__init__

    def init(self, *args, **options):
        made.append(1)
        original(self, *args, **options)

    parser.JsonPathParser.__init__ = init
    path = ResultPath("$.found")
    for n in range(5):
        assert extract_json("$.a.b[0]", {"a": {"b": [n]}}) == n
        env = SimpleNamespace(
            states=SimpleNamespace(get_input=lambda n=n: {"x": n}), stack=[{"found": n}]
        )
        path._eval_body(env)
        assert env.stack == [{"x": n, "found": {"found": n}}]
    return len(made)


def readings_of_a_definition():
    """Returns how often a definition is read for 3 executions, how many programs they have.

    Also what is said of a wrong one, twice.
    """
    from localstack.services.stepfunctions.asl.parse import asl_parser

    read = []
    parser = asl_parser.ASLParser

    class Counted(parser):
        def state_machine(self):
            read.append(1)
            return super().state_machine()

    asl_parser.ASLParser = Counted
    definition = json.dumps({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}})
    parse = asl_parser.AmazonStateLanguageParser.parse
    programs = [parse(definition)[0] for _ in range(3)]
    times = len(read)
    said = []
    for _ in range(2):
        try:
            parse('{"StartAt": 7}')
        except asl_parser.ASLParserException as error:
            said.append(str(error))
    names = {program.start_at.start_at_name for program in programs}
    return [times, len(set(map(id, programs))), sorted(names), said]


def executions_kept():
    from localstack.services.stepfunctions.backend import execution
    from localstack.services.stepfunctions.backend.models import sfn_stores

    store = sfn_stores["000000000000"]["us-east-1"]
    communication = execution.BaseExecutionWorkerCommunication
    communication._reflect_execution_status = lambda _: None
    for n in range(3 * TIMES):
        one = SimpleNamespace(
            account_id="000000000000",
            region_name="us-east-1",
            exec_arn=f"arn:{n}",
            publish_execution_status_change_event=lambda: None,
        )
        store.executions[one.exec_arn] = one
        communication(one).terminated()
    return [len(store.executions), f"arn:{3 * TIMES - 1}" in store.executions]


def log_events_kept():
    """Puts 50 TIMES events into one stream, and into as many streams; returns what is kept."""
    import localstack.services.logs.provider  # noqa: F401 - it changes moto's classes
    from moto.logs.models import LogGroup

    group = LogGroup("000000000000", "us-east-1", "group")
    group.create_log_stream("stream")
    for n in range(50 * TIMES):
        group.streams["stream"].put_log_events([{"timestamp": n, "message": "m"}])
    newest = group.streams["stream"].events[-1].timestamp
    kept = len(group.streams["stream"].events)
    for n in range(TIMES):
        group.create_log_stream(f"s{n}")
    return [kept, newest, len(group.streams), f"s{TIMES - 1}" in group.streams]


def logs_are_written():
    """Lets the log thread write two invocations of two streams; returns groups, lines, requests."""
    from localstack.aws import connect
    from localstack.services.lambda_.invocation import logs
    from moto.logs.models import logs_backends

    requests = []
    connect.connect_to.with_assumed_role = lambda **_: requests.append(1)
    handler = logs.LogHandler("arn:aws:iam::000000000000:role/r", "us-east-1")
    for stream in ("a", "b", "a"):
        handler.add_logs(logs.LogItem("/aws/lambda/f", stream, f"START\n\n{stream}\nEND"))
    handler.log_queue.put(logs.QUEUE_SHUTDOWN)
    try:
        handler.run_log_loop()
    except AttributeError:  # stock's client, which there is not here
        return [len(requests), None]
    streams = logs_backends["000000000000"]["us-east-1"].groups["/aws/lambda/f"].streams
    return [
        len(requests),
        {name: [event.message for event in one.events] for name, one in streams.items()},
    ]


def metrics_are_written():
    """Writes figures of every kind, new and four hours old; returns what the database has."""
    import sqlite3
    from datetime import UTC, datetime, timedelta

    from localstack.services.cloudwatch.cloudwatch_database_helper import CloudwatchDatabase

    Path(CloudwatchDatabase.METRICS_DB).unlink(missing_ok=True)
    database = CloudwatchDatabase()
    now = datetime.now(UTC)
    old = {"MetricName": "old", "Value": 1.0, "Timestamp": now - timedelta(hours=4)}
    database.add_metric_data("0", "us-east-1", "n", [old])
    dimensions = [{"Name": "b", "Value": "2"}, {"Name": "a", "Value": "1"}]
    made = [
        {"MetricName": "one", "Value": 0.0, "Timestamp": now, "Dimensions": dimensions},
        {"MetricName": "many", "Values": [1.0, 2.0], "Counts": [2, 1], "Unit": "Count"},
        {"MetricName": "plain", "Values": [3.0]},
        {"MetricName": "s", "StatisticValues": {
            "SampleCount": 1, "Sum": 2, "Minimum": 2, "Maximum": 2}},
    ]  # fmt: skip
    opened = []
    connect, sqlite3.connect = sqlite3.connect, lambda *a, **o: opened.append(a) or connect(*a, **o)
    database.add_metric_data("0", "us-east-1", "n", made[:3])
    sqlite3.connect = connect
    database.add_metric_data("0", "us-east-1", "n", made[3:])
    with connect(database.METRICS_DB) as rows:
        single = rows.execute(
            "SELECT metric_name, value, unit, dimensions FROM SINGLE_METRICS ORDER BY id"
        ).fetchall()
        summed = rows.execute("SELECT metric_name, sum FROM AGGREGATED_METRICS").fetchall()
    return {"opened": len(opened), "single": single, "summed": summed}


def figures_of_work():
    """Returns the figures of two invocations of a function at once, and of another's.

    The second begins and ends while the first one works. Milliseconds are given as whether there
    are any.
    """
    from localstack.services.lambda_.invocation import execution_environment as module
    from localstack.services.lambda_.invocation.lambda_models import Invocation

    def invoke(name, works=nothing):
        environment = object.__new__(module.ExecutionEnvironment)
        identity = SimpleNamespace(function_name=name, account="0", region="us-east-1")
        vars(environment).update(
            status=module.RuntimeStatus.INVOKING,
            function_version=SimpleNamespace(id=identity),
            runtime_executor=SimpleNamespace(invoke=lambda **_: works()),
        )
        given = {"payload": b"{}", "invoked_arn": "arn", "request_id": "r", "trace_context": {}}
        names = vars(Invocation)["__dataclass_fields__"]
        environment.invoke(Invocation(**{one: given.get(one) for one in names}))

    put = []
    if plugin := sys.modules.get("footnote_executor.cloudwatch.lambda_metrics"):
        plugin.QUEUE.put = lambda place, metrics: put.extend((*place, one) for one in metrics)
    invoke("f", lambda: invoke("f"))
    invoke("g")
    if plugin:
        del plugin.QUEUE.put
    return [
        [
            *place,
            one["Dimensions"],
            one["MetricName"],
            one["Value"] >= 0 if one["MetricName"] == "Duration" else one["Value"],
        ]
        for *place, one in put
    ]


def looks_at_a_queue():
    """Returns how many requests a look makes at an empty queue, one with a message, an unknown."""
    from localstack.services.lambda_.event_source_mapping.pollers import sqs_poller
    from localstack.services.sqs.models import StandardQueue, sqs_stores

    queues = sqs_stores["000000000000"]["us-east-1"].queues
    queues.update({name: StandardQueue(name, "us-east-1", "000000000000") for name in ("e", "f")})
    queues["f"].put({"MessageId": "1", "Body": "b", "Attributes": {}})
    requests = []
    found = []
    for name in ("e", "f", "unknown"):
        poller = object.__new__(sqs_poller.SqsPoller)
        vars(poller).update(
            source_arn=f"arn:aws:sqs:us-east-1:000000000000:{name}",
            source_client=SimpleNamespace(receive_message=lambda **_: requests.append(1) or {}),
            queue_url="", batch_size=1, maximum_batching_window=0, is_fifo_queue=False,
            workers=SimpleNamespace(slots=threading.Semaphore(1), handed_over=False),
        )  # fmt: skip
        before = len(requests)
        try:
            poller.poll_events()
        except sqs_poller.EmptyPollResultsException:
            found.append(len(requests) - before)
    return found


def throttle():
    from botocore.exceptions import ClientError

    error = {"Code": "TooManyRequestsException", "Message": "Rate Exceeded."}
    about = {"HTTPStatusCode": 429, "RequestId": "r"}
    return ClientError({"Error": error, "ResponseMetadata": about}, "Invoke")


def refuse(*_args, **_options):
    raise throttle()


def what_throttled_callers_learn():
    """Refuses invocations; returns what becomes of a state, a request, an authorizer, a batch."""
    from localstack.aws import connect
    from localstack.services.apigateway.next_gen.execute_api import handlers
    from localstack.services.apigateway.next_gen.execute_api.gateway_response import (
        BaseGatewayException,
    )
    from localstack.services.apigateway.next_gen.execute_api.integrations import aws
    from localstack.services.lambda_.event_source_mapping.pollers import sqs_poller
    from localstack.services.sqs.models import StandardQueue, sqs_stores
    from localstack.services.stepfunctions.asl.component.state.state_execution.state_task import (
        state_task_lambda,
    )

    task = object.__new__(state_task_lambda.StateTaskLambda)
    env = SimpleNamespace(
        next_state_name="A", event_history_context=SimpleNamespace(source_event_id=1)
    )
    failure = task._from_error(env, throttle())
    told = failure.event_details["lambdaFunctionFailedEventDetails"]
    found = {"a state": [failure.error_name.error_name, told["error"], told["cause"]]}

    proxy = aws.RestApiAwsProxyIntegration()
    proxy.create_lambda_input_event, proxy.call_lambda = lambda _: {}, refuse
    arn = "arn:aws:lambda:us-east-1:000000000000:function:f"
    context = SimpleNamespace(
        integration_request={"http_method": "POST", "uri": f"a/functions/{arn}/invocations"},
        integration={}, resource_method={"httpMethod": "GET"}, resource={"path": "/a"},
        region="us-east-1", account_id="000000000000", api_id="api", stage="dev",
    )  # fmt: skip
    try:
        proxy.invoke(context)
    except BaseGatewayException as error:
        found["a request"] = int(error.status_code)

    if asking := handlers.preprocess_request.handlers:
        module = sys.modules[type(asking[0]).__module__]
        client = SimpleNamespace(lambda_=SimpleNamespace(invoke=refuse))
        real, connect.connect_to = connect.connect_to, lambda **_: client
        event_of, module.event_of = module.event_of, lambda *_: {}
        try:
            module.call({"authorizerUri": f"a/functions/{arn}/invocations"}, context, "arn")
        except BaseGatewayException as error:
            found["an authorizer"] = type(error).__name__
        connect.connect_to, module.event_of = real, event_of
        sys.modules["footnote_executor.throttling"].FIRST = 0.0

    tries = []

    def refuse_once(batch):
        tries.append(len(batch))
        if len(tries) == 1:
            raise throttle()

    queue = StandardQueue("t", "us-east-1", "000000000000")
    sqs_stores["000000000000"]["us-east-1"].queues["t"] = queue
    queue.put({"MessageId": "1", "Body": "b", "Attributes": {}})
    message = {"MessageId": "1", "ReceiptHandle": "h", "Body": "{}"}
    poller = object.__new__(sqs_poller.SqsPoller)
    vars(poller).update(
        source_arn=f"{queue.arn}", batch_size=1, maximum_batching_window=0, is_fifo_queue=False,
        source_client=SimpleNamespace(receive_message=lambda **_: {"Messages": [message]}),
        queue_url="", filter_patterns=[], add_source_metadata=lambda events: events,
        delete_messages=lambda *_: None,
        processor=SimpleNamespace(process_events_batch=refuse_once),
    )  # fmt: skip
    if asking:
        workers = sys.modules["footnote_executor.queues.concurrency"].Workers(1)
        poller.workers = workers
    poller.poll_events()
    if asking:
        workers.pool.shutdown()
    return found | {"a batch": tries}


def keys_that_come_meanwhile():
    """Returns what a look through plans and keys finds while it makes others itself."""
    from localstack.services.apigateway.next_gen.execute_api.handlers import api_key_validation
    from moto.apigateway.models import apigateway_backends

    backend = apigateway_backends["000000000000"]["us-east-1"]
    here = {"account_id": "000000000000", "region_name": "us-east-1"}

    class Made:
        def __init__(self, others):
            self.others = others

        def to_json(self):
            self.others[str(len(self.others))] = self
            return {"id": "one"}

    plans, keys = backend.usage_plans, {}
    plans["0"] = Made(plans)
    keys["0"] = Made(keys)
    backend.usage_plan_keys["plan"] = keys
    looks = (
        lambda: api_key_validation.get_usage_plans(**here),
        lambda: api_key_validation.get_usage_plan_keys("plan", **here),
    )
    found = []
    for look in looks:
        try:
            found.append(look())
        except RuntimeError as error:
            found.append(str(error))
    plans.clear()
    del backend.usage_plan_keys["plan"]
    return found


def who_passes_an_authorizer():
    """Sends requests to methods that ask for a credential; returns what became of each.

    With stock there is nobody who asks. The function of the authorizer is played by `call`.
    """
    from localstack.services.apigateway.next_gen.execute_api import handlers
    from werkzeug.datastructures import Headers

    if not handlers.preprocess_request.handlers:
        return None
    [asking] = handlers.preprocess_request.handlers
    module = sys.modules[type(asking).__module__]
    called = []

    def call(_authorizer, context, arn):
        header = context.invocation_request["headers"].get("x-who", "")
        called.append(header)
        effect = "Deny" if header == "eve" else "Allow"
        resource = arn if header != "bob" else arn.replace("/GET/", "/POST/")
        one = {"Effect": effect, "Action": "execute-api:Invoke", "Resource": resource}
        return {
            "principalId": header, "policyDocument": {"Statement": [one]},
            "context": {"groups": ["a"]} if header == "odd" else {"name": header},
            "usageIdentifierKey": f"key of {header}",
        }  # fmt: skip

    module.call = call
    known = {
        "fresh": {"id": "fresh", "type": "REQUEST", "authorizerResultTtlInSeconds": 0},
        "kept": {
            "id": "kept", "type": "REQUEST", "authorizerResultTtlInSeconds": 300,
            "identitySource": "method.request.header.x-who",
        },
        "unnamed": {"id": "unnamed", "type": "REQUEST"},
        "token": {"id": "token", "type": "TOKEN"},
    }  # fmt: skip

    def send(kind="CUSTOM", name="fresh", **headers):
        given = Headers()
        for value in headers.get("who", ()):
            given.add("x-who", value)
        context = SimpleNamespace(
            resource_method={"authorizationType": kind, "authorizerId": name},
            deployment=SimpleNamespace(rest_api=SimpleNamespace(authorizers=known)),
            invocation_request={
                "http_method": "GET", "path": "/a", "headers": given,
                "multi_value_query_string_parameters": {},
            },
            region="us-east-1", account_id="0", api_id="api", stage="dev", deployment_id="d",
            context_variables={"identity": {}},
        )  # fmt: skip
        try:
            asking(None, context, None)
        except Exception as error:  # noqa: BLE001  # its class is what is looked at
            return type(error).__name__
        told = context.context_variables
        return [told.get("authorizer", {}).get("name"), told["identity"].get("apiKey")]

    found = {
        "open": send("NONE"),
        "iam": send("AWS_IAM"),
        "no authorizer": send(name="gone"),
        "of type TOKEN": send(name="token", who=["ada"]),
        "allowed": send(who=["ada"]),
        "denied": send(who=["eve"]),
        "of another method": send(who=["bob"]),
        "malformed": send(who=["odd"]),
        "kept without its header": send(name="kept"),
        "kept by no header": send(name="unnamed", who=["ada"]),
    }
    called.clear()
    for who in (["ada"], ["ada"], ["ada", "bob"], ["eve"], ["ada"]):
        send(name="kept", who=who)
    found["calls of the one that is kept"] = list(called)
    called.clear()
    for _ in range(2):
        send(who=["ada"])
    found["calls of the one that is not"] = list(called)
    return found


def rules_that_get_an_event():
    """Gives an event to a rule in each state; returns the states of those that sent it on."""
    from localstack.services.events.provider import EventsProvider

    sent = []
    provider = SimpleNamespace(_target_sender_store={})
    for state in ("ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"):
        sender = SimpleNamespace(
            service="sqs", process_event=lambda *_, state=state: sent.append(state)
        )
        provider._target_sender_store[f"arn:{state}-to"] = sender
        target = {"Id": "to", "Arn": "arn:aws:sqs:us-east-1:000000000000:queue"}
        rule = SimpleNamespace(
            state=state, event_pattern='{"source": ["shop"]}', targets={"to": target},
            arn=f"arn:{state}",
        )  # fmt: skip
        EventsProvider._process_rules(
            provider, rule, "us-east-1", "000000000000", {"source": "shop"}, None
        )
    return sent


class Tables:
    """Stands for DynamoDB: an index takes one look until it is there."""

    def __init__(self):
        self.asked = []
        self.looks = 0

    def update_table(self, **given):
        self.asked.append(given)

    def update_time_to_live(self, **given):
        self.asked.append(given)

    def describe_table(self, **_):
        self.looks += 1
        state = "CREATING" if self.looks == 1 else "ACTIVE"
        indexes = [{"IndexStatus": state}]
        return {"Table": {"TableStatus": "ACTIVE", "GlobalSecondaryIndexes": indexes}}


def updates_of_a_table():
    """Adds an index to a table, two indexes, another key for one; returns what came of each."""
    from localstack.services.dynamodb.resource_providers.aws_dynamodb_table import (
        DynamoDBTableProvider,
    )

    index = {"IndexName": "by-day", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}]}
    other, rekeyed = index | {"IndexName": "by-name"}, index | {"KeySchema": []}
    plain = {"TableName": "t", "Arn": "arn:t", "AttributeDefinitions": ["day"]}
    cases = (([], [index]), ([], [index, other]), ([index], [rekeyed]), ([index], [other]))
    found = []
    for before, after in (*cases, ([index], [index])):
        tables, context, told = Tables(), {}, []
        while not told or told[-1][0] == "IN_PROGRESS":
            request = SimpleNamespace(
                previous_state=plain | {"GlobalSecondaryIndexes": before},
                desired_state={
                    "AttributeDefinitions": ["day"],
                    "GlobalSecondaryIndexes": after,
                },
                custom_context=context,
                aws_client_factory=SimpleNamespace(dynamodb=tables),
            )
            try:
                event = DynamoDBTableProvider().update(request)
            except NotImplementedError:
                return "not updated"
            context = context | event.custom_context
            told.append([event.status.name, event.message])
        found.append([told[-1], len(told), tables.asked])
    return found


def update_of_an_api():
    """Updates an API whose description has changed, and its stage; returns what was told of it."""
    from localstack.services.apigateway.resource_providers.aws_apigateway_restapi import (
        ApiGatewayRestApiProvider,
    )
    from localstack.services.apigateway.resource_providers.aws_apigateway_stage import (
        ApiGatewayStageProvider,
    )

    told = []
    gateway = SimpleNamespace(
        put_rest_api=lambda **given: told.append(given | {"body": given["body"].decode()}),
        get_resources=lambda **_: {"items": [{"path": "/", "id": "r2"}, {"path": "/a", "id": "x"}]},
        update_stage=lambda **given: told.append(given),
    )
    named = {"aws_client_factory": SimpleNamespace(apigateway=gateway)}
    before = {"RestApiId": "a", "RootResourceId": "r1", "Body": {"paths": {}}}
    api = SimpleNamespace(
        previous_state=before, desired_state={"Body": {"paths": {"/a": {}}}}, **named
    )
    after = {"RestApiId": "a", "StageName": "prod", "DeploymentId": "d2"}
    stage = SimpleNamespace(previous_state=after, desired_state=after, **named)
    try:
        root = ApiGatewayRestApiProvider().update(api).resource_model["RootResourceId"]
        ApiGatewayStageProvider().update(stage)
    except NotImplementedError:
        return "not updated"
    return [told, root, ApiGatewayStageProvider.SCHEMA["createOnlyProperties"]]


def roles_of_updates():
    """Reads updates of a role whose policies name a function by condition; returns what each reads.

    The list gains such a policy before another; then a parameter switches it on, and off.
    """
    plain, more = ({"Fn::If": ["Domain", "es", NOTHING]}, {"Fn::If": ["Out", FETCH, NOTHING]})
    old, new = a_stack([plain]), a_stack([more, plain])
    return [
        role_of_update(*one)
        for one in ((old, "off", new, "off"), (new, "off", new, "on"), (new, "on", new, "off"))
    ]


NOTHING = {"Ref": "AWS::NoValue"}
FETCH = {"Fn::GetAtt": ["Fetch", "Arn"]}


def a_stack(policies):
    return {
        "Parameters": {"Hosts": {"Type": "String"}},
        "Conditions": {
            "Domain": {"Fn::Equals": ["a", "a"]},
            "Out": {"Fn::Equals": [{"Ref": "Hosts"}, "on"]},
        },
        "Resources": {
            "Fetch": {
                "Type": "AWS::Lambda::Function", "Condition": "Out", "Properties": {"Arn": "arn:f"}
            },
            "Role": {"Type": "AWS::IAM::Role", "Properties": {"Policies": policies}},
        },
    }  # fmt: skip


def role_of_update(before, hosts_before, after, hosts_after):
    read = read_update(before, hosts_before, after, hosts_after)
    if isinstance(read, str):
        return read
    return [one.properties.properties["Policies"] for one in read["Role"]]


def what_one_side_has():
    """Reads updates that switch on, and off, what names other resources of its condition.

    Returns what is read before and after: of two updates a dashboard's body, of two an output.
    """
    text = {"Fn::Join": ["", ["all ", {"Fn::Sub": "${Alarm}s of ${Fetch.Arn}"}]]}
    board = {
        "Alarm": {"Type": "AWS::SNS::Topic", "Condition": "Out", "Properties": {}},
        "Board": {
            "Type": "AWS::CloudWatch::Dashboard", "Condition": "Out",
            "Properties": {"DashboardBody": text},
        },
    }  # fmt: skip
    with_board, with_output = a_stack([]), a_stack([])
    with_board["Resources"] |= board
    with_output["Outputs"] = {"Where": {"Condition": "Out", "Value": FETCH}}
    found = []
    for template in (with_board, with_output):
        for before, after in (("off", "on"), ("on", "off")):
            read = read_update(template, before, template, after)
            if not isinstance(read, str):
                read = [text_of(side) for side in read.get("Board") or read["Where"]]
            found.append(read)
    return found


def text_of(side):
    """Returns a dashboard's body or an output's value, None where the side has neither."""
    if not side:
        return None
    return side.value if hasattr(side, "value") else side.properties.properties["DashboardBody"]


def read_update(before, hosts_before, after, hosts_after):
    """Returns both sides of each resource and output by name, or why the update ends."""
    from localstack.services.cloudformation.engine.v2 import change_set_model_preproc as module
    from localstack.services.cloudformation.engine.v2.change_set_model import ChangeSetModel

    given = [
        {"Hosts": {"type_": "String", "given_value": one}} for one in (hosts_before, hosts_after)
    ]
    model = ChangeSetModel(before, after, *given).get_update_model()
    found = {
        "Fetch": {"Type": "AWS::Lambda::Function", "Properties": {"Arn": "arn:f"}},
        "Alarm": {
            "Type": "AWS::SNS::Topic", "PhysicalResourceId": "alarm", "Properties": {},
            "ResourceStatus": "CREATE_COMPLETE",
        },
    }  # fmt: skip
    stack = SimpleNamespace(resolved_resources=found)
    own = {"stack": stack, "account_id": "000000000000"}
    reader = module.ChangeSetModelPreproc(SimpleNamespace(update_model=model, **own))
    template = model.node_template
    nodes = (*template.resources.resources, *template.outputs.outputs)
    try:
        deltas = {one.name: reader.visit(one) for one in nodes}
    except module.ValidationError as error:
        return str(error.message)
    except RuntimeError as error:
        return str(error)
    return {name: (delta.before, delta.after) for name, delta in deltas.items()}


def update_of_a_role():
    """Updates a role of which one policy stays, one changes, one goes, one comes; what is told."""
    from localstack.services.iam.resource_providers.aws_iam_role import IAMRoleProvider

    told = []
    iam = SimpleNamespace(
        put_role_policy=lambda **given: told.append(
            ["put", given["RoleName"], given["PolicyName"]]
        ),
        delete_role_policy=lambda **given: told.append(["delete", *given.values()]),
    )

    def role(**policies):
        return {
            "AssumeRolePolicyDocument": {},
            "Policies": [
                {"PolicyName": name, "PolicyDocument": {"Statement": [said]}}
                for name, said in policies.items()
            ],
        }

    request = SimpleNamespace(
        previous_state={**role(stays="a", changes="a", goes="a"), "RoleName": "r", "Arn": "arn:r"},
        desired_state=role(stays="a", changes="b", comes="a"),
        aws_client_factory=SimpleNamespace(iam=iam),
    )
    event = IAMRoleProvider().update(request)
    return [sorted(told), event.resource_model["RoleName"], event.resource_model["Arn"]]


CHECKS = (
    roles_of_updates,
    what_one_side_has,
    update_of_a_role,
    updates_of_a_table,
    update_of_an_api,
    what_throttled_callers_learn,
    who_passes_an_authorizer,  # puts a function of its own in place
    keys_that_come_meanwhile,
    rules_that_get_an_event,
    threads_kept,
    a_waiting_thread_is_kept,
    threads_of_an_invocation,
    threads_of_a_used_environment,
    parsers_of_two_models,
    parsers_by_protocol,
    roles_assumed,
    grammars_of_a_path,
    readings_of_a_definition,
    executions_kept,
    log_events_kept,
    metrics_are_written,
    figures_of_work,
    looks_at_a_queue,
    logs_are_written,
    what_a_role_may_do,  # the last: it puts a runtime in place
)


def nothing():
    """Stands for a function of another LocalStack."""


def main():
    what = sys.argv[1]
    if what not in ("stock", "plugins"):
        module, name = what.split(":")
        owner = importlib.import_module(module)
        *path, last = name.split(".")
        for one in path:
            owner = getattr(owner, one)
        setattr(owner, last, nothing)
    if what != "stock":
        install_plugins()
    found = {"times": TIMES}
    if what == "plugins":
        found["edits_that_count"] = edits_that_count()  # stock has no processes
    for check in CHECKS:
        found[check.__name__] = check()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
