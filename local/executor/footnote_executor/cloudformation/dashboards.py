"""Lets a stack have dashboards of CloudWatch; stock LocalStack knows them by the API alone."""

from typing import Any

from localstack.services.cloudformation.resource_provider import (
    CloudFormationResourceProviderPlugin,
    OperationStatus,
    ProgressEvent,
    ResourceProvider,
)


class DashboardProvider(ResourceProvider):  # type: ignore[misc]
    """Writes a dashboard under its name, which the template gives, and deletes it."""

    TYPE = "AWS::CloudWatch::Dashboard"
    SCHEMA = {  # noqa: RUF012 - theirs are plain, too
        "typeName": TYPE,
        "properties": {"DashboardName": {"type": "string"}, "DashboardBody": {"type": "string"}},
        "createOnlyProperties": ["/properties/DashboardName"],
        "primaryIdentifier": ["/properties/DashboardName"],
        "required": ["DashboardBody"],
    }

    def create(self, request: Any) -> Any:
        model = request.desired_state
        request.aws_client_factory.cloudwatch.put_dashboard(
            DashboardName=model["DashboardName"], DashboardBody=model["DashboardBody"]
        )
        return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)

    def update(self, request: Any) -> Any:
        return self.create(request)

    def delete(self, request: Any) -> Any:
        name = request.desired_state["DashboardName"]
        request.aws_client_factory.cloudwatch.delete_dashboards(DashboardNames=[name])
        return ProgressEvent(status=OperationStatus.SUCCESS, resource_model={})


class DashboardProviderPlugin(CloudFormationResourceProviderPlugin):  # type: ignore[misc]
    """LocalStack finds a resource's provider by the name of its plugin."""

    name = DashboardProvider.TYPE

    def __init__(self) -> None:
        self.factory: type[DashboardProvider] | None = None

    def load(self) -> None:
        self.factory = DashboardProvider
