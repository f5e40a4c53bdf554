"""Finds the browser that the page's tests drive, or installs Debian's Chromium.

usage: python -m local.browser     (prints where it is)
"""

import os
import shutil
import sys

from local.packages import PackageError, install_packages

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGE = "chromium"


def find_browser() -> str | None:
    """Returns the browser that CHROMIUM names, else the first that is installed."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, PROGRAMS)), None)


def main() -> int:
    if find_browser() is None:
        try:
            install_packages([PACKAGE])
        except PackageError as error:
            print(f"{error}\nOr set CHROMIUM to the program of a browser of that kind.")
            return 1
    print(find_browser())
    return 0


if __name__ == "__main__":
    sys.exit(main())
