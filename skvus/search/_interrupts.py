"""Ctrl-C that waits until what it must not tear is complete."""

import signal
import threading
from contextlib import contextmanager


class InterruptGuard:
    """Hands interrupts on, except within `whole`, where they wait.

    One guard serves a whole search: to change the handler of the signal for every insertion
    would take longer than the insertion. Signals reach the main thread only; in others,
    and where something else than a function handles the signal, the guard does nothing.
    """

    def __init__(self):
        self._depth = 0  # of blocks that must be complete
        self._pending = None
        self._previous = None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            previous = signal.getsignal(signal.SIGINT)
            if callable(previous):
                self._previous = previous
                signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *error):
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def _handle(self, *arguments):
        if not self._depth:
            self._previous(*arguments)
        else:
            self._pending = arguments

    @contextmanager
    def whole(self):
        """Let Ctrl-C wait until the block, and those around it, are complete."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if self._pending is not None and not self._depth:
            arguments, self._pending = self._pending, None
            self._previous(*arguments)


def is_interrupt(error):
    """Whether an error is Ctrl-C, also where it came while a kernel was called.

    There it is the cause of a SystemError, which tells of a result and an exception.
    """
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, SystemError) and isinstance(error.__cause__, KeyboardInterrupt)
    )


def as_interrupt(error):
    """Ctrl-C as itself."""
    if isinstance(error, KeyboardInterrupt):
        return error
    interrupt = KeyboardInterrupt()
    interrupt.__cause__ = error
    return interrupt
