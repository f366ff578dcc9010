"""From arguments to a command, and from what goes wrong to a message and an exit status."""

import argparse
import os
import sys
from contextlib import suppress

import skvus
from skvus._cli import _compare_command, _demo_command, _front_command, _score_command
from skvus._cli._messages import CommandError, note, warnings_as_notes
from skvus._cli._options import refuse_unknown

_INTERRUPTED, _PIPE = 130, 141
_EPILOG = """\
Results go to standard output, all else to standard error. Exit status: 0; 2 if an option or
a file is not as it must be; 3 if no operating point is within the limits; 130 if interrupted.

skvus COMMAND --help has examples.
"""


def main(argv=None):
    """Run a command and return the exit status."""
    _open_closed()
    parser = make_parser()
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        refuse_unknown(args, unknown)
    with suppress(AttributeError, ValueError):  # where standard output is something else
        sys.stdout.reconfigure(errors="backslashreplace")
        sys.stderr.reconfigure(errors="backslashreplace")
    try:
        with warnings_as_notes():
            status = args.run(args)
            sys.stdout.flush()
            return status
    except BrokenPipeError:
        _forget_stdout()
        return _PIPE
    except CommandError as error:
        note(f"error: {error}")
        return error.status
    except (ValueError, OSError, MemoryError) as error:
        note(f"error: {str(error) or type(error).__name__}")
        return 2
    except KeyboardInterrupt:
        note("interrupted")
        return _INTERRUPTED


def make_parser():
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="skvus",
        description="Multi-class ROC analysis of predictions in tables.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"skvus {skvus.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _score_command.add_to(commands)
    _compare_command.add_to(commands)
    _front_command.add_front_to(commands)
    _front_command.add_report_to(commands)
    _demo_command.add_to(commands)
    return parser


def _open_closed():
    """Give streams that were closed before the start a place where nobody looks.

    What is meant for one of them would fail, or go to another one.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _forget_stdout():
    """Nobody reads any more: let the interpreter flush to nowhere."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
