"""Mistakes that a type checker should find, each with the code of its error; never run."""

# ruff: noqa: B018

from typing import Any

import numpy as np

import skvus
from skvus.plotting import ROCFrontDisplay


def mistakes(model: Any, front: skvus.ROCFront, y: Any, proba: Any) -> None:
    skvus.polytope_vus_score(y)  # error: call-arg
    skvus.polytope_vus_score(y, y, normalize="maximum")  # error: arg-type
    skvus.polytope_vus(y, return_sd=True)  # error: call-overload
    skvus.ordered_vus_score(y, proba, ties="half")  # error: call-overload
    skvus.ordered_vus_score(y, proba).standard_error  # error: attr-defined
    skvus.hand_till_crisp_score(y, y, variant="4")  # error: arg-type
    skvus.pdi_score(y, proba, average="weighted")  # error: call-overload
    skvus.roc_front  # error: attr-defined
    skvus.score_inference(y, proba, method="boot").score  # error: arg-type
    skvus.score_inference(y, proba).interval()  # error: attr-defined
    front.select("farthest")  # error: arg-type
    front.gini(n_sample=10)  # error: call-overload
    front.counts[0]  # error: index
    skvus.ROCFront.from_estimator(model, proba, y, n_cost=10)  # error: call-arg
    skvus.WithinLimits(0.1)  # error: arg-type
    skvus.CostMatrixClassifier(3)  # error: arg-type
    skvus.CostMatrixClassifier(model, cost_matrix=1.0)  # error: arg-type
    skvus.ParetoROCSearch(model, cv="prefitted")  # error: arg-type
    skvus.ParetoROCSearch(model, step_scale=0.1)  # error: arg-type
    skvus.ParetoROCSearch(np.eye(2))  # error: arg-type
    ROCFrontDisplay(front, kind="bars").plot()  # error: arg-type
