"""Tells how good a footnote is on a team's own cases: asks them over HTTP, judges, reports, gates.

Nothing here decides by the product's own rules what is right: a judge must be able to fail.
"""
