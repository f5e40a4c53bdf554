"""A clock that stands still until it is turned, or until somebody sleeps by it."""


class FakeClock:
    """Returns `now` when called; `waits` are the sleeps."""

    def __init__(self, now=0.0):
        self.now = now
        self.waits = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds
