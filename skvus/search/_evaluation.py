"""Posteriors of candidates on cases that they are judged by."""

import threading
import warnings
from collections import Counter
from copy import deepcopy
from traceback import format_exc
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skvus._validation import shorten
from skvus.classifiers._inner import checked_posteriors, frozen_part
from skvus.search._callbacks import FRAMES
from skvus.search._data import is_pairwise, take, take_cases, take_params
from skvus.search._weights import Displaced, check_same_weights, core_of

# Posteriors of candidates that are remembered take up to 64 MB.
_MOST_CELLS = 2**23


class Fold(NamedTuple):
    """What a worker fits and predicts: everything that it needs, and nothing else."""

    train: np.ndarray | None  # None for a classifier that was fitted on other cases
    test: np.ndarray
    leaves_one_out: bool = False


class Outcome(NamedTuple):
    """Posteriors of the validation cases of a fold, or what went wrong."""

    posteriors: np.ndarray | None
    failure: str | None = None
    fitted: object = None


def seeded(estimator, seed):
    """A copy whose parameters named random_state are `seed` where they were None.

    Weights of several fits can be displaced alike only if the fits start alike. A copy with
    nothing changed if the seed is None.
    """
    copy = clone(estimator)
    if seed is None:
        return copy
    unset = [
        name
        for name, value in copy.get_params(deep=True).items()
        if value is None and name.split("__")[-1] == "random_state"
    ]
    return copy.set_params(**dict.fromkeys(unset, seed)) if unset else copy


def fit_on(estimator, params, problem, fold):
    """A copy of the estimator with these parameters, fitted on the training cases of a fold."""
    candidate = clone(estimator)
    if params:
        # values are copied, so that a candidate never changes what another one has
        candidate.set_params(
            **{name: clone(value, safe=False) for name, value in params.items()}
        )
    # copies, also of all cases: some transformers work in place
    X = take_cases(problem.X, fold.train, fold.train, is_pairwise(candidate))
    y = take(problem.y, fold.train)
    fit_params = take_params(problem.fit_params, fold.train, problem.n_cases)
    candidate.fit(X, y, **fit_params)
    return candidate


def predict_fold(fitted, problem, fold):
    """Posteriors of the validation cases of a fold, in the order of all classes."""
    _check_classes(fitted, problem.classes)
    if fold.leaves_one_out:
        X, fitted = None, core_of(fitted)
    else:
        X = take_cases(problem.X, fold.test, fold.train, is_pairwise(fitted))
    return checked_posteriors(fitted, X, problem.classes.size)


def _check_classes(fitted, classes):
    found = np.asarray(getattr(fitted, "classes_", classes)).tolist()
    if found != classes.tolist():
        raise ValueError(
            f"classes_ of {type(fitted).__name__} must be the classes of y in their order, "
            f"{shorten(classes.tolist())}; got {shorten(found)}."
        )


def leaves_one_out(estimator, problem):
    """Whether ``predict_proba(None)`` gives leave-one-out posteriors of the training data.

    In a pipeline, it is the last step that leaves out a case, after the others saw all. A fit
    is the only way to know; what fails later is then a failure, and no reason to judge by the
    training data themselves.
    """
    if frozen_part(estimator) is not None:
        return False
    everything = np.arange(problem.n_cases)
    try:
        fitted = fit_on(estimator, {}, problem, Fold(everything, everything))
        proba = np.asarray(core_of(fitted).predict_proba(None))
    except Exception:  # whatever a classifier says that knows no such thing
        return False
    return proba.shape == (problem.n_cases, problem.classes.size)


def judge(estimator, params, problem, fold, *, keep=False, must_succeed=False):
    """Fit on the training cases of a fold, predict its validation cases."""
    try:
        fitted = fit_on(estimator, params, problem, fold)
        posteriors = predict_fold(fitted, problem, fold)
    except Exception:
        if must_succeed:
            raise
        return Outcome(None, format_exc())
    return Outcome(posteriors, None, fitted if keep else None)


def in_turn(tasks):
    """Run functions with their arguments and options, one after the other."""
    return [function(*arguments, **options) for function, arguments, options in tasks]


class Evaluation:
    """What gives posteriors of candidates, and takes note of those that failed."""

    parallel = None

    def __init__(self):
        self.n_fits = 0
        self.failures = Counter()
        self.first_failed = None

    def __getstate__(self):
        """What a worker of somebody else's map needs: no workers of ours, no memory."""
        return {**vars(self), "parallel": None}

    def _note(self, params, failures, n_fits=1):
        self.n_fits += n_fits
        self.failures.update(failures)
        if failures and self.first_failed is None:
            self.first_failed = params

    @property
    def failure_report(self):
        """How many fits failed, and why; nothing if none did."""
        if not self.failures:
            return ""
        head = (
            f"{self.failures.total()} of {self.n_fits} fits failed, first of all with the "
            f"parameters {shorten(self.first_failed)}; error_score='raise' stops there."
        )
        reasons = [f"{count} times:\n{text}" for text, count in self.failures.most_common(3)]
        return "\n".join([head, *reasons])

    def warn_of_failures(self, n_left_out):
        """Warn once, of all candidates that were left out."""
        if n_left_out:
            warnings.warn(
                f"{n_left_out} candidates were left out. {self.failure_report}",
                FitFailedWarning,
                stacklevel=3 + FRAMES,
            )


