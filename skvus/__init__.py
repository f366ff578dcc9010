"""Multi-class ROC analysis for scikit-learn."""

from skvus import datasets, metrics
from skvus.metrics import (
    DiscardPolytope,
    VUSResult,
    discard_polytope,
    expected_cost,
    get_scorer,
    get_scorer_names,
    hand_till_crisp_score,
    is_discarded,
    macro_average_score,
    make_cost_scorer,
    modified_macro_average_score,
    one_point_auc_score,
    polytope_vus,
    polytope_vus_bounds,
    polytope_vus_score,
    ranking_discrepancy,
    soft_polytope_vus_score,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "DiscardPolytope",
    "VUSResult",
    "datasets",
    "discard_polytope",
    "expected_cost",
    "get_scorer",
    "get_scorer_names",
    "hand_till_crisp_score",
    "is_discarded",
    "macro_average_score",
    "make_cost_scorer",
    "metrics",
    "modified_macro_average_score",
    "one_point_auc_score",
    "polytope_vus",
    "polytope_vus_bounds",
    "polytope_vus_score",
    "ranking_discrepancy",
    "soft_polytope_vus_score",
]
