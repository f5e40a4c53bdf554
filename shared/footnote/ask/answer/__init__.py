"""The answerers: one for each form that an answer can take, by the table in `ask/synthesize.py`."""
