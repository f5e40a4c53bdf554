"""Which OpenSearch runs locally, and how it is laid out."""

import zipfile

import pytest

from local import opensearch
from local.account import OLDEST, engine_number
from local.setup import opensearch_step
from tests.template import read_template


def test_what_is_deployed_is_what_is_tested():
    deployed = engine_number(read_template()["Parameters"]["OpenSearchVersion"]["Default"])
    default, *others = (tuple(map(int, one.split("."))) for one in opensearch.VERSIONS)
    assert deployed == default[:2]
    assert all(one >= OLDEST for one in (default, *others))


def test_each_version_has_a_folder_and_a_step_of_its_own(monkeypatch):
    made = set()
    for version in opensearch.VERSIONS:
        monkeypatch.setenv(opensearch.CHOSEN, version)
        step = opensearch_step()
        made.add((step.name, step.makes, step.made_of))
    assert len(made) == len(opensearch.VERSIONS)


def test_a_version_that_is_not_known_is_refused_with_those_that_are(monkeypatch):
    monkeypatch.setenv(opensearch.CHOSEN, "2.19.0")
    with pytest.raises(SystemExit, match=r"2\.19\.0 is not known; known: 3\.3\.2, 3\.5\.0"):
        opensearch.version()


def test_a_plugin_extends_only_modules_that_are_here(tmp_path):
    told = "# of a plugin\nname=opensearch-knn\nextended.plugins=lang-painless,transport-grpc\n"
    file = tmp_path / "knn.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("plugin-descriptor.properties", told)
        archive.writestr("knn.jar", b"jar")
    opensearch.place(file, tmp_path)
    placed = tmp_path / "plugins/opensearch-knn"
    written = (placed / "plugin-descriptor.properties").read_text()
    assert written == "name=opensearch-knn\nextended.plugins=lang-painless\n"
    assert (placed / "knn.jar").read_bytes() == b"jar"
    assert not file.exists()
