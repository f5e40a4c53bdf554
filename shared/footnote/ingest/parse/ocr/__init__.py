"""Reads print in pictures: who reads it, in which languages, and whether what was read is text."""
