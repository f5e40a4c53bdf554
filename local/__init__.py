"""The whole stack on one machine without Docker: set-up, start, deploy, stop."""
