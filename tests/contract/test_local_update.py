"""The local stack can be updated with other parameters, as a stack on AWS can.

LocalStack compares the template before and after an update by itself, and our plugin mends how it
reads conditions. What it then does with resources is tried on stacks.
"""

import json
import subprocess
from pathlib import Path

import pytest

from local.paths import TOOLS
from tests.transformed import SETS, Resolver, made

pytestmark = pytest.mark.slow  # LocalStack's imports
TOOL = Path(__file__).parents[1] / "update_tool.py"
ON = SETS["everything"] | SETS["company"]
OFF = SETS["own"]
UPDATES = {"on": (OFF, ON), "off": (ON, OFF)}


def names_of(template, parameters):
    return sorted(Resolver(template, parameters).resources)


@pytest.fixture(scope="module")
def reasons():
    template = made()["template"]
    given = {name: str(one.get("Default", "")) for name, one in template["Parameters"].items()}
    updates = [
        [*(given | side for side in sides), *(names_of(template, side) for side in sides)]
        for sides in UPDATES.values()
    ]
    asked = {"template": template, "updates": updates}
    python = TOOLS / "localstack/bin/python"
    done = subprocess.run(
        [python, TOOL], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(UPDATES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("update", UPDATES)
def test_an_update_that_switches_parameters_can_be_read(reasons, update):
    assert reasons[update] == ""
