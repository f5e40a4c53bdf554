"""LocalStack's own process: the addresses it listens on, its threads, what it builds anew."""
