"""Runs in LocalStack's environment and says what ends an update of a stack before it begins.

usage: update_tool.py < JSON    (`tests/contract/test_local_update.py` calls it)

Reads a template after SAM's transform, and updates: parameters before and after, and the names of
the resources that are there before and after. Prints for each why LocalStack, with our plugin,
cannot describe or read what it has to change, or which resources it takes for there or gone, or "".
"""

import copy
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from localstack.services.cloudformation.engine.v2.change_set_model import ChangeSetModel
from localstack.services.cloudformation.engine.v2.change_set_model_describer import (
    ChangeSetModelDescriber,
)
from localstack.services.cloudformation.engine.v2.change_set_model_preproc import (
    ChangeSetModelPreproc,
)
from localstack.services.cloudformation.engine.validations import ValidationError

sys.path.insert(0, str(Path(__file__).parents[1] / "local/executor"))

from footnote_executor.cloudformation.branches import install_branches

STACK = "arn:aws:cloudformation:us-east-1:000000000000:stack/footnote/0"
MADE = {"Arn": "arn:made", "StreamArn": "arn:made", "DomainEndpoint": "made", "RootResourceId": "0"}
"""What resources say of themselves once they are there."""


def main():
    given = json.load(sys.stdin)
    install_branches()
    json.dump([why_not(given["template"], *one) for one in given["updates"]], sys.stdout)


def why_not(template, before, after, *names):
    """Describes the update by what is there before, and reads it as if all had been made since."""
    sides = [
        {name: {"type_": "String", "given_value": value} for name, value in side.items()}
        for side in (before, after)
    ]
    made = {
        name: {
            "Type": one["Type"],
            "PhysicalResourceId": name,
            "ResourceStatus": "CREATE_COMPLETE",
            "Properties": copy.deepcopy(one.get("Properties", {})) | MADE,
        }
        for name, one in template["Resources"].items()
    }
    own = {"account_id": "000000000000", "region_name": "us-east-1", "stack_name": "footnote"}
    stack = SimpleNamespace(resolved_resources={}, stack_id=STACK, **own)
    model = ChangeSetModel(template, template, *sides).get_update_model()
    change = SimpleNamespace(update_model=model, stack=stack, change_set_type="UPDATE", **own)
    try:
        stack.resolved_resources = {name: made[name] for name in names[0]}
        ChangeSetModelDescriber(change, include_property_values=False).process()
        stack.resolved_resources = made
        reader = ChangeSetModelPreproc(change)
        reader.process()
        nodes = model.node_template.resources.resources
        deltas = {one.name: reader.visit(one) for one in nodes}
    except ValidationError as error:
        return error.message
    except RuntimeError as error:
        return str(error)
    wrong = [
        f"{name} {side}"
        for side, there in zip(("before", "after"), names, strict=True)
        for name, delta in deltas.items()
        if bool(getattr(delta, side)) != (name in there)
    ]
    return ", ".join(wrong)


if __name__ == "__main__":
    main()
