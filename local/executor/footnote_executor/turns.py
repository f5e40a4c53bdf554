"""Whose message is next when several groups wait: each in turn, whoever has the most."""


class Turns:
    """Gives each message a number; those with the smallest go first.

    Start-time fair queueing (Goyal, Vin, Cheng 1996, with all messages of one size): a group's
    messages are a turn apart, a group that has had none waiting begins at the present turn, and so
    does whatever has no group.
    """

    def __init__(self) -> None:
        self._now = 0
        self._last: dict[str, int] = {}  # of groups that may still have messages waiting

    def number(self, group: str | None) -> int:
        """The turn of a message that is put in the queue."""
        if group is None:
            return self._now
        turn = max(self._now, self._last.get(group, -1) + 1)
        self._last[group] = turn
        return turn

    def served(self, turn: int) -> None:
        """A message of this turn was taken."""
        if turn <= self._now:
            return
        self._now = turn
        self._last = {group: last for group, last in self._last.items() if last >= turn}
