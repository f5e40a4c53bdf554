"""Updates tables, alarms, APIs and roles when a stack is updated; stock LocalStack does not.

It leaves the first three and a role's own policies as they were, and would make the stage of a
changed API once more, which fails.
An index that a template adds to a table never comes to be, and the update succeeds. Like
DynamoDB this makes or deletes one index in an update, and refuses more.
"""

import json
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

REFUSED = "Cannot perform more than one GSI creation or deletion in a single update"
MADE_ANEW = ("AssumeRolePolicyDocument", "ManagedPolicyArns")
"""Properties of a role for whose change stock makes it once more."""
MADE_ONCE = "Cannot update GSI's properties other than Provisioned Throughput"


@hooks.on_infra_start()
def install_stack_updates() -> None:
    from localstack.services.apigateway.resource_providers.aws_apigateway_restapi import (  # noqa: PLC0415
        ApiGatewayRestApiProvider,
    )
    from localstack.services.apigateway.resource_providers.aws_apigateway_stage import (  # noqa: PLC0415
        ApiGatewayStageProvider,
    )
    from localstack.services.cloudwatch.resource_providers.aws_cloudwatch_alarm import (  # noqa: PLC0415
        CloudWatchAlarmProvider,
    )
    from localstack.services.dynamodb.resource_providers.aws_dynamodb_table import (  # noqa: PLC0415
        DynamoDBTableProvider,
    )
    from localstack.services.iam.resource_providers.aws_iam_role import (  # noqa: PLC0415
        IAMRoleProvider,
    )

    original_of(DynamoDBTableProvider, "update", "55e32368e190")
    original_of(CloudWatchAlarmProvider, "update", "a77122679c19")
    DynamoDBTableProvider.update = update_table
    original_of(ApiGatewayStageProvider, "update", "0042ccc42668")
    original_of(ApiGatewayRestApiProvider, "update", "658e53f99290")
    CloudWatchAlarmProvider.update = update_alarm
    IAMRoleProvider.update = update_role(original_of(IAMRoleProvider, "update", "74b32b8fbd3e"))
    ApiGatewayRestApiProvider.update = update_api
    ApiGatewayStageProvider.update = update_stage
    # An API that changes keeps its id, which LocalStack cannot know before: it would make the
    # stage anew under the name that is taken.
    ApiGatewayStageProvider.SCHEMA = ApiGatewayStageProvider.SCHEMA | {"createOnlyProperties": []}


def update_alarm(provider: Any, request: Any) -> Any:
    """Writes the alarm anew under the name that it has."""
    request.desired_state["AlarmName"] = request.previous_state["AlarmName"]
    return provider.create(request)


def update_role(stock: Any) -> Any:
    """Returns what updates a role: as `stock` does where it makes it anew, else its policies."""

    def update(provider: Any, request: Any) -> Any:
        before, after = request.previous_state, request.desired_state
        if any(before.get(name) != after.get(name) for name in MADE_ANEW):
            return stock(provider, request)
        iam, role = request.aws_client_factory.iam, before["RoleName"]
        had, has = (
            {one["PolicyName"]: one["PolicyDocument"] for one in state.get("Policies") or []}
            for state in (before, after)
        )
        for name in had.keys() - has.keys():
            iam.delete_role_policy(RoleName=role, PolicyName=name)
        for name, document in has.items():
            if had.get(name) != document:
                text = json.dumps({"Version": "2012-10-17"} | document)
                iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=text)
        made = {name: before[name] for name in ("RoleName", "Arn", "RoleId") if name in before}
        return _event("SUCCESS", after | made)

    return update


def update_api(_: Any, request: Any) -> Any:
    """Imports the API's description anew. Who calls it sees that once a stage serves it."""
    client = request.aws_client_factory.apigateway
    before, after = request.previous_state, request.desired_state
    after |= {name: before[name] for name in ("RestApiId", "RootResourceId")}
    if after["Body"] != before.get("Body"):
        client.put_rest_api(
            restApiId=after["RestApiId"],
            mode="overwrite",
            parameters={"basepath": "ignore"},  # as LocalStack does where it makes an API
            body=json.dumps(after["Body"]).encode(),
        )
        [root] = [
            one["id"]
            for one in client.get_resources(restApiId=after["RestApiId"], limit=500)["items"]
            if one["path"] == "/"
        ]
        after["RootResourceId"] = root
    return _event("SUCCESS", after)


def update_stage(_: Any, request: Any) -> Any:
    """Lets the stage serve the API's new deployment. What else a stage has stays as it was."""
    after = request.desired_state
    request.aws_client_factory.apigateway.update_stage(
        restApiId=after["RestApiId"],
        stageName=after["StageName"],
        patchOperations=[
            {"op": "replace", "path": "/deploymentId", "value": after["DeploymentId"]}
        ],
    )
    return _event("SUCCESS", after)


def update_table(_: Any, request: Any) -> Any:
    """Changes a table's indexes, stream and time to live; waits until it is done."""
    client = request.aws_client_factory.dynamodb
    before, after = request.previous_state, request.desired_state
    name = before["TableName"]
    after |= {key: before[key] for key in ("TableName", "Arn", "StreamArn") if key in before}
    if not request.custom_context.get("changed"):
        if refused := refusal(before, after):
            return _event("FAILED", {}, message=refused)
        change = table_change(before, after)
        if change:
            client.update_table(TableName=name, **change)
        if after.get("TimeToLiveSpecification") != before.get("TimeToLiveSpecification"):
            client.update_time_to_live(
                TableName=name, TimeToLiveSpecification=after["TimeToLiveSpecification"]
            )
        return _event("IN_PROGRESS", after, custom_context={"changed": True})
    table = client.describe_table(TableName=name)["Table"]
    states = [table, *table.get("GlobalSecondaryIndexes", [])]
    if any(one.get("TableStatus", one.get("IndexStatus")) != "ACTIVE" for one in states):
        return _event("IN_PROGRESS", after, custom_context={"changed": True})
    if stream := table.get("LatestStreamArn"):
        after["StreamArn"] = stream
    return _event("SUCCESS", after)


def refusal(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Returns why DynamoDB would not take this change of a table, or ""."""
    had, has = indexes_of(before), indexes_of(after)
    if len(had.keys() ^ has.keys()) > 1:
        return REFUSED
    return MADE_ONCE if any(had[name] != has[name] for name in had.keys() & has.keys()) else ""


def table_change(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Returns what UpdateTable is told, without the table's name; nothing if all is as it was."""
    had, has = indexes_of(before), indexes_of(after)
    made = [{"Create": has[name]} for name in has.keys() - had.keys()]
    gone = [{"Delete": {"IndexName": name}} for name in had.keys() - has.keys()]
    change: dict[str, Any] = {}
    if made or gone:
        change["GlobalSecondaryIndexUpdates"] = made + gone
        change["AttributeDefinitions"] = after["AttributeDefinitions"]
    stream = after.get("StreamSpecification")
    if stream != before.get("StreamSpecification"):
        change["StreamSpecification"] = {"StreamEnabled": bool(stream), **(stream or {})}
    return change


def indexes_of(table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["IndexName"]: one for one in table.get("GlobalSecondaryIndexes") or []}


def _event(status: str, model: dict[str, Any], **more: Any) -> Any:
    from localstack.services.cloudformation.resource_provider import (  # noqa: PLC0415
        OperationStatus,
        ProgressEvent,
    )

    return ProgressEvent(status=OperationStatus[status], resource_model=model, **more)
