"""The command line: `footnote add, status, ask, …`. `main` is what the script `footnote` runs."""


def main() -> None:
    """Run the command that the arguments name."""
    from footnote.cli.commands import run

    run()
