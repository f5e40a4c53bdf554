"""Which names a stack uses in an OpenSearch that others use too, and whose a generation is."""

import re

import pytest

from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.adapters.opensearch.names import check_prefix, must_be_ours
from footnote.errors import ConfigurationError
from footnote.settings import Settings
from tests.template import read_template

OURS = {"prefix": "a", "owner": "a-uploads-1-eu"}


@pytest.mark.parametrize("prefix", ["a", "footnote", "footnote-dev", "0-9", "a--b-", "a" * 100])
def test_what_a_stack_may_be_called_is_a_prefix(prefix):
    assert check_prefix(prefix) == prefix


@pytest.mark.parametrize("prefix", ["", "-a", "A", "a_b", "a.b", "a*", "a,b", "a/b", "a" * 101])
def test_what_cannot_begin_an_index_name_is_refused(prefix):
    with pytest.raises(ConfigurationError, match="cannot begin"):
        OpenSearchIndex("http://127.0.0.1:9", "model", 4, prefix=prefix)


def test_the_template_takes_no_other_prefix():
    pattern = read_template()["Parameters"]["IndexPrefix"]["AllowedPattern"]
    for prefix in ("", "a", "footnote-dev", "a" * 100):
        assert re.fullmatch(pattern, prefix)
    for prefix in ("-a", "A", "a_b", "a*", "a" * 101):
        assert not re.fullmatch(pattern, prefix)


def test_every_function_is_told_the_stacks_own_prefix():
    given = read_template()["Globals"]["Function"]["Environment"]["Variables"]
    chosen = ["NamedIndex", "!Ref IndexPrefix", "!Ref AWS::StackName"]
    assert given["FOOTNOTE_INDEX_PREFIX"] == chosen
    assert Settings().index_prefix == "footnote"


def test_a_generation_of_ours_or_of_before_owners_were_noted_is_ours():
    must_be_ours("a-model-1", {"stack": OURS}, OURS)
    must_be_ours("a-model-1", {}, OURS)


@pytest.mark.parametrize("other", [{"prefix": "a-b"}, {"owner": "a-uploads-2-eu"}])
def test_a_generation_of_another_stack_is_refused_with_what_to_do(other):
    with pytest.raises(ConfigurationError, match="a-model-1 belongs to another") as refused:
        must_be_ours("a-model-1", {"stack": OURS | other}, OURS)
    assert "IndexPrefix" in refused.value.action
