"""The recording in docs shows what the commands print today."""

import re

from local.recording import TEXT, plain, record


def test_the_recording_is_what_the_commands_print(stack, new_tenant):
    client, _ = new_tenant()
    shown = record(stack["api_url"], client._http.headers["x-api-key"])
    assert alike(shown) == alike(TEXT.read_text(encoding="utf-8")), (
        f"`make recording` records what is printed now:\n{plain(shown)}"
    )


def alike(text):
    """How many passages are found depends on what other tenants have in the index."""
    return re.sub(r"\d+ passages", "… passages", text)
