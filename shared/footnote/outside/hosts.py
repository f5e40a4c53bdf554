"""Which hosts and addresses of the web a model may name.

A model that obeys a document could write what it has read into an address, and so give it away. On
hosts that the deployment names it may ask for any page. Elsewhere it may ask only for addresses
that stand, as they are, in words that it was shown.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

ANY = "*"
_REST = re.compile(r"[^\s<>\"'`|{}\[\]]+")  # what may belong to an address that goes on
_INSIDE = re.compile(r"[\w./@:%?&=#-]")  # before an address: then it is a part of something longer
_CLOSING = ".,;:!?)"  # signs that may follow an address in a sentence
_LOOKED_AT = 8  # characters behind an address: a few signs may close brackets and the sentence


def parse_hosts(text: str) -> tuple[str, ...]:
    """Returns the hosts of a setting: names with commas between them, `*` for all public ones."""
    return tuple(name.strip().casefold() for name in text.split(",") if name.strip())


def is_named(host: str, hosts: Iterable[str]) -> bool:
    """Tells whether a host, or a domain that it lies in, is among those named."""
    host = host.casefold().rstrip(".")
    return any(host == name or host.endswith(f".{name}") for name in hosts if name != ANY)


def may_ask(host: str, hosts: Iterable[str]) -> bool:
    """Tells whether pages of a host may be fetched."""
    names = tuple(hosts)
    return ANY in names or is_named(host, names)


def may_fetch(url: str, hosts: Iterable[str], shown: Iterable[str], asked: str) -> bool:
    """Tells whether a model may fetch an address: of a named host, or one that it was shown.

    `shown` are the texts that it has read. In `asked`, the asker's own words, an address may lack
    its scheme.
    """
    names = tuple(hosts)
    if is_named(host_of(url), names):
        return True
    address = url.partition("#")[0]
    bare = address.partition("://")[2]
    stands = any(stands_in(form, text) for text in (*shown, asked) for form in _forms(address))
    return ANY in names and (stands or any(stands_in(form, asked) for form in _forms(bare)))


def host_of(url: str) -> str:
    """Returns the host of an address, "" where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def stands_in(address: str, text: str) -> bool:
    """Tells whether an address stands in a text as a whole: no longer one begins or ends there."""
    start = text.find(address) if address else -1
    while start >= 0:
        end = start + len(address)
        rest = _REST.match(text, end, end + _LOOKED_AT)
        if not (rest and rest[0].strip(_CLOSING)) and not _INSIDE.match(text[start - 1 : start]):
            return True
        start = text.find(address, end)
    return False


def _forms(address: str) -> tuple[str, ...]:
    """Returns an address with and without the slash at the end of a bare host."""
    return (address, address.rstrip("/")) if address.endswith("/") else (address,)
