"""The suite of the port Tenants; `key(tenant, groups, expires)` makes a key and returns its id."""

from collections.abc import Callable

import pytest

from footnote.errors import ForbiddenError
from footnote.model import Caller
from footnote.ports import Tenants

type Key = Callable[..., str]


class TenantsSuite:
    @pytest.fixture
    def key(self) -> Key:
        raise NotImplementedError

    @pytest.fixture
    def tenants(self, key: Key) -> Tenants:
        raise NotImplementedError

    def test_a_key_belongs_to_its_tenant(self, key, tenants):
        made = key("acme")
        assert tenants.of(made) == Caller(tenant="acme", person=made)

    def test_a_key_is_in_the_groups_that_it_names(self, key, tenants):
        made = key("acme", ("board", "finance"))
        caller = Caller(tenant="acme", groups=("board", "finance"), person=made)
        assert tenants.of(made) == caller

    def test_a_key_tells_when_it_ends(self, key, tenants):
        assert tenants.of(key("acme", expires=1_800_000_000.0)).expires == 1_800_000_000.0
        assert tenants.of(key("acme")).expires is None

    @pytest.mark.parametrize("api_key_id", ["", "nosuchkey0"])
    def test_no_key_or_an_unknown_one_is_forbidden(self, tenants, api_key_id):
        with pytest.raises(ForbiddenError):
            tenants.of(api_key_id)

    @pytest.mark.parametrize("tenant", ["", "_", "acme/docs"])
    def test_a_key_that_names_no_tenant_is_forbidden(self, key, tenants, tenant):
        with pytest.raises(ForbiddenError):
            tenants.of(key(tenant))
