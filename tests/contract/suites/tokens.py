"""The suite of the port Tokens; `issue(**claims)` returns a good token with these claims changed.

A claim that is None is left out.
"""

import time
from collections.abc import Callable

import pytest

from footnote.errors import ForbiddenError, UnauthorizedError
from footnote.model import Caller
from footnote.ports import Tokens

ISSUER, AUDIENCE = "https://id.example", "footnote"


def claims_of(issuer: str, **changes: object) -> dict[str, object]:
    """Returns the claims of a good token of `issuer` with changes."""
    now = int(time.time())
    claims: dict[str, object] = {"iss": issuer, "aud": AUDIENCE, "iat": now, "exp": now + 3600}
    claims |= {"tenant": "acme", "groups": ["board"], "sub": "ada"}
    return {name: value for name, value in (claims | changes).items() if value is not None}


class TokensSuite:
    @pytest.fixture
    def issue(self) -> Callable[..., str]:
        raise NotImplementedError

    @pytest.fixture
    def tokens(self) -> Tokens:
        raise NotImplementedError

    def test_a_token_names_tenant_groups_and_person(self, issue, tokens):
        end = int(time.time()) + 600
        assert tokens.of(issue(exp=end)) == Caller(
            tenant="acme", groups=("board",), person="ada", by="token", expires=float(end)
        )

    def test_a_token_without_groups_is_in_none(self, issue, tokens):
        assert tokens.of(issue(groups=None)).groups == ()

    @pytest.mark.parametrize(
        ("given", "groups"),
        [
            ("board", ("board",)),
            ("Fans of @all", ("Fans of @all",)),
            ("board,@all", ("board,@all",)),
            ("board\t@all\n", ("board\t@all\n",)),
            ("", ()),
            (["Fans of @all", "board,legal"], ("Fans of @all", "board,legal")),
            (["board", "board", "\ud800"], ("board",)),
            ("\udfff", ()),
            (["board", 7, None, "", ["legal"]], ("board",)),
            ({"board": True}, ()),
            (7, ()),
        ],
    )
    def test_groups_are_texts_and_what_is_none_is_left_out(self, issue, tokens, given, groups):
        assert tokens.of(issue(groups=given)).groups == groups

    @pytest.mark.parametrize(
        "tenant",
        [None, "", "_", "acme/docs", "a\nb", ["acme"], {"id": "acme"}, 7, "x" * 257, "\ud800"],
    )
    def test_a_token_that_names_no_tenant_is_forbidden(self, issue, tokens, tenant):
        with pytest.raises(ForbiddenError, match="names no tenant"):
            tokens.of(issue(tenant=tenant))

    @pytest.mark.parametrize("person", [None, "", "x" * 257, "\ud800"])
    def test_a_token_that_names_no_person_is_forbidden(self, issue, tokens, person):
        with pytest.raises(ForbiddenError, match="names no person"):
            tokens.of(issue(sub=person))

    @pytest.mark.parametrize(
        "changes",
        [{"iss": "https://other.example"}, {"aud": "another"}, {"exp": 1_700_000_000}],
        ids=["issuer", "audience", "expired"],
    )
    def test_a_token_of_others_for_others_or_from_before_counts_for_nobody(
        self, issue, tokens, changes
    ):
        with pytest.raises(UnauthorizedError):
            tokens.of(issue(**changes))

    @pytest.mark.parametrize("token", ["", "x", "a.b.c", "é.é.é", "." * 9_000])
    def test_what_is_no_token_counts_for_nobody(self, tokens, token):
        with pytest.raises(UnauthorizedError):
            tokens.of(token)
