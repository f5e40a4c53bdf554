"""Runs in the SAM CLI's environment and says what SAM and CloudFormation make of template.yaml.

usage: sam_tool.py template.yaml    (`tests/transformed.py` calls it)

Prints the template after the transform; what CloudFormation's schemas say that an update replaces,
by type; the types that cfn-lint calls stateful; and those that take tags.
"""

import json
import sys
from pathlib import Path

from cfnlint.data import AdditionalSpecs
from cfnlint.helpers import load_resource
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

REGION = "us-east-1"
CODE = "s3://sam-bucket-abcdef123456/0123456789abcdef0123456789abcdef"


class Policies:
    """Names AWS's managed policies. SAM itself asks an account for their names."""

    def load(self):
        return self

    def __contains__(self, name):
        return name.startswith("AWS")

    def __getitem__(self, name):
        return f"arn:aws:iam::aws:policy/service-role/{name}"


def read(path):
    """Reads the template as `sam deploy` sends it: code in a bucket, definitions inside."""
    template = yaml_parse(path.read_text())
    for resource in template["Resources"].values():
        properties = resource.get("Properties", {})
        for name in {"CodeUri", "ContentUri"} & properties.keys():
            properties[name] = CODE
        if "DefinitionUri" in properties:
            file = path.parent / properties.pop("DefinitionUri")
            properties["Definition"] = json.loads(file.read_text())
    return template


def replacing(kind):
    """Returns the paths whose change makes a new resource, those that do so sometimes too."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    keys = ("createOnlyProperties", "conditionalCreateOnlyProperties")
    paths = {path for key in keys for path in schema.get(key, [])}
    return sorted(path.removeprefix("/properties/") for path in paths)


def takes_tags(kind):
    """Whether CloudFormation puts the tags of a stack on a resource, by its schema."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    return schema.get("tagging", {}).get("taggable", schema.get("taggable", True))


def main():
    made = transform(read(Path(sys.argv[1])), {}, Policies())
    kinds = {one["Type"] for one in made["Resources"].values()}
    stateful = load_resource(AdditionalSpecs, "StatefulResources.json")["ResourceTypes"]
    found = {
        "template": made,
        "replacing": {kind: replacing(kind) for kind in kinds},
        "stateful": sorted(kinds & stateful.keys()),
        "taggable": sorted(kind for kind in kinds if takes_tags(kind)),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
