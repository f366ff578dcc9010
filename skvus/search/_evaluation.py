"""Posteriors of candidates on cases that they are judged by."""

import threading
import time
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
from skvus.search._data import Problem, is_pairwise, take, take_cases, take_params
from skvus.search._interrupts import is_interrupt
from skvus.search._sharing import run
from skvus.search._weights import Displaced, check_same_weights, core_of

# Posteriors of candidates that are remembered take up to 64 MB.
_MOST_CELLS = 2**23
# Seconds of a prediction by displaced weights that is left to workers.
_WORTH_SENDING = 0.01


class Fold(NamedTuple):
    """What a worker fits and predicts: everything that it needs, and nothing else."""

    train: np.ndarray | None  # None for a classifier that was fitted on other cases
    test: np.ndarray
    leaves_one_out: bool = False


class Training(NamedTuple):
    """What the fits of all candidates have in common, for a worker to have once."""

    estimator: object
    problem: Problem
    folds: list
    seed: int | None  # of parameters named random_state that are not set


class Outcome(NamedTuple):
    """Posteriors of the validation cases of a fold, or what went wrong."""

    posteriors: np.ndarray | None
    failure: str | None = None
    fitted: object = None


def seeded(estimator, seed):
    """An estimator whose parameters named random_state are `seed` where they were None.

    Changed, unless the seed is None. All fits of a search start alike: a candidate is the same
    whoever fits it and whenever, and weights of several fits can be displaced alike.
    """
    if seed is None:
        return estimator
    unset = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.split("__")[-1] == "random_state"
    ]
    return estimator.set_params(**dict.fromkeys(unset, seed)) if unset else estimator


def fit_on(training, params, train):
    """A copy of the estimator with these parameters, fitted on some cases."""
    problem = training.problem
    candidate = clone(training.estimator)
    if params:
        # values are copied, so that a candidate never changes what another one has
        candidate.set_params(
            **{name: clone(value, safe=False) for name, value in params.items()}
        )
    candidate = seeded(candidate, training.seed)
    # copies, also of all cases: some transformers work in place
    X = take_cases(problem.X, train, train, is_pairwise(candidate))
    y = take(problem.y, train)
    fit_params = take_params(problem.fit_params, train, problem.n_cases)
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


def leaves_one_out(training):
    """Whether ``predict_proba(None)`` gives leave-one-out posteriors of the training data.

    In a pipeline, it is the last step that leaves out a case, after the others saw all. A fit
    is the only way to know; what fails later is then a failure, and no reason to judge by the
    training data themselves.
    """
    if frozen_part(training.estimator) is not None:
        return False
    problem = training.problem
    try:
        fitted = fit_on(training, {}, np.arange(problem.n_cases))
        proba = np.asarray(core_of(fitted).predict_proba(None))
    except Exception:  # whatever a classifier says that knows no such thing
        return False
    return proba.shape == (problem.n_cases, problem.classes.size)


def judge(training, params, number, *, keep=False, must_succeed=False):
    """Fit on the training cases of a fold, predict its validation cases."""
    fold = training.folds[number]
    try:
        fitted = fit_on(training, params, fold.train)
        posteriors = predict_fold(fitted, training.problem, fold)
    except Exception as error:
        if must_succeed or is_interrupt(error):
            raise
        return Outcome(None, format_exc())
    return Outcome(posteriors, None, fitted if keep else None)


def lost_outcome(error):
    """Of a fit that killed every worker which tried it."""
    return Outcome(None, f"Its workers died: {type(error).__name__}: {error}")


def displaced_posteriors(training, models, displacement, *, must_succeed=False):
    """Posteriors of all validation cases by models whose weights are displaced.

    The models are copied: other threads may have some of their own to displace.
    """
    try:
        return Outcome(moved_posteriors(training, deepcopy(models), displacement))
    except (ValueError, FloatingPointError):
        if must_succeed:
            raise
        return Outcome(None, format_exc())


