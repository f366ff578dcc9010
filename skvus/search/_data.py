"""Cases that a search learns from and is judged on: rows, splits, what goes with them."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import get_tags

from skvus._validation import shorten


class Problem(NamedTuple):
    """Training data with what belongs to their cases."""

    X: Any
    y: Any  # as given: labels that say more than their values stay as they are
    codes: np.ndarray
    classes: np.ndarray
    sample_weight: np.ndarray | None
    fit_params: dict

    @property
    def n_cases(self):
        """Number of cases."""
        return len(self.codes)


def take(rows, index):
    """Some rows of an array, a sparse matrix, a data frame or a list."""
    if hasattr(rows, "iloc"):
        return rows.iloc[index]
    if sparse.issparse(rows):
        return rows.tocsr()[index]
    if hasattr(rows, "__array_namespace__") and not isinstance(rows, np.ndarray):
        library = rows.__array_namespace__()  # which may refuse an index that is numpy's
        return library.take(rows, library.asarray(index), axis=0)
    if hasattr(rows, "take") and any(
        hasattr(rows, name) for name in ("__arrow_c_array__", "__arrow_c_stream__", "to_pylist")
    ):
        return rows.take(index)  # tables of arrow go by columns in brackets
    if hasattr(rows, "shape") or hasattr(rows, "__dataframe__"):
        return rows[index]
    return [rows[i] for i in index]


def take_cases(X, index, columns, is_pairwise):
    """Some cases; of a matrix of all pairs, their pairs with the cases of training."""
    part = take(X, index)
    return part[:, columns] if is_pairwise and columns is not None else part


def take_params(fit_params, index, n_cases):
    """What goes with some cases; what is not per case stays whole."""
    taken = {}
    for name, value in fit_params.items():
        is_per_case = (
            value is not None
            and not isinstance(value, (str, bytes, dict))
            and (hasattr(value, "shape") or hasattr(value, "__len__"))
            and (value.shape[0] if getattr(value, "shape", ()) else len(value)) == n_cases
        )
        taken[name] = take(value, index) if is_per_case else value
    return taken


def is_pairwise(estimator):
    """Whether X is a matrix of all pairs of cases."""
    return get_tags(estimator).input_tags.pairwise


def is_prefit(cv):
    """Whether the estimator is fitted already."""
    return isinstance(cv, str) and cv == "prefit"


def is_share(cv):
    """Whether `cv` is the share of cases to hold out."""
    return isinstance(cv, (float, np.floating))


def make_splits(cv, problem, random_state, split_params):
    """List of (training cases, validation cases), made once.

    Raises
    ------
    ValueError
        If some training cases lack a class, or all validation cases do.
    """
    n = problem.n_cases
    everything = np.arange(n)
    if isinstance(cv, str) and cv in ("prefit", "resubstitution"):
        return [(everything, everything)]
    if is_share(cv):
        splitter = StratifiedShuffleSplit(1, test_size=float(cv), random_state=random_state)
    else:
        splitter = check_cv(cv, y=problem.codes, classifier=True)
    placeholder = problem.X if hasattr(problem.X, "shape") else np.zeros((n, 1))
    labels = problem.classes[problem.codes]
    try:
        splits = list(splitter.split(placeholder, labels, **split_params))
    except TypeError as error:
        if hasattr(cv, "split"):
            raise
        raise ValueError(
            f"cv must be an iterable of pairs of indices; got {shorten(cv)}."
        ) from error
    splits = [_as_indices(split, number, n) for number, split in enumerate(splits)]
    if not splits:
        raise ValueError(f"cv must make at least one split; got none from {shorten(cv)}.")
    _check_splits(splits, problem)
    return splits


def _as_indices(split, number, n_cases):
    """Indices of training and validation cases, from such or from masks."""
    found = []
    is_pair = isinstance(split, (tuple, list, np.ndarray)) and len(split) == 2
    for cases in split if is_pair else ():
        try:
            cases = np.asarray(cases)
        except ValueError:  # lists of different lengths
            break
        if cases.dtype == bool and cases.shape == (n_cases,):
            cases = np.flatnonzero(cases)
        if cases.ndim != 1 or (cases.size and cases.dtype.kind not in "iu"):
            break
        if cases.size and not -n_cases <= cases.min() <= cases.max() < n_cases:
            break
        found.append(cases.astype(np.intp) % n_cases)
    if len(found) < 2:
        raise ValueError(
            f"cv must make pairs of indices of the {n_cases} cases, or of masks, to train and "
            f"to validate on; split {number} is {shorten(split)}."
        )
    return tuple(found)


def _check_splits(splits, problem):
    present = np.zeros(problem.classes.size, dtype=bool)
    weight = problem.sample_weight
    for number, (train, test) in enumerate(splits):
        if not len(test):
            raise ValueError(f"cv must leave cases to validate on; split {number} has none.")
        weighed = train if weight is None else train[weight[train] > 0.0]
        lacking = np.setdiff1d(np.arange(problem.classes.size), problem.codes[weighed])
        if lacking.size:
            raise ValueError(
                "cv must leave cases of every class, of positive weight, to train on; split "
                f"{number} has none of "
                f"{shorten(problem.classes[lacking].tolist())}. Fewer or stratified folds may "
                "help."
            )
        judged = problem.codes[test]
        present[judged if weight is None else judged[weight[test] > 0.0]] = True
    if not present.all():
        raise ValueError(
            "cv must leave cases of every class to validate on, with a positive weight; there "
            f"is none of {shorten(problem.classes[~present].tolist())}."
        )
