"""What S3 and EventBridge send: sequencers that rise, and rules that are disabled."""
