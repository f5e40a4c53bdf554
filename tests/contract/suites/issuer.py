"""The suite of the port Issuer; `show(name)` has the provider show a new key of that name."""

from collections.abc import Callable

import pytest

from footnote.errors import NotFoundError
from footnote.model import Discovery
from footnote.ports import Issuer


class IssuerSuite:
    @pytest.fixture
    def issuer(self) -> Issuer:
        raise NotImplementedError

    @pytest.fixture
    def described(self) -> Discovery:
        """What the provider says of itself."""
        raise NotImplementedError

    @pytest.fixture
    def show(self) -> Callable[[str], None]:
        raise NotImplementedError

    def test_it_says_where_people_sign_in(self, issuer, described):
        assert issuer.describe() == described

    def test_a_key_is_found_by_its_name(self, issuer, show):
        show("spring")
        found = issuer.key("spring")
        assert (found["kid"], found["kty"]) == ("spring", "RSA")

    def test_a_key_that_is_not_shown_is_not_there(self, issuer, show):
        show("spring")
        with pytest.raises(NotFoundError):
            issuer.key("autumn")
