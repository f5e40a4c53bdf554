"""What is remembered for a time and up to a number."""

from footnote_executor.remembered import Remembered


def test_what_was_made_is_remembered_for_its_time_and_the_oldest_goes() -> None:
    now = [0]
    remembered = Remembered(seconds=10, most=2, clock=lambda: now[0])
    made: list[str] = []

    def get(key: str) -> str:
        return str(remembered.get(key, lambda: made.append(key) or f"{key}{len(made)}"))

    assert [get("a"), get("a"), get("b"), get("a")] == ["a1", "a1", "b2", "a1"]
    now[0] = 10
    assert [get("a"), get("a")] == ["a3", "a3"]
    assert [get("c"), get("a"), get("b")] == ["c4", "a3", "b5"]
