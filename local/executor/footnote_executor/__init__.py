"""Plugins for LocalStack: they run Lambda functions as processes and add what stock lacks."""
