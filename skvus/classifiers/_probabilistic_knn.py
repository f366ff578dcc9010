"""Nearest neighbours with a strength of association: posteriors that two numbers shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from skvus._typing import Features, Floats, Labels
from skvus._validation import check_integer, check_number, check_option, host_array
from skvus.classifiers._inner import labels_of

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors

KERNELS = ("tricube", "uniform")
# Neighbours in memory at a time, of as many cases as that is enough for.
_BLOCK = 2**20


class ProbabilisticKNeighborsClassifier(ClassifierMixin, BaseEstimator):
    r"""Nearest neighbours whose strength of association is a parameter.

    .. math::

        p_j(x) = \frac{\exp\bigl(\beta \sum_{i \in N_k(x)} u(d_i)\,[y_i = j]\bigr)}
                      {\sum_q \exp\bigl(\beta \sum_{i \in N_k(x)} u(d_i)\,[y_i = q]\bigr)}

    with the k training cases :math:`N_k(x)` that are nearest to x, and their distances
    :math:`d_i` from it. Unlike shares of neighbours, these posteriors are never exactly 0
    before rounding, and :math:`\beta` makes them as bold or as cautious as they have to be.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number k of neighbours: at least 1, at most the number of training cases.
    beta : float, default=4.0
        Strength of association :math:`\beta`, finite and at least 0. At 0 all classes are
        equally probable; the larger, the surer. The best value depends on the data, k and
        the kernel: by the leave-one-out log loss, it is 0.5 to 8 on the mixture of
        `make_ripley_mixture`, iris, wine and digits with 5 or 20 neighbours.
    kernel : {"tricube", "uniform"}, default="tricube"
        Weight u of a neighbour. "tricube" is :math:`u(d) = (1 - (d/h)^3)^3`, where h is the
        distance of the next neighbour, number k + 1; "uniform" is :math:`u = 1/k`.
    metric : str or callable, default="minkowski"
        Distance, as `sklearn.neighbors.NearestNeighbors` takes it. With "precomputed", X
        holds distances from the training cases.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, default=None
        Further arguments of `metric`.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are found.
    n_jobs : int, default=None
        Number of parallel jobs that look for neighbours.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    neighbors_ : NearestNeighbors
        Finds the neighbours.
    n_samples_fit_ : int
        Number of training cases.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features. Only defined if X of `fit` has names that are all strings.

    See Also
    --------
    skvus.datasets.make_ripley_mixture : The data that it was first used on for this purpose.
    CostMatrixClassifier : Decisions of least cost from these posteriors.
    sklearn.neighbors.KNeighborsClassifier : Posteriors that are shares of neighbours.

    Notes
    -----
    Holmes and Adams [1]_ average over k and :math:`\beta`; Everson and Fieldsend [2]_ search
    them for the best trade-offs between errors, with the tricube kernel. Neither a bandwidth
    h nor a factor is printed in [2]_. Here h reaches to the first case that does not count,
    so that a neighbour's weight fades to 0 before it drops out. The weights are not divided
    by k: the same `beta` is stronger with more neighbours, where that of "uniform" means the
    same for every k. There the odds of two classes are at most :math:`e^\beta`.

    Where h does not exist, since all cases are neighbours, it is the distance of the farthest
    one, so that all neighbours give what all but one give. Where h is 0, since more than k
    cases lie on x, each of the k has weight 1.

    Cases as far away as the (k + 1)-th have no weight in "tricube", so it does not matter which
    of them are among the k. For "uniform", or at distance 0, those that come first in the
    training data are. Distances that agree only up to rounding are not equal; "brute", which
    "auto" resorts to if there are many features or sparse ones, has rounding errors of about
    1e-8 times the length of x.

    Methods without X, as in ``predict_proba(None)``, leave one out: every training case gets
    the posteriors of a classifier that was trained without it. In ``predict_proba(X_train)``
    each is its own nearest neighbour.

    `n_neighbors`, `beta` and `kernel` are looked at anew whenever posteriors are computed.
    After ``set_params``, there is no need to fit again for these three.

    With a tree, n cases take about O(n k log N) steps for N training cases of few features,
    else O(n N). Ties that have to be broken by order take a further query for these cases.
    Memory is O(N) beside the result, for neighbours of some 10^6 pairs at a time.

    References
    ----------
    .. [1] C. C. Holmes, N. M. Adams, "A probabilistic nearest neighbour method for statistical
       pattern recognition", Journal of the Royal Statistical Society B 64, 2002.
    .. [2] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006, section 4.2.

    Examples
    --------
    >>> from skvus.classifiers import ProbabilisticKNeighborsClassifier
    >>> from skvus.datasets import make_ripley_mixture
    >>> X, y = make_ripley_mixture(random_state=0)
    >>> model = ProbabilisticKNeighborsClassifier(n_neighbors=10, beta=1.0).fit(X, y)
    >>> model.predict_proba([[0.5, 0.5]]).round(3)
    array([[0.386, 0.476, 0.138]])
    >>> model.predict_proba(None).shape  # leave-one-out
    (300, 3)
    >>> round(model.score(None, y), 3)
    0.853
    """

    classes_: Labels
    neighbors_: NearestNeighbors
    n_samples_fit_: int
    n_features_in_: int
    feature_names_in_: Labels

    def __init__(
        self,
        n_neighbors: int = 5,
        beta: float = 4.0,
        *,
        kernel: Literal["tricube", "uniform"] = "tricube",
        metric: str | Callable[..., float] = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.beta = beta
        self.kernel = kernel
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.n_jobs = n_jobs

    def fit(self, X: Features, y: ArrayLike) -> Self:
        """Keep the training cases in a form that is quick to search.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training cases, or their distances from each other, (n_samples, n_samples), if
            `metric` is "precomputed".
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : ProbabilisticKNeighborsClassifier
            The fitted classifier.
        """
        X, y = host_array("X", X), host_array("y", y)
        X, y = validate_data(self, X, y, accept_sparse=self._sparse_format(), dtype=float)
        classes, codes = np.unique(labels_of(y), return_inverse=True)
        n_neighbors = self._checked()[0]
        if n_neighbors > X.shape[0]:
            raise ValueError(
                "n_neighbors must be at most the number of training cases, "
                f"n_samples={X.shape[0]}; got {self.n_neighbors!r}."
            )
        from sklearn.neighbors import NearestNeighbors

        # "auto" would leave exact distances for many neighbours, so it is not told their number
        self.neighbors_ = NearestNeighbors(
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
            algorithm=self.algorithm,
            n_jobs=self.n_jobs,
            n_neighbors=1,
        ).fit(X)
        self.classes_ = classes
        self.n_samples_fit_ = X.shape[0]
        self._cases = X
        self._codes = codes
        return self

    def predict(self, X: Features | None) -> Labels:
        """Predict the most probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None
            Cases; None for the training cases, leaving one out.

        Returns
        -------
        labels : ndarray of shape (n_queries,)
            The lowest class of equally probable ones.
        """
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]

    def predict_proba(self, X: Features | None) -> Floats:
        """Posteriors of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None
            Cases; None for the training cases, leaving one out.

        Returns
        -------
        proba : ndarray of shape (n_queries, n_classes)
            In the order of `classes_`.
        """
        proba = np.exp(self._exponents(X))
        proba /= proba.sum(axis=1, keepdims=True)
        return proba

    def predict_log_proba(self, X: Features | None) -> Floats:
        """Logarithms of the posteriors, also of those too small for a float.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None
            Cases; None for the training cases, leaving one out.

        Returns
        -------
        log_proba : ndarray of shape (n_queries, n_classes)
            In the order of `classes_`.
        """
        exponents = self._exponents(X)
        return exponents - np.log(np.exp(exponents).sum(axis=1, keepdims=True))

    def score(
        self, X: Features | None, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of cases whose class is predicted.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None
            Cases; None for the training cases, leaving one out.
        y : array-like of shape (n_queries,)
            Their classes.
        sample_weight : array-like of shape (n_queries,), default=None
            Weights of the cases.

        Returns
        -------
        score : float
            Accuracy.
        """
        return super().score(X, y, sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed()
        tags.input_tags.positive_only = self._is_precomputed()
        tags.input_tags.sparse = self._sparse_format() is not False
        return tags

    def _is_precomputed(self):
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _sparse_format(self):
        """The sparse format that is taken, or False: what the search for neighbours takes."""
        from sklearn.neighbors import VALID_METRICS_SPARSE

        metric = self.metric
        if isinstance(metric, str) and metric == "minkowski":
            names: dict[Any, str] = {1: "manhattan", 2: "euclidean"}
            metric = names.get(self.p) if np.isscalar(self.p) else None
        is_known = isinstance(metric, str) and metric in VALID_METRICS_SPARSE["brute"]
        takes_sparse = is_known and str(self.algorithm) in ("auto", "brute")
        return "csr" if takes_sparse and not self._is_precomputed() else False

    def _checked(self):
        """Number of neighbours, strength and kernel as they are now."""
        return (
            check_integer("n_neighbors", self.n_neighbors, minimum=1),
            check_number("beta", self.beta, minimum=0),
            check_option("kernel", self.kernel, KERNELS),
        )

    def _exponents(self, X):
        """Logarithms of the posteriors up to a constant in each row, at most 0."""
        check_is_fitted(self, "neighbors_")
        n_neighbors, beta, kernel = self._checked()
        leave_one_out = X is None
        if leave_one_out:
            X = self._cases
        else:
            X = validate_data(
                self,
                host_array("X", X),
                reset=False,
                accept_sparse=self._sparse_format(),
                dtype=float,
            )
        n_available = self.n_samples_fit_ - leave_one_out
        if n_neighbors > n_available:
            others = " other than the case itself" if leave_one_out else ""
            raise ValueError(
                f"n_neighbors must be at most {n_available}, the number of training cases"
                f"{others}; got {self.n_neighbors!r}."
            )
        sums = np.empty((X.shape[0], self.classes_.size))
        step = max(1, _BLOCK // n_neighbors)
        for start in range(0, X.shape[0], step):
            rows = np.arange(start, min(start + step, X.shape[0]))
            itself = rows if leave_one_out else None
            sums[rows] = self._sums(X[rows[0] : rows[-1] + 1], itself, n_neighbors, kernel)
        sums -= sums.max(axis=1, keepdims=True)
        with np.errstate(over="ignore"):  # to -inf, the logarithm of 0
            return beta * sums

    def _sums(self, X, itself, n_neighbors, kernel):
        """Weights of the neighbours, added up for each class."""
        n_available = self.n_samples_fit_ - (itself is not None)
        distances, nearest = self._nearest(X, itself, min(n_neighbors + 1, n_available))
        if n_neighbors < n_available:
            is_tied = distances[:, n_neighbors - 1] == distances[:, n_neighbors]
            if kernel == "tricube":  # no weight, unless all are at distance 0
                is_tied &= distances[:, n_neighbors] == 0.0
            tied = np.flatnonzero(is_tied)
            if tied.size:
                itself = None if itself is None else itself[tied]
                first = self._first_of_equals(X[tied], itself, n_neighbors)
                nearest[tied, :n_neighbors] = first
        shape = (X.shape[0], self.classes_.size)
        cells = self._codes[nearest[:, :n_neighbors]]
        cells += np.arange(0, shape[0] * shape[1], shape[1])[:, np.newaxis]
        if kernel == "uniform":
            counts = np.bincount(cells.ravel(), minlength=shape[0] * shape[1])
            return counts.reshape(shape) / n_neighbors
        weights = _tricube(distances[:, :n_neighbors], distances[:, -1:])
        sums = np.bincount(cells.ravel(), weights.ravel(), minlength=shape[0] * shape[1])
        return sums.reshape(shape)

    def _nearest(self, X, itself, width):
        """Distances and numbers of the nearest training cases; none has itself among them."""
        if itself is None:
            distances, nearest = self.neighbors_.kneighbors(X, width)
        else:
            distances, nearest = self.neighbors_.kneighbors(X, width + 1)
            is_other = nearest != itself[:, np.newaxis]
            # one of many at the same place may not be among its own neighbours
            is_other[is_other.all(axis=1), -1] = False
            distances = distances[is_other].reshape(-1, width)
            nearest = nearest[is_other].reshape(-1, width)
        if not np.isfinite(distances).all():
            raise ValueError(
                "X must have finite distances from the training cases; some overflow. Scale "
                "the features first."
            )
        return distances, nearest

    def _first_of_equals(self, X, itself, n_neighbors):
        """Numbers of the nearest training cases, the lowest of those equally far away."""
        n_available = self.n_samples_fit_ - (itself is not None)
        first = np.empty((X.shape[0], n_neighbors), dtype=np.intp)
        width, pending = n_neighbors + 1, np.arange(X.shape[0])
        while pending.size:
            width = min(2 * width, n_available)
            unsettled = []
            n_blocks = min(pending.size, -(-pending.size * width // _BLOCK))
            for rows in np.array_split(pending, n_blocks):
                others = None if itself is None else itself[rows]
                distances, nearest = self._nearest(X[rows], others, width)
                by_number = np.lexsort((nearest, distances))[:, :n_neighbors]
                first[rows] = np.take_along_axis(nearest, by_number, axis=1)
                unsettled.append(rows[distances[:, n_neighbors - 1] == distances[:, -1]])
            pending = np.concatenate(unsettled) if width < n_available else pending[:0]
        return first


def _tricube(distances, bandwidth):
    """Weights of neighbours; all 1 where the bandwidth is 0."""
    weights = distances / np.where(bandwidth > 0.0, bandwidth, 1.0)
    weights = 1.0 - weights * weights * weights
    return weights * weights * weights
