"""The budget of AWS's bill: it is there where it has an amount and somebody to tell."""

import pytest

from tests.transformed import resolved


def budget(parameters):
    return resolved(parameters).of_type("AWS::Budgets::Budget")


@pytest.mark.parametrize("parameters", ["defaults", "prod", "two", "own"])
def test_without_an_amount_or_somebody_to_tell_there_is_none(parameters):
    assert budget(parameters) == {}


@pytest.mark.parametrize(
    ("parameters", "amount", "filters", "subscriber"),
    [
        (
            "everything", "50", {"TagKeyValue": ["user:project$footnote"]},
            {"SubscriptionType": "EMAIL", "Address": "on-call@example.com"},
        ),
        (
            "multilingual", "120.5", None,
            {"SubscriptionType": "SNS", "Address": "arn:aws:sns:eu-central-1:123456789012:on-call"},
        ),
    ],
)  # fmt: skip
def test_it_tells_whoever_hears_the_alarms(parameters, amount, filters, subscriber):
    [made] = budget(parameters).values()
    limit = made["Budget"]
    assert (limit["BudgetType"], limit["TimeUnit"]) == ("COST", "MONTHLY")
    assert limit["BudgetLimit"] == {"Amount": amount, "Unit": "USD"}
    assert limit.get("CostFilters") == filters
    told = made["NotificationsWithSubscribers"]
    assert [one["Subscribers"] for one in told] == [[subscriber]] * 3
    assert [(n["NotificationType"], n["Threshold"]) for n in (o["Notification"] for o in told)] == [
        ("ACTUAL", 80),
        ("ACTUAL", 100),
        ("FORECASTED", 100),
    ]
