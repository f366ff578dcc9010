"""Scores of multi-class classifiers and what can be said of them."""

from skvus.metrics._agreement import ranking_discrepancy
from skvus.metrics._angle import angle_vus_score
from skvus.metrics._comparison import compare_many, compare_scores
from skvus.metrics._comparison_results import ComparisonResult, ComparisonTable
from skvus.metrics._cost import expected_cost
from skvus.metrics._crisp import (
    hand_till_crisp_score,
    macro_average_score,
    modified_macro_average_score,
    one_point_auc_score,
)
from skvus.metrics._discard import (
    DiscardPolytope,
    discard_polytope,
    is_discarded,
)
from skvus.metrics._inference import InferenceResult, score_inference
from skvus.metrics._operating_points import (
    OperatingPoints,
    operating_points,
    operating_rates,
)
from skvus.metrics._ordering import (
    OrderingResult,
    ordered_vus_bounds,
    ordered_vus_score,
)
from skvus.metrics._permutation import PermutationResult, permutation_test
from skvus.metrics._polytope import (
    polytope_vus,
    polytope_vus_bounds,
    polytope_vus_score,
)
from skvus.metrics._random_simplex import random_simplex_volume, sample_better_than_random
from skvus.metrics._ranking import (
    hand_till_score,
    one_vs_rest_auc_score,
    ordinal_vus_score,
    pdi_score,
)
from skvus.metrics._scorers import (
    get_scorer,
    get_scorer_names,
    make_cost_scorer,
)
from skvus.metrics._simplified import (
    simplified_vus_bounds,
    simplified_vus_score,
)
from skvus.metrics._soft_polytope import (
    VUSResult,
    soft_polytope_vus_score,
)
from skvus.metrics._target_rates import weights_for_rates

__all__ = [
    "ComparisonResult",
    "ComparisonTable",
    "DiscardPolytope",
    "InferenceResult",
    "OperatingPoints",
    "OrderingResult",
    "PermutationResult",
    "VUSResult",
    "angle_vus_score",
    "compare_many",
    "compare_scores",
    "discard_polytope",
    "expected_cost",
    "get_scorer",
    "get_scorer_names",
    "hand_till_crisp_score",
    "hand_till_score",
    "is_discarded",
    "macro_average_score",
    "make_cost_scorer",
    "modified_macro_average_score",
    "one_point_auc_score",
    "one_vs_rest_auc_score",
    "operating_points",
    "operating_rates",
    "ordered_vus_bounds",
    "ordered_vus_score",
    "ordinal_vus_score",
    "pdi_score",
    "permutation_test",
    "polytope_vus",
    "polytope_vus_bounds",
    "polytope_vus_score",
    "random_simplex_volume",
    "ranking_discrepancy",
    "sample_better_than_random",
    "score_inference",
    "simplified_vus_bounds",
    "simplified_vus_score",
    "soft_polytope_vus_score",
    "weights_for_rates",
]
