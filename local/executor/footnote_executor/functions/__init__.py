"""Lambda functions as processes: the Runtime API, their environment, their number."""
