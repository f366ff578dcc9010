"""How kernels are compiled: serial, without the GIL, cached where a cache can be."""

from numba import njit


def kernel(function):
    """Compile `function` for arrays, lazily.

    Serial kernels compile several times faster than parallel ones and survive a
    fork; releasing the GIL leaves parallelism to joblib threads. numba refuses
    ``cache=True`` when it finds no directory that it may write to (a read-only
    installation without a home): there, each process compiles anew.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
