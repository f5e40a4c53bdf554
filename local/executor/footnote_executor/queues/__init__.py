"""SQS: several batches of a mapping at a time, and queues that are fair to message groups."""
