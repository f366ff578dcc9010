"""Fingerprints: equal for equal problems in any process, different for different ones."""

import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, special, stats
from sklearn.model_selection import RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from skvus.search._candidates import make_param_space
from skvus.search._fingerprint import digest


def with_default(k):
    def function(X, *, c=k):
        return np.clip(X, 0, c)

    return function


def closure(*values):
    return lambda: values


def with_global(c):
    return eval("lambda X: np.clip(X, 0, c)", {"np": np, "c": c})


def inner(k):
    return eval(f"lambda X: [[v * v if v > {k} else v for v in row] for row in X]")


def column(*categories, ordered=False):
    values = pd.Categorical(["a", "b"], categories=categories, ordered=ordered)
    return pd.DataFrame({"x": values})


DIFFERENT = {
    "numbers": (1, 2),
    "types": (1, True, "1", None),
    "arrays": (np.arange(3), np.arange(3.0), np.arange(4), np.arange(3).reshape(1, 3)),
    "objects": (np.array(["a", None], dtype=object), np.array([None, "a"], dtype=object)),
    "sparse": (sparse.csr_matrix(np.eye(3)), sparse.csr_matrix(2 * np.eye(3))),
    "frames": (pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]}), pd.DataFrame({"a": [2]})),
    "categories": (column("a", "b"), column("b", "a"), column("a", "b", ordered=True)),
    "columns": (pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [2], "a": [1]})),
    "estimators": (GaussianNB(), GaussianNB(var_smoothing=1e-8), DecisionTreeClassifier()),
    "nested": (make_pipeline(GaussianNB()), make_pipeline(GaussianNB(var_smoothing=1e-8))),
    "lambdas": (lambda x: x + 1, lambda x: x + 2, lambda x: x - 1),
    "inner": (inner(2), inner(4)),
    "defaults": (with_default(2), with_default(4)),
    "closures": (closure(2, None), closure(None, 2)),
    "globals": (with_global(2), with_global(4)),
    "ufuncs": (special.expit, special.erf, np.log1p),
    "bound": ({1: 2}.get, {1: 3}.get),
    "partial": (partial(np.clip, a_max=2), partial(np.clip, a_max=3)),
    "sets": ({1, 2}, {1, 3}),
    "dicts": ({"a": 1}, {"a": 2}, {"b": 1}),
    "distributions": (stats.uniform(0, 1), stats.uniform(0, 2), stats.norm(0, 1)),
    "randomness": (np.random.RandomState(0), np.random.RandomState(1)),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_things_differ(name):
    values = DIFFERENT[name]
    assert len({digest(value) for value in values}) == len(values)


EQUAL = {
    "numbers": (0.03, np.float64(0.03)),
    "whole": (10, np.int64(10)),
    "sets": ({"a", "b", "c"}, {"c", "b", "a"}),
    "dicts": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "layouts": (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    "sparse": (sparse.csr_matrix(np.eye(3)), sparse.coo_matrix(np.eye(3))),
    "lambdas": tuple(lambda x: x + 1 for _ in range(2)),
    "estimators": (GaussianNB(), GaussianNB()),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_things_are_equal(name):
    assert len({digest(value) for value in EQUAL[name]}) == 1


def test_global_randomness_does_not_matter():
    searches = RandomizedSearchCV(GaussianNB(), {"var_smoothing": stats.uniform(0, 1)})
    before = digest([searches, stats.uniform(0, 1)])
    np.random.rand()  # noqa: NPY002
    assert digest([searches, stats.uniform(0, 1)]) == before


def test_tables_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    tables = [{"a": [1, 2]}, {"a": [1, 3]}, {"b": [1, 2]}, {"a": [1, 2], "b": [1, 2]}]
    for make in (pyarrow.table, pyarrow.record_batch):
        assert len({digest(make(table)) for table in tables}) == len(tables)
        assert digest(make(tables[0])) == digest(make({"a": pyarrow.array([1, 2])}))


def test_things_that_hold_themselves():
    one, other = [1], [1]
    one.append(one)
    other.append(other)
    assert digest(one) == digest(other)
    assert digest(one) != digest([1, [1]])


def test_things_that_cannot_be_copied():
    one, other = (iter(zip("abc", range(3), strict=True)) for _ in range(2))
    assert digest(one) == digest(other)
    assert digest(threading.Lock()) == digest(threading.Lock())


def test_all_values_of_a_list_matter():
    tree = DecisionTreeClassifier()
    values = list(range(2, 42))
    spaces = [make_param_space({"max_leaf_nodes": values}, tree, 0.1, "relative")]
    for place in range(40):
        changed = [*values[:place], 999, *values[place + 1 :]]
        spaces.append(make_param_space({"max_leaf_nodes": changed}, tree, 0.1, "relative"))
    found = {digest(space.identity(np.random.default_rng(0))) for space in spaces}
    assert len(found) == 41


@pytest.mark.parametrize("step_scale", ["relative", "absolute"])
def test_distributions_matter(step_scale):
    nb = GaussianNB()
    found = {
        digest(
            make_param_space({"var_smoothing": values}, nb, 0.1, step_scale).identity(
                np.random.default_rng(0)
            )
        )
        for values in (stats.uniform(1, 9), stats.loguniform(1, 10), stats.uniform(1, 8))
    }
    assert len(found) == 3


CODE = """
import numpy as np, pandas as pd
from functools import partial
from scipy import stats
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skvus.search._fingerprint import digest

frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None], "c": pd.Categorical(["u", "v"])})
model = make_pipeline(
    ColumnTransformer([("n", StandardScaler(), [0])]),
    RandomForestClassifier(class_weight={"x": 1, "y": 2}),
)
things = [{"b", "a", "c"}, stats.norm(0, 1), lambda x: x + 1, partial(max, 3)]
print(digest([frame, model, things]))
"""


def test_processes_agree():
    found = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_functions_of_transformers_matter():
    models = [make_pipeline(FunctionTransformer(f), GaussianNB()) for f in (np.log1p, np.sqrt)]
    assert digest(models[0]) != digest(models[1])
