"""Settings: what the environment sets, and what it sets wrongly."""

import pytest
from pydantic import ValidationError

from footnote.errors import ConfigurationError
from footnote.settings import Settings


def test_an_empty_environment_is_the_defaults():
    settings = Settings.from_env({})
    assert settings == Settings()
    assert (settings.backend, settings.max_receives, settings.max_rounds) == ("aws", 4, 2)


def test_each_field_is_read_from_its_variable_and_others_are_left_alone():
    settings = Settings.from_env(
        {
            "FOOTNOTE_BACKEND": "memory",
            "FOOTNOTE_MAX_UPLOAD_BYTES": "1000",
            "FOOTNOTE_URL": "http://not.a.setting",
            "MAX_RECEIVES": "9",
        }
    )
    assert settings == Settings(backend="memory", max_upload_bytes=1000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FOOTNOTE_MAX_RECEIVES", "three"),
        ("FOOTNOTE_BACKEND", "azure"),
        ("FOOTNOTE_OPENSEARCH_AUTH", "basic"),
        ("FOOTNOTE_OCR_PROVIDER", "abbyy"),
        ("FOOTNOTE_CONTEXTUAL_LINES", "maybe"),
    ],
)
def test_a_variable_that_is_wrong_is_named(name, value):
    with pytest.raises(ConfigurationError) as error:
        Settings.from_env({name: value})
    assert error.value.message.startswith(f"{name}: ")
    assert error.value.action == f"Correct {name} in template.yaml and deploy again."


def test_settings_do_not_change():
    with pytest.raises(ValidationError):
        Settings().backend = "memory"
