"""Kernels work where no cache can be written."""

import errno

import numpy as np
import pytest

from skvus._kernels import _jit


def double(x):
    return 2.0 * x


def test_without_a_place_for_a_cache(monkeypatch):
    original = _jit.njit

    def refuse_cache(**options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return original(**options)

    monkeypatch.setattr(_jit, "njit", refuse_cache)
    assert _jit.kernel(double)(np.array([1.5])).tolist() == [3.0]


def test_on_a_full_disk(monkeypatch):
    calls = []

    def fail_first(**options):
        def compile_(function):
            def compiled(*arrays):
                calls.append(arrays)
                if len(calls) == 1:  # numba has compiled, but cannot save
                    raise OSError(errno.ENOSPC, "No space left on device")
                return function(*arrays)

            return compiled

        return compile_

    monkeypatch.setattr(_jit, "njit", fail_first)
    assert _jit.kernel(double)(3.0) == 6.0
    assert len(calls) == 2


def test_errors_of_a_kernel_are_not_hidden(monkeypatch):
    def always_fail(**options):
        def compile_(function):
            def compiled(*arrays):
                raise OSError("again")

            return compiled

        return compile_

    monkeypatch.setattr(_jit, "njit", always_fail)
    with pytest.raises(OSError, match="again"):
        _jit.kernel(double)(3.0)
