"""What the tests of inference have in common."""

from functools import partial

import inference_twins as twins
import numpy as np
import pytest

from skvus.metrics import get_scorer_names
from skvus.metrics._scorers import SCORERS

exact = partial(pytest.approx, rel=1e-10, abs=1e-13)
TUPLES = ("ordered_vus", "simplified_vus", "angle_vus")
RANKS = ("ordinal_vus", "pdi", "hand_till", "one_vs_rest_auc")
CRISP = [name for name in get_scorer_names() if SCORERS[name][1] == "predict"]
closed = pytest.mark.parametrize("score", [*TUPLES, *RANKS])


def predictions_for(score, proba):
    if score == "ordinal_vus":
        return proba @ np.arange(proba.shape[1])
    return proba.argmax(axis=1) if score in CRISP else proba


def components_of(score, y, rows):
    by_twin = {
        "ordered_vus": lambda: twins.ordering_components(y, rows, "euclidean", "share"),
        "simplified_vus": lambda: twins.ordering_components(y, rows, "product", "share"),
        "angle_vus": lambda: twins.angle_components(y, rows, "right_angle"),
        "ordinal_vus": lambda: twins.ordinal_components(y, rows, "share"),
        "pdi": lambda: twins.pdi_components(y, rows),
        "hand_till": lambda: twins.hand_till_components(y, rows),
        "one_vs_rest_auc": lambda: twins.one_vs_rest_components(y, rows),
    }
    return by_twin[score]()
