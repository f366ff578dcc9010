"""The machine and the software, as a reader needs them to judge times."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.peers.packages import LIBRARIES, PEERS, version_of
from skvus import __version__


def described():
    """Pairs of what and which; no names of hosts, no paths."""
    return [
        ("processor", f"{_processor()}, {os.cpu_count()} cores"),
        ("memory", _memory()),
        ("system", _system()),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("skvus", __version__),
        ("libraries", _versions(LIBRARIES)),
        ("peers", _versions([name for name in PEERS if name not in LIBRARIES])),
        ("date", datetime.now(UTC).strftime("%Y-%m-%d")),
    ]


def load():
    """Processes that wanted to run in the last minute, on average, or None."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return None


def _versions(names):
    found = {name: version_of(name) for name in names}
    return ", ".join(f"{name} {number}" for name, number in found.items() if number)


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _memory():
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{size / 2**30:.0f} GiB"


def _system():
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (AttributeError, KeyError, OSError):
        name = f"{platform.system()} {platform.release()}"
    return f"{name}, {platform.machine()}"
