"""What follows from a choice among the members of a front: the classifier, its rates."""

import warnings
from copy import deepcopy

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from skvus.classifiers._cost_matrix import CostMatrixClassifier
from skvus.front._checks import same_params
from skvus.search._evaluation import fit_on
from skvus.search._report import remembered_choice
from skvus.search._weights import Displaced, check_same_weights


class ChoiceSteps:
    """What `set_operating_point` does; a part of `ParetoROCSearch`."""

    def _measured_gini(self):
        """G of the front and its standard error, when somebody asks."""
        check_is_fitted(self, "front_")
        if not hasattr(self, "_gini"):
            self._gini = self.front_.gini(random_state=0, return_std=True)
        return self._gini

    def _choose(self, rule):
        """Choose a member, and make the classifier that it stands for."""
        index = self.front_.select(rule)
        params = self.front_.params[index] if self.front_.params else {}
        is_new = not hasattr(self, "estimator_") or not same_params(params, self.best_params_)
        fitted = self._fitted_at(index) if is_new else self.estimator_
        results = {**self.cv_results_, **self._split_results(index, params)}
        self.best_index_ = index
        self._chosen_by = remembered_choice(rule)
        self.cost_matrix_ = self.front_.costs[index].copy()
        self.best_params_ = dict(params)
        self.cv_results_ = results
        if fitted is not None:
            self.estimator_ = fitted
            model = CostMatrixClassifier(FrozenEstimator(fitted), self.cost_matrix_)
            self.best_estimator_ = _decided(model, fitted, self.classes_, self.front_.priors)

    def _fitted_at(self, index):
        """The classifier of a member, fitted on all data if `refit`; None if there is none."""
        if self._judged["evolve"] != "weights":
            return self._fitted_with(self.front_.params[index] if self.front_.params else {})
        if self._at_rest is None:
            return None
        displaced = Displaced(deepcopy(self._at_rest), self._judged["step_scale"])
        return displaced.move(self._genomes[index])

    def _rest(self, evaluate):
        """Fit the classifier that weights are displaced from: before the search, to be sure."""
        self._at_rest = self._fitted_with({})
        if self._at_rest is not None:
            whole = Displaced(deepcopy(self._at_rest), self.step_scale)
            check_same_weights(evaluate.models[0], whole, "all data")

    def _fitted_with(self, params):
        if not self._judged["refit"] and len(self._judged["sizes"]) > 1:
            return None
        if not hasattr(self, "_context"):
            raise ValueError(
                "Another classifier needs the training data, which copies and files of a "
                "search do not have: choose it before, or fit again."
            )
        training, models = self._context["training"], self._context["models"]
        if self._judged["refit"]:
            return fit_on(training, params, np.arange(training.problem.n_cases))
        if models is not None:
            return models[0]
        return fit_on(training, params, training.folds[0].train)

    def _split_results(self, index, params):
        """Rates of a member in each split; nan where they would need data that are gone."""
        cases, sizes = self._judged["cases"], self._judged["sizes"]
        posteriors = self._posteriors_of(index, params)
        shape = (len(sizes), self.classes_.size, self.classes_.size)
        counts = np.full(shape, np.nan)
        if posteriors is not None:
            ends = np.cumsum(sizes)
            parts = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
            with np.errstate(invalid="ignore"):
                found = [
                    cases.with_scores(posteriors, part).tally(self.front_.costs[[index]])
                    for part in parts
                ]
            counts = np.array([split_counts[0] for _, split_counts in found])
        with np.errstate(invalid="ignore"):
            rates = counts / counts.sum(axis=2, keepdims=True)
        with warnings.catch_warnings():
            # a class may be missing from a split, or from all but one
            warnings.simplefilter("ignore", RuntimeWarning)
            mean, std = np.nanmean(rates, axis=0), np.nanstd(rates, axis=0)
        return {"rates": rates, "counts": counts, "mean_rates": mean, "std_rates": std}

    def _posteriors_of(self, index, params):
        """Posteriors of validation cases by the candidate of a member, if there are data."""
        known_params, posteriors = self._judged.get("posteriors", (None, None))
        if known_params is not None and same_params(known_params, params):
            return posteriors
        if not hasattr(self, "_context"):
            return None
        genome = self._genomes[index] if self._genomes else []
        found = self._context["evaluate"](self._context["individuals"].offspring(genome))
        if found is None:
            return None
        found = self._context["check"](found)
        self._judged["posteriors"] = (params, found)
        return found

    def _best(self):
        check_is_fitted(self, "front_")
        if hasattr(self, "best_estimator_"):
            return self.best_estimator_
        if hasattr(self, "best_index_"):
            why = (
                "there is one for each fold and none for all data. Use refit=True, or a "
                "CostMatrixClassifier with cost_matrix_"
            )
        else:
            why = (
                "the search was interrupted, or its operating_point could not be met. "
                "set_operating_point chooses one"
            )
        raise AttributeError(
            f"This {type(self).__name__} has a front_ but no classifier: {why}."
        )


def _decided(model, fitted, classes, priors):
    """A fitted `CostMatrixClassifier` around a classifier that is fitted already."""
    model.estimator_ = fitted
    model.classes_ = classes
    model.cost_matrix_ = np.array(model.cost_matrix, dtype=float)
    model.priors_ = None
    model.train_priors_ = priors.copy()
    return model
