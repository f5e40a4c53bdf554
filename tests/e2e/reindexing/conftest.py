"""Tests that begin re-indexes: one after another, since a deployment runs one at a time."""

import time

import pytest


@pytest.fixture(autouse=True)
def nothing_runs(stack, aws):
    """Waits for re-indexes that a test before has begun and did not wait for."""
    steps, machine = aws("stepfunctions"), stack["outputs"]["ReindexMachine"]
    while steps.list_executions(stateMachineArn=machine, statusFilter="RUNNING")["executions"]:
        time.sleep(0.2)
