"""Which scores apply to predictions, what chance scores, and the scores with their errors."""

import inspect
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import confusion_matrix

from skvus._cli._messages import CommandError
from skvus._cli._predictions import split_names
from skvus._validation import did_you_mean
from skvus.metrics import (
    get_scorer_names,
    ordered_vus_bounds,
    polytope_vus,
    polytope_vus_bounds,
    score_inference,
    simplified_vus_bounds,
)
from skvus.metrics._scorers import SCORERS

# Beyond so many cases scores that draw tuples draw so many: a second each, with an error that
# is smaller than that of having these cases and no others.
_LARGE, _TUPLES = 100_000, 2_000_000
# Beyond so many classes the volume under the ROC surface of decisions is sampled.
_CLOSED = 8
# Beyond so many cases a bootstrap of cells is quicker than leaving them out.
_MANY = 10**6
_RESAMPLES = {"soft_polytope_vus": 200}
# An evaluation takes up to a second.
SLOW = ("soft_polytope_vus",)
_EXACT_SUMS = ("angle_vus", "ordered_vus", "ordinal_vus")


@dataclass(frozen=True)
class Score:
    """A score as it is printed; what is not known is None."""

    name: str
    value: float
    chance: float | None
    maximum: float
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    method: str | None = None
    is_exact: bool = True
    is_lower_bound: bool = False
    sampling_error: float | None = None
    n_tuples: int | None = None


def asked_scores(text):
    """Names of scores from an option; None for all."""
    if text is None or text == "all":
        return None
    names, known = split_names(text), get_scorer_names()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            if name == "expected_cost":
                hint = " skvus score --cost adds it."
            raise CommandError(
                f"--score: there is no score {name!r}.{hint} Scores are "
                f"{', '.join(known)}. (--scores names columns.)"
            )
    return list(dict.fromkeys(names))


def why_not(name, predictions):
    """Why a score does not apply to predictions, or None."""
    _, kind, _ = SCORERS[name]
    scores = predictions.scores
    if kind == "predict":
        is_one = scores is None or scores.ndim == 2 or predictions.classes.size == 2
        return None if predictions.pred is not None or is_one else "takes predicted labels"
    if scores is None:
        return "takes scores, not labels"
    if scores.ndim == 1 and predictions.classes.size > 2:
        return None if name == "ordinal_vus" else "takes a score for each class"
    if name == "ordinal_vus" and not predictions.has_order:
        return "takes classes that have an order; name them in it with --labels"
    is_expectation = name == "ordinal_vus" and scores.ndim == 2
    if predictions.is_raw and scores.ndim == 2 and (kind == "predict_proba" or is_expectation):
        return "takes probabilities"
    if predictions.off_sums and name in _EXACT_SUMS:
        return f"takes rows that sum to 1, but {predictions.off_sums}; see --normalize"
    return None


def input_of(name, predictions):
    """What a score takes of predictions."""
    _, kind, _ = SCORERS[name]
    if kind == "predict":
        return predictions.decisions()
    if kind == "rank" and predictions.scores.ndim == 2:
        # the expected rank; ties between coarse probabilities survive the rounding
        return np.round(
            predictions.scores @ np.arange(predictions.classes.size, dtype=float), 10
        )
    return predictions.scores


def chance_of(name, n_classes):
    """What a classifier scores that knows nothing; None if that depends."""
    function, kind, fixed = SCORERS[name]
    if name in ("polytope_vus", "soft_polytope_vus"):
        low, high = polytope_vus_bounds(n_classes)
        return low / high if high > 0.0 else None  # of very many classes
    if name in ("ordered_vus", "ordinal_vus"):
        return ordered_vus_bounds(n_classes)[0]
    if name == "simplified_vus":
        return simplified_vus_bounds(n_classes)[0]
    if name == "angle_vus":
        return None
    codes = np.arange(n_classes)
    if kind == "predict":  # all classes are called equally often, whatever is true
        return float(function(np.repeat(codes, n_classes), np.tile(codes, n_classes), **fixed))
    return float(function(codes, np.full((n_classes, n_classes), 1.0 / n_classes), **fixed))


def score_once(name, predictions, args):
    """A score without its standard error."""
    function, _, fixed = SCORERS[name]
    known = inspect.signature(function).parameters
    options = {**fixed, **_drawing(name, predictions, args)}
    if "random_state" in known:
        options["random_state"] = args.seed
    if "n_jobs" in known:
        options["n_jobs"] = args.jobs
    if "return_details" in known:
        options["return_details"] = True
    result = function(
        predictions.y_true,
        input_of(name, predictions),
        labels=predictions.classes,
        sample_weight=predictions.weight,
        **options,
    )
    error = getattr(result, "standard_error", 0.0)
    if name == "polytope_vus" and predictions.classes.size > _CLOSED and not np.isnan(result):
        error = _volume_error(predictions, args.seed)
    return Score(
        name=name,
        value=float(result),
        chance=chance_of(name, predictions.classes.size),
        maximum=1.0,
        is_exact=getattr(result, "is_exact", error == 0.0),
        is_lower_bound=getattr(result, "is_lower_bound", False),
        sampling_error=None if np.isnan(error) else float(error),
        n_tuples=getattr(result, "n_tuples", None),
    )


def _volume_error(predictions, seed):
    """Error of the sampled volume under the ROC surface of the decisions."""
    rates = confusion_matrix(
        predictions.y_true,
        predictions.decisions(),
        labels=predictions.classes,
        sample_weight=predictions.weight,
        normalize="true",
    )
    return polytope_vus(rates, normalize="max", random_state=seed, return_std=True)[1]


def score_with_error(name, predictions, args, verbose):
    """A score with its standard error and interval."""
    result = score_inference(
        predictions.y_true,
        input_of(name, predictions),
        score=name,
        labels=predictions.classes,
        sample_weight=predictions.weight,
        **inference_options(name, predictions, args, verbose),
    )
    low, high = result.confidence_interval(args.level)
    return Score(
        name=name,
        value=result.score,
        chance=chance_of(name, predictions.classes.size),
        maximum=1.0,
        standard_error=result.standard_error,
        low=low,
        high=high,
        method=result.method,
        is_exact=result.is_exact,
        is_lower_bound=name in SLOW and not result.is_exact,
        sampling_error=result.sampling_error,
        n_tuples=result.n_tuples or None,
    )


def inference_options(name, predictions, args, verbose):
    """How the error of a score is found: in closed form where there is one."""
    method = "auto"
    if SCORERS[name][1] == "predict" and predictions.weight is None:
        # equal cases are left out once, so that it takes as many evaluations as there are cells
        is_many = predictions.y_true.size >= _MANY
        method = "auto" if is_many or args.resamples else "jackknife"
    return {
        "method": method,
        "n_resamples": args.resamples or _RESAMPLES.get(name, 2000),
        "score_params": _drawing(name, predictions, args) or None,
        "random_state": args.seed,
        "n_jobs": args.jobs,
        "verbose": verbose,
    }


def _drawing(name, predictions, args):
    """How many tuples to draw, where the score can be told."""
    function, _, _ = SCORERS[name]
    if "n_tuples" not in inspect.signature(function).parameters:
        return {}
    if args.tuples:
        return {"n_tuples": args.tuples}
    return {"n_tuples": _TUPLES} if predictions.y_true.size > _LARGE else {}
