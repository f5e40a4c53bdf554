"""Plugins for LocalStack: they run Lambda functions as processes and add what stock lacks."""

LOCALSTACK = "2026.3.0"  # the release of localstack-core whose functions the plugins change
