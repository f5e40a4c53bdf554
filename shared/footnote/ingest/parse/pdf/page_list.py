"""Names pages in a warning."""

from collections.abc import Sequence


def name_pages(numbers: Sequence[int]) -> str:
    """Returns the beginning of a warning, with its page numbers: "Page 3
    has", "Pages 3, 5-9 have".
    """
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    listed = ", ".join("-".join(map(str, part)) for part in ranges)
    return f"Page {listed} has" if len(numbers) == 1 else f"Pages {listed} have"
