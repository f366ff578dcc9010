"""Options of a search, checked before any work."""

import numbers

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skvus._validation import check_integer, check_number, check_option, shorten
from skvus.front._checks import check_alpha, is_one_number
from skvus.front._dominance import OBJECTIVES, check_objective_count
from skvus.front._front import ROCFront
from skvus.search._candidates import CostSpace, make_param_space
from skvus.search._checkpoint import Checkpoint, check_checkpoint
from skvus.search._data import is_share
from skvus.search._evolution import Settings
from skvus.search._state import GENERATORS
from skvus.search._toolbox import OPERATORS

EVOLVED = ("auto", "costs", "params", "weights")


def check_options(search):
    """Raise for options that are wrong whatever the data; return what is evolved."""
    for name, options in (
        ("evolve", EVOLVED),
        ("objectives", OBJECTIVES),
        ("step_scale", ("relative", "absolute")),
        ("selection", ("pqrs", "uniform")),
        ("on_interrupt", ("raise", "keep")),
        ("refit", (True, False)),
        ("store_cv_results", (True, False)),
        ("warm_start", (True, False)),
    ):
        check_option(name, getattr(search, name), options)
    for name, minimum in (
        ("n_generations", 0),
        ("n_costs", 1),
        ("n_initial", 1),
        ("n_offspring", 1),
        ("n_islands", 1),
    ):
        check_integer(name, getattr(search, name), minimum=minimum, maximum=10**9)
    for name in ("checkpoint_every", "max_front_size"):
        if getattr(search, name) is not None:
            check_integer(name, getattr(search, name), minimum=1, maximum=10**9)
    if search.max_time is not None:
        check_number("max_time", search.max_time, minimum=0.0)
    if search.checkpoint is not None:
        check_checkpoint(search.checkpoint)
    elif search.checkpoint_every is not None:
        raise ValueError(
            "checkpoint_every must be None without a checkpoint; got "
            f"{search.checkpoint_every!r}."
        )
    check_number("step", search.step, minimum=0.0)
    if not isinstance(search.verbose, (bool, np.bool_)):
        check_integer("verbose", search.verbose, minimum=0)
    if search.n_jobs is not None and (
        not isinstance(search.n_jobs, numbers.Integral)
        or isinstance(search.n_jobs, bool)
        or search.n_jobs == 0
    ):
        raise ValueError(
            f"n_jobs must be None or a whole number other than 0; got {search.n_jobs!r}."
        )
    if isinstance(search.cost_alpha, (bool, np.bool_)):
        raise ValueError(f"cost_alpha must be a number or a matrix; got {search.cost_alpha!r}.")
    _check_error_score(search.error_score)
    _check_toolbox(search.toolbox)
    if not callable(search.cost_proposal):
        check_option("cost_proposal", search.cost_proposal, ("mixed", "dirichlet"))
    evolve = _what_is_evolved(search)
    _check_cv(search, evolve)
    return evolve


def _what_is_evolved(search):
    given = search.param_distributions
    if search.evolve == "auto":
        return "costs" if given is None else "params"
    if search.evolve == "params" and given is None:
        raise ValueError("param_distributions must be given for evolve='params'; got None.")
    if search.evolve != "params" and given is not None:
        raise ValueError(
            f"param_distributions must be None for evolve={search.evolve!r}, which does not "
            f"change parameters; got {shorten(given)}."
        )
    return search.evolve


def _check_error_score(error_score):
    is_number = isinstance(error_score, numbers.Real) and not isinstance(error_score, bool)
    if not is_number and not (isinstance(error_score, str) and error_score == "raise"):
        raise ValueError(f"error_score must be 'raise' or a number; got {error_score!r}.")


def _check_toolbox(toolbox):
    if toolbox is None:
        return
    if not any(hasattr(toolbox, name) for name in OPERATORS):
        raise TypeError(
            "toolbox must be a deap.base.Toolbox with some of the operators "
            f"{', '.join(OPERATORS)}; got {shorten(toolbox)}."
        )


