"""The recording in docs shows what the commands print today."""

import re

from local.recording import TEXT, plain, record

# What other tenants have in the index decides how rare a word is, and so which passages are found
# besides those that answer.
FOUND = re.compile(r"\d+ passages, best [\d.]+|\d+ citations?")


def test_the_recording_is_what_the_commands_print(stack, new_tenant):
    client, _ = new_tenant()
    shown = record(stack["api_url"], client._api.http.headers["x-api-key"])
    assert alike(shown) == alike(TEXT.read_text(encoding="utf-8")), (
        f"`make recording` records what is printed now:\n{plain(shown)}"
    )


def alike(text):
    return FOUND.sub("…", text)
