"""Search in sorted arrays."""

from skvus._kernels._jit import helper


@helper
def n_below(ascending, value):
    """Number of entries below a value: `np.searchsorted` compiles slowly."""
    low, high = 0, ascending.size
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
