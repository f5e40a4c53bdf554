"""What every Tenants must do. `key` makes an API key for a tenant and tells its id."""

from collections.abc import Callable

import pytest

from footnote.errors import ForbiddenError
from footnote.ports import Tenants

type Key = Callable[[str], str]


class TenantsSuite:
    @pytest.fixture
    def key(self) -> Key:
        raise NotImplementedError

    @pytest.fixture
    def tenants(self, key: Key) -> Tenants:
        raise NotImplementedError

    def test_a_key_belongs_to_its_tenant(self, key, tenants):
        assert tenants.of(key("acme")) == "acme"

    @pytest.mark.parametrize("api_key_id", ["", "nosuchkey0"])
    def test_no_key_or_an_unknown_one_is_forbidden(self, tenants, api_key_id):
        with pytest.raises(ForbiddenError):
            tenants.of(api_key_id)

    @pytest.mark.parametrize("tenant", ["", "_", "acme/docs"])
    def test_a_key_that_names_no_tenant_is_forbidden(self, key, tenants, tenant):
        with pytest.raises(ForbiddenError):
            tenants.of(key(tenant))
