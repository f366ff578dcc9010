"""How differently two scores rank the same classifiers."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skvus._validation import as_float_array, check_option

CODINGS = ("sign", "half", "above")
_BLOCK = 2**21  # pairs at a time


def ranking_discrepancy(
    a: ArrayLike, b: ArrayLike, *, coding: Literal["sign", "half", "above"] = "sign"
) -> float:
    r"""Discrepancy between the rankings that two scores give to the same classifiers.

    .. math:: \frac{2}{n(n-1)} \sum_{j < i} |M^a_{ij} - M^b_{ij}|

    where :math:`M_{ij}` says whether classifier i is ranked above j.

    Parameters
    ----------
    a : array-like of shape (n,)
        One score of n >= 2 classifiers.
    b : array-like of shape (n,)
        Another score of the same classifiers.
    coding : {"sign", "half", "above"}, default="sign"
        What M holds for "above", "tied" and "below": "sign" 1, 0 and -1, so that a swapped
        pair counts 2 and the result lies in [0, 2]; "half" 1, 1/2 and 0, half of that, the
        share of swapped pairs if there are no ties; "above" 1, 0 and 0, where ties depend
        on the order in which the classifiers are listed.

    Returns
    -------
    discrepancy : float
        Zero if both rank alike.

    See Also
    --------
    scipy.stats.kendalltau : For rankings without ties, tau = 1 - discrepancy under "sign".
    modified_macro_average_score : A score that was found with its help.

    Notes
    -----
    The paper defines M in words only; "sign" comes closest to its figures. O(n²) time,
    bounded memory.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.6.

    Examples
    --------
    >>> from skvus.metrics import ranking_discrepancy
    >>> round(ranking_discrepancy([1, 2, 3], [1, 3, 2]), 6)
    0.666667
    >>> round(ranking_discrepancy([1, 2, 3], [1, 3, 2], coding="half"), 6)
    0.333333
    """
    check_option("coding", coding, CODINGS)
    a, b = as_float_array("a", a), as_float_array("b", b)
    if a.ndim != 1 or a.shape != b.shape or a.size < 2:
        raise ValueError(
            "a and b must be one-dimensional, of the same length of at least 2; got shapes "
            f"{a.shape} and {b.shape}."
        )
    total = 0
    rows = max(1, _BLOCK // a.size)
    for start in range(1, a.size, rows):
        later = np.arange(start, min(start + rows, a.size))
        earlier = np.arange(later[-1])
        below = earlier < later[:, np.newaxis]
        difference = _coded(a, later, earlier, coding) - _coded(b, later, earlier, coding)
        total += int(np.abs(difference[below]).sum(dtype=np.int64))
    total = total / 2 if coding == "half" else total
    return float(2.0 * total / (a.size * (a.size - 1)))


def _coded(scores, later, earlier, coding):
    above = (scores[later, np.newaxis] > scores[earlier]).astype(np.int8)
    if coding == "above":
        return above
    return above - (scores[later, np.newaxis] < scores[earlier])
