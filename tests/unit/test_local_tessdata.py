"""OCR's language data is found where installed. If it is missing, its package is named."""

from local.tessdata import LANGUAGES, language_file, missing_languages


def test_the_file_of_the_newest_tesseract_is_taken(tmp_path):
    for version in ("4.00", "5"):
        (tmp_path / version / "tessdata").mkdir(parents=True)
        (tmp_path / version / "tessdata" / "eng.traineddata").touch()
    assert language_file("eng", tmp_path) == tmp_path / "5" / "tessdata" / "eng.traineddata"
    assert language_file("deu", tmp_path) is None


def test_packages_of_missing_languages_are_named(tmp_path):
    folder = tmp_path / "5" / "tessdata"
    folder.mkdir(parents=True)
    for language in LANGUAGES[1:]:
        (folder / f"{language}.traineddata").touch()
    assert missing_languages(tmp_path) == ["tesseract-ocr-eng"]
