"""Signs that begin list items, as parts of a regular expression's class of characters."""

BULLETS = "\u2022\u2023\u2043\u25a0-\u25ff\u2751\u2756\u27a2"
"""Signs that only begin an item: dots, squares, triangles, arrowheads."""
TICKS = "\u2610-\u2612\u2713\u2717"
"""Boxes and ticks. They begin items, too, and tell something about them."""
