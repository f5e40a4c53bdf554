"""State machines: what stock reads anew for each execution, and what it keeps for ever."""
