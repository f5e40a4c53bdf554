"""Holds API keys to the rate, burst and daily quota of their usage plans, which stock ignores.

Stock looks through plans and keys where they are kept: a request fails if one is made meanwhile.
"""

import threading
from typing import Any

from localstack.runtime import hooks

from footnote_executor.apigateway.token_bucket import TokenBucket
from footnote_executor.patching import original_of, replace_everywhere

# An account's own limits, where a plan sets none.
DEFAULT_RATE = 10_000
DEFAULT_BURST = 5_000


@hooks.on_infra_start()
def install_usage_plans() -> None:
    from localstack.services.apigateway.next_gen.execute_api.handlers.api_key_validation import (  # noqa: PLC0415
        ApiKeyValidationHandler,
    )

    original = original_of(ApiKeyValidationHandler, "__call__", "ccb4472cf8b4")
    buckets: dict[tuple[object, ...], TokenBucket] = {}
    lock = threading.Lock()

    def call(self: Any, chain: Any, context: Any, response: Any) -> None:
        original(self, chain, context, response)
        identity = context.context_variables.get("identity") or {}
        if key := identity.get("apiKeyId"):
            for plan in _plans_of(context):
                with lock:
                    refused = _bucket(buckets, plan, key).take()
                if refused:
                    raise _error(refused)

    ApiKeyValidationHandler.__call__ = call
    _look_through_copies()


def _look_through_copies() -> None:
    from localstack.services.apigateway.next_gen.execute_api import moto_helpers  # noqa: PLC0415
    from moto.apigateway.models import apigateway_backends  # noqa: PLC0415

    plans = original_of(moto_helpers, "get_usage_plans", "bfa73d672208")
    keys = original_of(moto_helpers, "get_usage_plan_keys", "ec14ba27aa2f")

    def get_usage_plans(account_id: str, region_name: str) -> list[dict[str, Any]]:
        made = apigateway_backends[account_id][region_name].usage_plans
        return [plan.to_json() for plan in list(made.values())]

    def get_usage_plan_keys(
        usage_plan_id: str, account_id: str, region_name: str
    ) -> list[dict[str, Any]]:
        made = apigateway_backends[account_id][region_name].usage_plan_keys
        return [key.to_json() for key in list(made.get(usage_plan_id, {}).values())]

    replace_everywhere(plans, get_usage_plans)
    replace_everywhere(keys, get_usage_plan_keys)


def _plans_of(context: Any) -> list[dict[str, Any]]:
    from localstack.services.apigateway.next_gen.execute_api import moto_helpers  # noqa: PLC0415

    here = {"apiId": context.api_id, "stage": context.stage}
    return [
        plan
        for plan in moto_helpers.get_usage_plans(context.account_id, context.region)
        if any(here.items() <= stage.items() for stage in plan.get("apiStages", []))
    ]


def _bucket(
    buckets: dict[tuple[object, ...], TokenBucket], plan: dict[str, Any], key: str
) -> TokenBucket:
    """Returns the key's bucket in the plan; a plan with other limits starts a new bucket."""
    throttle, quota = plan.get("throttle") or {}, plan.get("quota") or {}
    rate = float(throttle.get("rateLimit") or DEFAULT_RATE)
    burst = int(throttle.get("burstLimit") or DEFAULT_BURST)
    limit = int(quota["limit"]) if quota.get("period") == "DAY" else None
    place = (plan["id"], key, rate, burst, limit)
    if place not in buckets:
        buckets[place] = TokenBucket(rate, burst, limit)
    return buckets[place]


def _error(refused: str) -> Exception:
    from localstack.services.apigateway.next_gen.execute_api import (  # noqa: PLC0415
        gateway_response,
    )

    if refused == "throttled":
        return gateway_response.ThrottledError("Too Many Requests")
    return gateway_response.QuotaExceededError("Limit Exceeded")
