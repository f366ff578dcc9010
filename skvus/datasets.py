"""The papers' generators of classifiers and data."""

import numpy as np

from skvus._rates import points_to_rates
from skvus._validation import check_generator, check_integer, check_option

__all__ = ["random_confusion_rates"]

KINDS = ("uniform_diagonal", "dirichlet", "normalized_uniform")


def random_confusion_rates(n, n_classes, *, kind="uniform_diagonal", random_state=None):
    """Draw rate matrices of random crisp classifiers.

    Parameters
    ----------
    n : int
        Number of classifiers.
    n_classes : int
        Number of classes, at least 2.
    kind : {"uniform_diagonal", "dirichlet", "normalized_uniform"}, default="uniform_diagonal"
        Distribution of each row: a diagonal uniform on (0, 1) whose remainder is split
        uniformly among the other classes; uniform on the simplex (flat Dirichlet); or
        uniform entries divided by their sum.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    rates : ndarray of shape (n, n_classes, n_classes)
        Rows sum to one.

    See Also
    --------
    skvus.polytope_vus : Volume of such matrices.

    Notes
    -----
    Ferri et al. [1]_ compare approximations of the VUS on 100 "normalised confusion
    matrices" without saying how they were drawn. "uniform_diagonal" comes closest to
    their figures.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.6.

    Examples
    --------
    >>> from skvus.datasets import random_confusion_rates
    >>> rates = random_confusion_rates(100, 3, random_state=0)
    >>> rates.shape
    (100, 3, 3)
    """
    n = check_integer("n", n, minimum=0)
    n_classes = check_integer("n_classes", n_classes, minimum=2)
    check_option("kind", kind, KINDS)
    rng = check_generator(random_state)
    if kind == "dirichlet":
        return rng.dirichlet(np.ones(n_classes), size=(n, n_classes))
    if kind == "normalized_uniform":
        rates = 1.0 - rng.random((n, n_classes, n_classes))  # never a row of zeros
        return rates / rates.sum(axis=2, keepdims=True)
    misses = rng.random((n, n_classes, 1))
    split = rng.dirichlet(np.ones(n_classes - 1), size=(n, n_classes))
    return points_to_rates((misses * split).reshape(n, n_classes * (n_classes - 1)), n_classes)
