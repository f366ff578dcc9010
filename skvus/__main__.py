"""Command line: ``skvus``, or ``python -m skvus``."""

import sys

from skvus._cli._main import main

if __name__ == "__main__":
    sys.exit(main())
