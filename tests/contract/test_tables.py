"""The template's tables are the tables on which the DynamoDB adapters are tested."""

import pytest
import yaml

from tests.contract.suites.tables import TABLES


class Template(yaml.SafeLoader):
    """A YAML loader that reads `!Ref x` and other short functions of CloudFormation as `x`."""


Template.add_multi_constructor("!", lambda _loader, _tag, node: str(node.value))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_template_is_the_one_that_was_tested(root, name):
    template = yaml.load((root / "template.yaml").read_text(), Template)  # noqa: S506 -- a SafeLoader
    properties = template["Resources"][name]["Properties"]
    assert {part: properties[part] for part in TABLES[name]} == TABLES[name]
    assert properties["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
