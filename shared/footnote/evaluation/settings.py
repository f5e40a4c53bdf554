"""Named settings of requests, of which two are compared side by side."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from footnote.errors import BadRequestError
from footnote.evaluation.yaml_files import read_yaml
from footnote.metadata.conditions import from_texts
from footnote.model import Caps, Persona, QuestionKind, Strategy, StrictValue
from footnote.wire import Json


class SearchSetting(StrictValue):
    """Options of the searches. `lexical` searches without vectors, `semantic` by them alone."""

    strategy: Strategy = "auto"
    minimum_results: int = 0
    min_score: float = Field(default=0.0, ge=0, le=1)


class AskSetting(StrictValue):
    """Options of the questions."""

    persona: Persona | None = None
    kind: QuestionKind | None = None
    min_confidence: float = Field(default=0.0, ge=0, le=1)
    strict: bool | None = None
    budget: Caps = Caps()


class Setting(StrictValue):
    """What a request may choose, and which footnote is asked.

    `url` is another deployment, such as one with another model; `key_variable` names the
    environment variable that has its key. `filters` hold for searches and questions.
    """

    search: SearchSetting = SearchSetting()
    ask: AskSetting = AskSetting()
    filters: tuple[str, ...] = ()
    url: str = ""
    key_variable: str = ""

    @property
    def search_options(self) -> Json:
        return self.search.model_dump(exclude_defaults=True)

    @property
    def ask_options(self) -> Json:
        return self.ask.model_dump(mode="json", exclude_defaults=True, exclude_none=True)


class SettingFile(StrictValue):
    settings: Mapping[str, Setting] = Field(min_length=1)


def read_settings(path: Path) -> Mapping[str, Setting]:
    """Reads named settings. Raises BadRequestError that names file, line and field."""
    settings = read_yaml(path, SettingFile).settings
    for name, setting in settings.items():
        try:
            from_texts(list(setting.filters))
        except BadRequestError as error:
            raise BadRequestError(
                f"{path}, settings.{name}.filters: {error.message}",
                code="bad_file",
                action=error.action,
            ) from None
    return settings