def moved_posteriors(training, models, displacement):
    """Posteriors of all validation cases by models that are moved for it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.concatenate(
            [
                predict_fold(model.move(displacement), training.problem, fold)
                for model, fold in zip(models, training.folds, strict=True)
            ]
        )


class Evaluation:
    """What gives posteriors of candidates, and takes note of those that failed."""

    workers = None
    must_succeed = False

    def __init__(self):
        self.n_fits = 0
        self.failures = Counter()
        self.first_failed = None

    def __getstate__(self):
        """What a worker of somebody else's map needs: no workers of ours, no memory."""
        return {**vars(self), "workers": None}

    def _note(self, params, failures, n_fits=1):
        self.n_fits += n_fits
        self.failures.update(failures)
        if failures and self.first_failed is None:
            self.first_failed = shorten(params)

    @property
    def lost(self):
        """What makes a result of a fit that kills its workers, if there may be one."""
        return None if self.must_succeed else lost_outcome

    @property
    def failure_report(self):
        """How many fits failed, and why; nothing if none did."""
        if not self.failures:
            return ""
        head = (
            f"{self.failures.total()} of {self.n_fits} fits failed, first of all with the "
            f"parameters {self.first_failed}; error_score='raise' stops there."
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
    training : Shared
        A `Training`.
    workers : Workers
    error_score : "raise" or number
    """

    def __init__(self, training, workers, error_score):
        super().__init__()
        self.training = training
        self.workers = workers
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
        n_folds = len(self.training.content.folds)
        rows = [(params, number) for params in settings for number in range(n_folds)]
        options = {"must_succeed": self.must_succeed}
        if self.workers is None:
            outcomes = run(judge, rows, options, self.training).values
        else:
            outcomes = self.workers(judge, (self.training,), rows, lost=self.lost, **options)
        groups = [outcomes[i : i + n_folds] for i in range(0, len(outcomes), n_folds)]
        return [self._joined(*pair) for pair in zip(settings, groups, strict=True)]

    def _remember(self, found):
        """Keep the latest posteriors, as many as memory has room for."""
        self._known.update(found)
        problem, folds = self.training.content.problem, self.training.content.folds
        cells = len(problem.classes) * sum(len(fold.test) for fold in folds)
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
    training : Shared
        A `Training`.
    workers : Workers
    step_scale : {"relative", "absolute"}
    error_score : "raise" or number
    """

    def __init__(self, models, training, workers, step_scale, error_score):
        super().__init__()
        self.models = [Displaced(deepcopy(model), step_scale) for model in models]
        self.training = training
        self.workers = workers
        self.must_succeed = isinstance(error_score, str)
        self._lock = threading.Lock()  # the models are changed, one candidate at a time
        self._seconds = 0.0
        for number, model in enumerate(self.models):
            check_same_weights(self.models[0], model, f"fold {number}")
        self._check_effect()
        self._shared_models = workers.share(deepcopy(self.models))

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
        start = time.perf_counter()
        failures = []
        try:
            found = self._posteriors(individual)
        except (ValueError, FloatingPointError):
            if self.must_succeed:
                raise
            found, failures = None, [format_exc()]
        self._note({"weight_step": np.asarray(individual)}, failures)
        self._seconds = time.perf_counter() - start
        return found

    def _posteriors(self, displacement):
        with self._lock:
            return moved_posteriors(self.training.content, self.models, displacement)

    def many(self, individuals):
        """Posteriors of several candidates: by workers, if it is worth their while."""
        is_long = len(individuals) > 1 and self._seconds > _WORTH_SENDING
        if not is_long or self.workers is None or self.workers.is_serial:
            return [self(individual) for individual in individuals]
        outcomes = self.workers(
            displaced_posteriors,
            (self.training, self._shared_models),
            [(list(individual),) for individual in individuals],
            lost=self.lost,
            must_succeed=self.must_succeed,
        )
        for individual, outcome in zip(individuals, outcomes, strict=True):
            failures = [] if outcome.failure is None else [outcome.failure]
            self._note({"weight_step": np.asarray(individual)}, failures)
        return [outcome.posteriors for outcome in outcomes]


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
