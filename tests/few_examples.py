"""Plugin of pytest for runs in which time is short, as kernels in Python need much of it.

Properties are tried with few examples, SKVUS_EXAMPLES, the same each time. With SKVUS_SECONDS a
test is skipped when it has used as many of CPU.
"""

import os
import signal

import pytest
from hypothesis import HealthCheck, Phase, settings

MOST = int(os.environ.get("SKVUS_EXAMPLES", "5"))
SECONDS = float(os.environ.get("SKVUS_SECONDS", "0"))
original = settings.__init__


def few(self, parent=None, **options):
    most = min(options.pop("max_examples", 100), MOST)
    original(self, parent, max_examples=most, **options)


settings.register_profile(
    "few",
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("few")
settings.__init__ = few


def stop(number, frame):
    pytest.skip("takes too long here")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if not SECONDS:
        return (yield)
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