class Refitting(Evaluation):
    """Candidates are fitted anew, fold by fold.

    Parameters
    ----------
    estimator : estimator
    problem : Problem
    folds : list of Fold
    parallel : callable or None
        ``parallel(tasks)`` runs pairs of a function and its arguments; None runs them in turn.
    error_score : "raise" or number
    """

    def __init__(self, estimator, problem, folds, parallel, error_score):
        super().__init__()
        self.estimator = estimator
        self.problem = problem
        self.folds = folds
        self.parallel = parallel
        self.must_succeed = isinstance(error_score, str)
        self._known = {}

    def __getstate__(self):
        return {**super().__getstate__(), "_known": {}}

    def __call__(self, individual):
        """Posteriors of one candidate on all validation cases, or None if a fit failed."""
        return self.many([individual])[0]

    def many(self, individuals):
        """Posteriors of several candidates; the same parameters are fitted once."""
        wanted = {individual.key: individual.params for individual in individuals}
        new = {key: params for key, params in wanted.items() if key not in self._known}
        found = {key: self._known[key] for key in wanted if key not in new}
        found.update(zip(new, self._judged(list(new.values())), strict=True))
        self._remember(found)
        return [found[individual.key] for individual in individuals]

    def _judged(self, settings):
        options = {"must_succeed": self.must_succeed}
        tasks = [
            (judge, (self.estimator, params, self.problem, fold), options)
            for params in settings
            for fold in self.folds
        ]
        outcomes = in_turn(tasks) if self.parallel is None else self.parallel(tasks)
        n_folds = len(self.folds)
        groups = [outcomes[i : i + n_folds] for i in range(0, len(outcomes), n_folds)]
        return [self._joined(*pair) for pair in zip(settings, groups, strict=True)]

    def _remember(self, found):
        """Keep the latest posteriors, as many as memory has room for."""
        self._known.update(found)
        cells = len(self.problem.classes) * sum(len(fold.test) for fold in self.folds)
        for key in list(self._known)[: max(0, len(self._known) - _MOST_CELLS // cells)]:
            self._known.pop(key, None)  # threads of others may have been faster

    def _joined(self, params, outcomes):
        failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
        self._note(params, failures, len(outcomes))
        if failures:
            return None
        return np.concatenate([outcome.posteriors for outcome in outcomes])


class Reweighting(Evaluation):
    """Fitted weights are displaced, in the models of all folds alike.

    Parameters
    ----------
    models : list of estimator
        Fitted, one for each fold. Copied.
    problem : Problem
    folds : list of Fold
    step_scale : {"relative", "absolute"}
    error_score : "raise" or number
    """

    def __init__(self, models, problem, folds, step_scale, error_score):
        super().__init__()
        self.models = [Displaced(deepcopy(model), step_scale) for model in models]
        self.problem = problem
        # nothing that moved weights could be left out of
        self.folds = [Fold(fold.train, fold.test) for fold in folds]
        self.must_succeed = isinstance(error_score, str)
        self._lock = threading.Lock()  # the models are changed, one candidate at a time
        for number, model in enumerate(self.models):
            check_same_weights(self.models[0], model, f"fold {number}")
        self._check_effect()

    def __getstate__(self):
        return {**super().__getstate__(), "_lock": None}

    def __setstate__(self, state):
        vars(self).update(state, _lock=threading.Lock())

    def _check_effect(self):
        """Raise if posteriors do not follow the weights: those of some models do not."""
        steps = [10.0 * np.ones(self.n_weights), -10.0 * np.arange(1.0, self.n_weights + 1.0)]
        at_rest = self._posteriors(np.zeros(self.n_weights))
        try:
            is_deaf = all(np.array_equal(at_rest, self._posteriors(step)) for step in steps)
        except ValueError:  # not finite so far away
            is_deaf = False
        if is_deaf:
            raise TypeError(
                "evolve='weights' takes a classifier whose predict_proba follows its weights; "
                f"that of {type(core_of(self.models[0].fitted)).__name__} does not change."
            )

    @property
    def n_weights(self):
        """Number of weights of a model."""
        return self.models[0].n_weights

    def __call__(self, individual):
        """Posteriors of one candidate on all validation cases, or None without finite ones."""
        failures = []
        try:
            found = self._posteriors(individual)
        except (ValueError, FloatingPointError):
            if self.must_succeed:
                raise
            found, failures = None, [format_exc()]
        self._note({"weight_step": np.asarray(individual)}, failures)
        return found

    def _posteriors(self, displacement):
        with self._lock, np.errstate(over="ignore", invalid="ignore"):
            return np.concatenate(
                [
                    predict_fold(model.move(displacement), self.problem, fold)
                    for model, fold in zip(self.models, self.folds, strict=True)
                ]
            )

    def many(self, individuals):
        """Posteriors of several candidates."""
        return [self(individual) for individual in individuals]


class Known(Evaluation):
    """The posteriors are there already: only costs are searched."""

    def __init__(self, posteriors):
        super().__init__()
        self.posteriors = posteriors

    def __call__(self, individual):
        """The posteriors."""
        return self.posteriors

    def many(self, individuals):
        """The posteriors, for each candidate."""
        return [self.posteriors] * len(individuals)
