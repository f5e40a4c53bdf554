"""A deployed function as the template would make it with other parameters: variables and rights.

A test that switches a step to a model changes more than variables: what the step then calls it
needs rights for, and a stack may hold it to them (`ENFORCE_IAM=1`). Both come from the template.
"""

import json
import re
import time
from collections.abc import Mapping
from typing import Any

from local.localstack import REGION
from tests.stack import find_resource
from tests.transformed import Resolver, made

ACCOUNT = "000000000000"
DEFAULT = {"Version": "2012-10-17"}  # of a policy; IAM takes one without, LocalStack does not


class Deployed(Resolver):
    """The template with the parameters and the names of a stack that is there.

    `names` are its resources' by logical id, and may name one that it leaves out.
    """

    region, account = REGION, ACCOUNT

    def __init__(self, values: dict[str, str], names: Mapping[str, str]) -> None:
        self.names = names
        super().__init__(made()["template"], values)

    def physical(self, name: str) -> str:
        return self.names.get(name) or super().physical(name)

    def plain_name(self, name: str) -> str:
        known = self.names.get(name)
        return re.split("[:/]", known)[-1] if known else super().plain_name(name)

    def policies(self, function: str) -> dict[str, Any]:
        """Returns the inline policies of a function's role, by name."""
        found = self.role(function).get("Policies", [])
        return {one["PolicyName"]: one["PolicyDocument"] for one in found}

    def variables(self, function: str) -> dict[str, str]:
        found = self.resources[function]["Properties"]["Environment"]["Variables"]
        return {name: str(value) for name, value in found.items()}


class Reconfigured:
    """Changes functions of a stack, and restores them.

    `aws` makes boto3 clients for the stack. `names` may be given the name of a function that the
    template leaves out of it, and that a test makes.
    """

    def __init__(self, stack: Mapping[str, Any], aws: Any) -> None:
        self.stack, self.aws = stack, aws
        self.functions, self.iam = aws("lambda"), aws("iam")
        self.names: dict[str, str] = {}
        self._before: dict[str, tuple[dict[str, str], str, dict[str, Any]]] = {}

    def change(
        self, step: str, given: Mapping[str, str] | None = None, **variables: str
    ) -> dict[str, str]:
        """Has a step's function be as with these parameters of the template, and more variables.

        Returns the variables that it had.
        """
        logical = f"{step}Function"
        name = find_resource(self.aws, self.stack, logical)
        found = self.functions.get_function_configuration(FunctionName=name)
        environment = found["Environment"]["Variables"]
        role = found["Role"].rpartition("/")[2]
        had = {policy: self.document(role, policy) for policy in self._named(role)}
        self._before.setdefault(name, (environment, role, had))
        now, then = self.template(), self.template(**(given or {}))
        self._put(role, had | changed(now.policies(logical), then.policies(logical)))
        differing = changed(now.variables(logical), then.variables(logical))
        configure(self.functions, name, environment | differing | variables)
        return environment

    def restore(self) -> None:
        for name, (environment, role, policies) in self._before.items():
            configure(self.functions, name, environment)
            self._put(role, policies)
        self._before.clear()

    def template(self, **given: str) -> Deployed:
        """Returns the template as it is deployed, but for the parameters that are given."""
        cloudformation, name = self.aws("cloudformation"), f"footnote-{self.stack['name']}"
        [known] = cloudformation.describe_stacks(StackName=name)["Stacks"]
        values = {one["ParameterKey"]: one["ParameterValue"] for one in known["Parameters"]}
        pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
        names = {
            one["LogicalResourceId"]: one["PhysicalResourceId"]
            for page in pages
            for one in page["StackResourceSummaries"]
        }
        return Deployed(values | given, names | self.names)

    def document(self, role: str, policy: str) -> Any:
        return self.iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]

    def _named(self, role: str) -> list[str]:
        return list(self.iam.list_role_policies(RoleName=role)["PolicyNames"])

    def _put(self, role: str, policies: Mapping[str, Any]) -> None:
        for name in set(self._named(role)) - policies.keys():
            self.iam.delete_role_policy(RoleName=role, PolicyName=name)
        for name, document in policies.items():
            text = json.dumps(DEFAULT | document)
            self.iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=text)


def changed(now: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in then.items() if now.get(name) != value}


def configure(functions: Any, name: str, variables: Mapping[str, str]) -> None:
    """Gives a function these variables, which starts it anew; waits until it is done."""
    functions.update_function_configuration(
        FunctionName=name, Environment={"Variables": dict(variables)}
    )
    while functions.get_function_configuration(FunctionName=name)["LastUpdateStatus"] != (
        "Successful"
    ):
        time.sleep(0.1)