def _check_cv(search, evolve):
    cv = search.cv
    if isinstance(cv, str):
        check_option("cv", cv, ("prefit", "resubstitution"))
    elif is_share(cv):
        if not 0.0 < cv < 1.0:
            raise ValueError(f"cv as a share must be between 0 and 1; got {cv!r}.")
    elif isinstance(cv, numbers.Integral):
        check_integer("cv", cv, minimum=2)
    elif cv is not None and (
        isinstance(cv, (type, dict, bytes))
        or getattr(cv, "shape", None) == ()
        or (not hasattr(cv, "split") and not hasattr(cv, "__iter__"))
    ):
        raise ValueError(
            "cv must be None, an int, a share, a splitter, an iterable of splits, 'prefit' or "
            f"'resubstitution'; got {shorten(cv)}."
        )
    if not (isinstance(cv, str) and cv == "prefit"):
        return
    if search.refit:
        raise ValueError("refit must be False for cv='prefit': the estimator stays as it is.")
    if evolve == "params":
        raise ValueError(
            "cv='prefit' does not go with evolve='params': other parameters need another fit."
        )
    check_is_fitted(search.estimator)


def make_space(search, evolve):
    """What is evolved, but for weights, which are known after a fit."""
    if evolve != "params":
        return CostSpace()
    given = search.param_distributions
    return make_param_space(given, search.estimator, search.step, search.step_scale)


def make_settings(search, classes):
    """Options that depend on the number of classes."""
    check_objective_count(classes.size, search.objectives)
    return Settings(
        n_generations=int(search.n_generations),
        n_costs=int(search.n_costs),
        n_initial=int(search.n_initial),
        n_offspring=int(search.n_offspring),
        selection=search.selection,
        cost_proposal=search.cost_proposal,
        alpha=check_alpha(search.cost_alpha, classes, "costs"),
        alpha_is_number=is_one_number(search.cost_alpha),
        objectives=search.objectives,
        max_front_size=None if search.max_front_size is None else int(search.max_front_size),
    )


def make_checkpoint(search, rng):
    """The files that the search writes, or None."""
    if search.checkpoint is None:
        return None
    cv = search.cv
    shuffles = getattr(cv, "shuffle", True) and hasattr(cv, "split")
    if shuffles and getattr(cv, "random_state", 0) is None:
        raise ValueError(
            "cv must make the same splits in each part of a search with a checkpoint: give "
            f"{type(cv).__name__} a random_state; got {cv!r}."
        )
    name = type(rng.bit_generator).__name__
    if name not in GENERATORS:
        raise ValueError(
            "random_state must be a Generator of numpy's own for a checkpoint, with one of "
            f"{', '.join(GENERATORS)}; got {name}."
        )
    return Checkpoint(search.checkpoint, search.checkpoint_every)


def check_rule(rule, priors, class_sizes, classes):
    """Apply a rule to a perfect classifier: what fails there can never be met.

    Indices and functions are for the front itself.
    """
    if isinstance(rule, (bool, np.bool_, type)):
        raise TypeError(f"operating_point must be a rule of ROCFront.select; got {rule!r}.")
    if isinstance(rule, numbers.Integral) or (callable(rule) and not hasattr(rule, "choose")):
        return
    n_classes = classes.size
    is_counted = (class_sizes == np.rint(class_sizes)).all()
    perfect = ROCFront(
        np.eye(n_classes)[np.newaxis],
        counts=np.diag(class_sizes).astype(np.int64)[np.newaxis] if is_counted else None,
        costs=(1.0 - np.eye(n_classes))[np.newaxis] / (n_classes * (n_classes - 1)),
        classes=classes,
        priors=priors,
        class_sizes=class_sizes,
    )
    try:
        perfect.select(rule)
    except (TypeError, ValueError) as error:
        raise type(error)(f"operating_point cannot be met: {error}") from error
