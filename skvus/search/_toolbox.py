"""Operators of a search: ours, and those that replace them."""

import random

import numpy as np

from skvus._validation import as_float_array

OPERATORS = ("select", "mutate", "propose_costs", "evaluate", "map")


def make_toolbox(own, given, rng):
    """A toolbox of DEAP with our operators, but for those that are given.

    Parameters
    ----------
    own : dict of str to callable
        Our operators but the map, by name.
    given : deap.base.Toolbox or None
    rng : Generator
        Seeds the operators of others.
    """
    from deap import base

    toolbox = base.Toolbox()
    for name, operator in own.items():
        toolbox.register(name, operator)
    toolbox.register("map", _evaluated_together)
    for name in OPERATORS:
        if replaces(given, name):
            operator = getattr(given, name)
            # what may run elsewhere is handed on as it is
            is_ours_to_call = name not in ("evaluate", "map")
            toolbox.register(name, _seeded(operator, rng) if is_ours_to_call else operator)
    return toolbox


def replaces(toolbox, name):
    """Whether a toolbox has an operator; all have the map of Python, which replaces nothing."""
    operator = getattr(toolbox, name, None)
    return operator is not None and getattr(operator, "func", None) is not map


def own_operators(toolbox):
    """The operators of a toolbox that replace ours, by name."""
    return {name: getattr(toolbox, name) for name in OPERATORS if replaces(toolbox, name)}


def _seeded(operator, rng):
    """An operator that finds the global `random` seeded by us, and leaves it as it was."""

    def call(*arguments):
        state = random.getstate()
        random.seed(int(rng.integers(2**63)))
        try:
            return operator(*arguments)
        finally:
            random.setstate(state)

    return call


def as_list(name, results, n):
    """What an operator of others returned as a list, if it has the right length."""
    try:
        found = list(results)
    except TypeError as error:
        if results is not None:
            raise
        raise TypeError(f"{name} of toolbox must return a sequence; got None.") from error
    if len(found) != n:
        what = "individuals" if name == "select" else "results"
        raise ValueError(f"{name} of toolbox must return {n} {what}; got {len(found)}.")
    return found


def _evaluated_together(evaluate, individuals):
    """The map of the search: candidates and folds in parallel, if the evaluation can."""
    many = getattr(getattr(evaluate, "func", evaluate), "many", None)
    return map(evaluate, individuals) if many is None else many(individuals)


def checked_costs(name, costs, n_classes):
    """Cost matrices of others, so that they sum to one."""
    costs = as_float_array(f"what {name} returns", costs)
    if costs.ndim != 3 or costs.shape[1:] != (n_classes, n_classes) or not len(costs):
        raise ValueError(
            f"{name} must return costs of shape (n, {n_classes}, {n_classes}); got "
            f"{costs.shape}."
        )
    if costs.min() < 0.0 or np.einsum("mkk->mk", costs).any():
        raise ValueError(
            f"{name} must return costs that are not negative, with zero diagonals."
        )
    largest = costs.max(axis=(1, 2), keepdims=True)
    if not (largest > 0.0).all():
        raise ValueError(f"{name} must return matrices with a positive cost each.")
    costs = costs / largest  # sums must not overflow
    return costs / costs.sum(axis=(1, 2), keepdims=True)


def checked_posteriors(name, posteriors, shape):
    """Posteriors as an array, if they can be such."""
    posteriors = as_float_array(name, posteriors)
    if posteriors.shape != shape:
        raise ValueError(
            f"{name} must return posteriors of shape {shape} for the validation cases; got "
            f"{posteriors.shape}."
        )
    if posteriors.min() < 0.0:
        raise ValueError(f"{name} must not be negative; got {posteriors.min():.6g}.")
    return posteriors
