"""Plugins for LocalStack: Lambda functions as processes, and what stock LocalStack leaves out."""
