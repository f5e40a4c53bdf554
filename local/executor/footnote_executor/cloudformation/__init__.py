"""What a stack has, and what an update of it changes."""
