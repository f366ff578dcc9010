"""What goes to standard error: errors, notes and warnings, each on one clean line."""

import sys
import warnings
from contextlib import contextmanager

NO_POINT = 3  # exit status: no operating point is within the limits


class CommandError(Exception):
    """A message for the user, and what the program ends with."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


def note(text):
    """Tell something that is no result."""
    print(f"skvus: {printable(' '.join(str(text).split()))}", file=sys.stderr)


def printable(text):
    """Text with escapes in place of what would move the cursor or change colours."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def listed(names, most=20):
    """Names one after the other, those beyond the first few as a number."""
    names = [str(name) for name in names]
    names = [name if len(name) <= 60 else f"{name[:57]}..." for name in names]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


@contextmanager
def warnings_as_notes():
    """Show each warning for users once, without the line of code that it comes from."""
    seen = set()

    def show(message, category, *_, **__):
        text = str(message)
        if text not in seen:
            seen.add(text)
            note(f"warning: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning):
            warnings.simplefilter("ignore", category)
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.showwarning = show
        yield
