"""Decisions of least expected cost, from the posteriors of any classifier."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Self

import numpy as np
import sklearn
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from skvus._costs import check_class_costs, check_class_priors, least_cost_codes
from skvus._typing import ByClass, Costs, Estimator, Floats, Labels, same_type
from skvus._validation import check_integer, check_sample_weight
from skvus.classifiers._calibration import CalibrationReport, calibration_report
from skvus.classifiers._inner import (
    adjusted,
    adjusted_logs,
    check_estimator,
    check_takes_weights,
    checked_posteriors,
    encode,
    frozen_part,
    known_classes,
    labels_of,
    refuse_untrained,
    weight_seen,
)


def _has_decision_function(model):
    # scores for other class frequencies would contradict the adjusted posteriors
    return model.priors is None and hasattr(model.estimator, "decision_function")


class CostMatrixClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    r"""Classifier that predicts the class of least expected cost.

    .. math:: \hat y(x) = \arg\min_j \sum_k c_{kj} \, p_k(x)

    with the posteriors :math:`p_k(x)` of another classifier, for any number of classes; the
    lowest class of equals. What `sklearn.model_selection.FixedThresholdClassifier` is for two.

    Parameters
    ----------
    estimator : estimator instance
        A classifier with ``predict_proba``. A fitted one that is not to be fitted again comes
        as ``sklearn.frozen.FrozenEstimator(estimator)``.
    cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict, default=None
        ``cost_matrix[k, j]`` is the cost of predicting class j when the truth is k.
        Non-negative, with a zero diagonal. An array is in the order of `classes_`; a data
        frame has the true classes as its index and the predicted ones as its columns; a dict
        maps ``(true, predicted)`` to a cost, or each true class to a dict of costs. None
        makes all mistakes cost the same.
    priors : array-like of shape (n_classes,), dict or Series, default=None
        Frequencies of the classes where the classifier is to be used, if they are not those
        of the training data; a dict or Series is by label.

    Attributes
    ----------
    estimator_ : estimator instance
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        The classes, those of `estimator_`.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        Costs in the order of `classes_`.
    priors_ : ndarray of shape (n_classes,) or None
        The given priors in the order of `classes_`.
    train_priors_ : ndarray of shape (n_classes,)
        Frequencies of the classes in `y` of `fit`, by the weights that `estimator` got.
    n_features_in_ : int
        Number of features. Only defined if `estimator_` has it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features. Only defined if `estimator_` has them.

    See Also
    --------
    CalibrationReport : Whether the posteriors can be taken at their word.
    skvus.metrics.expected_cost : What decisions cost.
    skvus.metrics.make_cost_scorer : The scorer for a search over parameters.
    sklearn.model_selection.FixedThresholdClassifier : The same for two classes, by threshold.
    sklearn.calibration.CalibratedClassifierCV : Makes good posteriors of scores.

    Notes
    -----
    For two classes, costs of ``[[0, t], [1 - t, 0]]`` make a threshold of t: the second class
    is predicted if its posterior exceeds t [1]_. `FixedThresholdClassifier` does so at t, too.
    Expected costs that agree to 1e-12 count as equal.

    With `priors`, the posteriors become :math:`p_k \pi_k / \pi^{\text{train}}_k` over their
    sum [2]_: what speaks for a class does not change, only how frequent it is. A case that
    only classes of prior 0 could explain gets the priors themselves. This takes it that the
    posteriors of `estimator` belong to the class frequencies of `y`, which ``class_weight`` or
    priors of its own would change; and that a frozen estimator gets data of the frequencies
    that it was trained with.

    Costs are as good as posteriors: see `calibration`.

    Without metadata routing, `fit` hands ``sample_weight`` and all else on to ``fit`` of
    `estimator`. With it, `estimator` must request them. O(n · Q²) steps for n predictions.

    References
    ----------
    .. [1] C. Elkan, "The Foundations of Cost-Sensitive Learning", IJCAI 2001.
    .. [2] M. Saerens, P. Latinne, C. Decaestecker, "Adjusting the Outputs of a Classifier to
       New a Priori Probabilities: A Simple Procedure", Neural Computation 14, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.metrics import confusion_matrix
    >>> from skvus.classifiers import CostMatrixClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> X = X[:, :2]
    >>> confusion_matrix(y, LogisticRegression().fit(X, y).predict(X))
    array([[50,  0,  0],
           [ 0, 37, 13],
           [ 0, 14, 36]])
    >>> cost_matrix = [[0, 1, 1], [1, 0, 1], [2, 2, 0]]  # not to miss the last
    >>> model = CostMatrixClassifier(LogisticRegression(), cost_matrix).fit(X, y)
    >>> confusion_matrix(y, model.predict(X))
    array([[50,  0,  0],
           [ 0, 25, 25],
           [ 0,  7, 43]])
    """

    estimator_: Any
    classes_: Labels
    cost_matrix_: Floats
    priors_: Floats | None
    train_priors_: Floats

    def __init__(
        self,
        estimator: Estimator,
        cost_matrix: Costs | None = None,
        *,
        priors: ByClass | None = None,
    ) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.priors = priors

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the classifier, and put the costs into the order of its classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training cases, as `estimator` takes them.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the cases.
        **fit_params : dict
            Passed on to ``fit`` of `estimator`.

        Returns
        -------
        self : CostMatrixClassifier
            The fitted classifier.
        """
        check_estimator(self.estimator)
        labels = labels_of(y)
        check_consistent_length(X, labels)
        fit_params = self._routed(sample_weight, fit_params)
        frozen = frozen_part(self.estimator)
        seen = weight_seen(self.estimator, fit_params) if frozen is None else sample_weight
        weight = check_sample_weight(seen, labels.size)
        classes = np.unique(labels) if frozen is None else known_classes(frozen, labels)
        # before the fit, which may take long
        settled = self._settled(classes, labels, weight)
        # labels that say more than their values, such as their order, stay as they are
        y = y if np.asarray(y).ndim == 1 else labels
        fitted = clone(self.estimator).fit(X, y, **fit_params)
        found = np.asarray(getattr(fitted, "classes_", classes))
        if found.tolist() != classes.tolist():
            classes, settled = found, self._settled(found, labels, weight)
        self.estimator_ = fitted
        self.classes_ = classes
        self.cost_matrix_, self.priors_, self.train_priors_ = settled
        return self

    def predict(self, X: Any) -> Labels:
        """Predict the class of least expected cost.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            The lowest of the classes whose cost is least.
        """
        check_is_fitted(self, "estimator_")
        return self.classes_[least_cost_codes(self._posteriors(X), self.cost_matrix_)]

    def expected_costs(self, X: Any) -> Floats:
        """Expected cost of every decision.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        costs : ndarray of shape (n_samples, n_classes)
            What it costs on average to call a case by the name of each of `classes_`.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus.classifiers import CostMatrixClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = CostMatrixClassifier(GaussianNB(), [[0, 1, 1], [1, 0, 1], [2, 2, 0]])
        >>> model.fit(X, y).expected_costs(X[50:52]).round(2)
        array([[1.2 , 0.39, 0.8 ],
               [1.05, 0.11, 0.95]])
        """
        check_is_fitted(self, "estimator_")
        return self._posteriors(X) @ self.cost_matrix_

    def predict_proba(self, X: Any) -> Floats:
        """Posteriors of the classes, adjusted to `priors` if there are any.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`. Costs have no part in them.
        """
        check_is_fitted(self, "estimator_")
        if self.priors_ is None:
            return self.estimator_.predict_proba(X)
        return self._posteriors(X)

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of the posteriors, adjusted to `priors` if there are any.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        check_is_fitted(self, "estimator_")
        if not hasattr(self.estimator_, "predict_log_proba"):
            with np.errstate(divide="ignore"):
                return np.log(self.predict_proba(X))
        log_proba = self.estimator_.predict_log_proba(X)
        if self.priors_ is None:
            return log_proba
        return adjusted_logs(log_proba, self.priors_, self.train_priors_)

    @same_type(available_if(_has_decision_function))
    def decision_function(self, X: Any) -> Floats:
        """Scores of `estimator`, which neither costs nor priors change.

        There are none if `priors` are given: they would be for other class frequencies.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            As `estimator` gives them.
        """
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(X)

    def calibration(
        self, X: Any, y: ArrayLike, *, sample_weight: ArrayLike | None = None, n_bins: int = 10
    ) -> CalibrationReport:
        """Report whether the posteriors can be taken at their word.

        Decisions by cost need posteriors that are right, not just in the right order.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases that had no part in the fit: on its training cases nearly every classifier
            looks right or over-confident.
        y : array-like of shape (n_samples,)
            Their classes, as frequent as in training. Some may be missing.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the cases.
        n_bins : int, default=10
            Most bins for a class, at least 2.

        Returns
        -------
        report : CalibrationReport
            On the posteriors of `estimator`, before any adjustment to `priors`: the adjusted
            ones are for class frequencies that these cases do not have.

        Examples
        --------
        >>> from sklearn.calibration import CalibratedClassifierCV
        >>> from sklearn.datasets import load_digits
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus.classifiers import CostMatrixClassifier
        >>> X, y = load_digits(return_X_y=True)
        >>> y = y % 2
        >>> bayes = GaussianNB(var_smoothing=0.01)  # takes pixels for independent
        >>> model = CostMatrixClassifier(bayes).fit(X[::2], y[::2])
        >>> report = model.calibration(X[1::2], y[1::2])
        >>> report.is_suspect, report.slope.round(1)
        (True, array([0.7, 0.7]))
        >>> calibrated = CalibratedClassifierCV(bayes, method="isotonic")
        >>> model = CostMatrixClassifier(calibrated).fit(X[::2], y[::2])
        >>> report = model.calibration(X[1::2], y[1::2])
        >>> report.is_suspect, report.slope.round(1)
        (False, array([1., 1.]))
        """
        check_is_fitted(self, "estimator_")
        n_bins = check_integer("n_bins", n_bins, minimum=2, maximum=10**9)
        labels = labels_of(y)
        check_consistent_length(X, labels)
        return calibration_report(
            encode(labels, self.classes_),
            self._unadjusted(X),
            check_sample_weight(sample_weight, labels.size),
            self.classes_,
            n_bins=n_bins,
            is_before_priors=self.priors_ is not None,
        )

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> Labels:
        """Names of the features."""
        return self.estimator_.feature_names_in_

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell what metadata goes where.

        Returns
        -------
        routing : MetadataRouter
            ``fit`` hands on to ``fit`` of `estimator` what that requests.
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                estimator=self.estimator,
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = deepcopy(inner.input_tags)
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags = deepcopy(inner.classifier_tags)
            tags.classifier_tags.multi_label = False
        return tags

    def _routed(self, sample_weight, fit_params):
        """What ``fit`` of the estimator gets."""
        if sklearn.get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
            return routed["estimator"]["fit"]
        if sample_weight is None:
            return fit_params
        check_takes_weights(self.estimator)
        return {**fit_params, "sample_weight": sample_weight}

    def _settled(self, classes, labels, weight):
        """Costs, priors and training priors in the order of the classes."""
        if classes.size < 2:
            raise ValueError(
                f"y must have cases of at least two classes; got one class: {classes.tolist()}."
            )
        codes = encode(labels, classes)
        train_priors = np.bincount(codes, weight, minlength=classes.size) / weight.sum()
        cost = 1.0 - np.eye(classes.size)
        if self.cost_matrix is not None:
            cost = check_class_costs(self.cost_matrix, classes)
        if self.priors is None:
            return cost, None, train_priors
        priors = check_class_priors(self.priors, classes)
        refuse_untrained(classes, priors, train_priors)
        return cost, priors, train_priors

    def _unadjusted(self, X):
        """Posteriors of the estimator, non-negative floats with a column for each class."""
        return checked_posteriors(self.estimator_, X, self.classes_.size)

    def _posteriors(self, X):
        """Posteriors to decide by."""
        proba = self._unadjusted(X)
        if self.priors_ is None:
            return proba
        return adjusted(proba, self.priors_, self.train_priors_)
