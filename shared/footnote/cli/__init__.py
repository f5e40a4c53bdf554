"""The command line: `footnote add, status, ask, …`. The script `footnote` runs `main`."""


def main() -> None:
    """Runs the command that the arguments name."""
    from footnote.cli.commands import run

    run()
