"""Reads the fenced texts of a request: what a model was given, by label."""

import re

_FENCED = re.compile(r"^<<<(\w{16}) ([^>]+)>>>\n([\s\S]*?)\n<<<end \1>>>$", re.MULTILINE)


def fenced(request):
    """Returns all fenced texts of a request by their labels."""
    return {label: text for _, label, text in _FENCED.findall(request.prompt)}


def passages_of(request):
    """Returns the passages of a request by number, each in one line without its place."""
    texts = {int(n): text for n, text in fenced(request).items() if n.isdecimal()}
    return {n: " ".join(text.partition("\n\n")[2].split()) for n, text in texts.items()}
