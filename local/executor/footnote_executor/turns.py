"""Decides whose message is next when several groups wait: each has its turn, however many wait."""


class Turns:
    """Gives each message a number, its turn; the smallest goes first.

    This is start-time fair queueing (Goyal, Vin, Cheng 1996) with messages of one size. A group's
    messages are one turn apart. A group that had none waiting begins at the present turn, and so
    does a message without a group.
    """

    def __init__(self) -> None:
        self._now = 0
        self._last: dict[str, int] = {}  # last turn of each group that may have messages waiting

    def number(self, group: str | None) -> int:
        """Returns the turn of a message that is put in the queue."""
        if group is None:
            return self._now
        turn = max(self._now, self._last.get(group, -1) + 1)
        self._last[group] = turn
        return turn

    def advance_to(self, turn: int) -> None:
        """Notes that a message of this turn was taken from the queue."""
        if turn <= self._now:
            return
        self._now = turn
        self._last = {group: last for group, last in self._last.items() if last >= turn}
