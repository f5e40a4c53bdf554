"""What roles may do: who signs a request, what it needs, whether the role's policies allow it."""
