"""What pictures of a front ask, before any work is done."""

from sklearn.utils.validation import check_is_fitted

from skvus._labels import label_vector
from skvus._validation import check_option, check_sample_weight, shorten
from skvus.front._checks import check_alpha, check_drawing
from skvus.front._geometry import check_front, check_sampling
from skvus.front._rules import as_rule
from skvus.plotting._checks import check_classifier, check_fitted, check_name, check_others
from skvus.plotting._style import check_given_axes
from skvus.search import ParetoROCSearch

KINDS = ("auto", "miss_rates", "parallel", "pairs", "distance", "compare")
DEFAULT_NAME = "this front"
_SEVERAL = ("distance", "compare")
_DRAWING = {
    "n_costs": 10_000,
    "cost_alpha": 1.0,
    "family": "costs",
    "objectives": "rates",
    "random_state": None,
}


def check_kind(kind, others):
    """Raise for a kind that there is not, or that has no place for other fronts."""
    check_option("kind", kind, KINDS)
    if others and kind not in ("auto", *_SEVERAL):
        raise ValueError(
            f"kind={kind!r} shows one front; others must be None, or kind 'distance' or "
            f"'compare'; got {len(others)} other front{'' if len(others) == 1 else 's'}."
        )
    if kind == "compare" and not others:
        raise ValueError(
            "kind='compare' needs fronts to compare with: others must be a dict of names and "
            f"fronts; got {others!r}."
        )


def check_request(*, kind, name, chosen, others):
    """Raise for options that are wrong whatever the front."""
    check_name(name)
    check_others(others, name or DEFAULT_NAME, "fronts")
    check_kind(kind, others)
    if chosen is not None:
        as_rule(chosen, "chosen")
    for key, other in (others or {}).items():
        check_front(other, f"others[{shorten(key)}]")


def check_picture(classes, *, kind, others, ax=None):
    """Raise unless these classes can be shown so, there; return the kind that "auto" is."""
    labels = classes.tolist()
    for key, other in (others or {}).items():
        if other.classes.tolist() != labels:
            raise ValueError(
                f"others[{shorten(key)}] must have the classes {shorten(labels)} in this "
                f"order; got {shorten(other.classes.tolist())}."
            )
    n_classes = len(labels)
    if kind == "auto":
        kind = "miss_rates" if n_classes <= 3 else "parallel"
        kind = "compare" if others else kind
    if kind == "miss_rates" and n_classes > 3:
        raise ValueError(
            "kind='miss_rates' is for two or three classes, whose miss rates fit into a plane "
            f"or a space; got {n_classes} classes. Use kind='parallel' or kind='pairs'."
        )
    is_deep = kind == "miss_rates" and n_classes == 3
    is_divided = kind in ("pairs", "compare")
    if ax is not None:  # the numbers of a picture need no matplotlib
        check_given_axes(ax, projection="3d" if is_deep else None, is_divided=is_divided)
    return kind


def check_measuring(method, n_samples, random_state):
    """Raise for options of volumes that are wrong; the source of samples is not drawn from."""
    check_drawing(random_state=random_state)
    check_sampling(method, n_samples, 0)


def check_labelled(estimator, y, sample_weight, options):
    """Return the classes of a classifier that there are labels for: before it predicts."""
    check_classifier(estimator)
    if y is None:
        raise ValueError("y must hold the true labels of X; got None.")
    check_drawing(**options)
    classes = check_fitted(estimator, y)
    check_sample_weight(sample_weight, len(label_vector("y", y)))
    check_alpha(options["cost_alpha"], classes, options["family"])
    return classes


def check_search(estimator, options):
    """Return the front of a fitted search; raise for others, and for options for data."""
    if not isinstance(estimator, ParetoROCSearch):
        raise ValueError(
            "X must be given, with y: cases that the classifier was not trained on. Only a "
            f"ParetoROCSearch has a front of its own; got {shorten(estimator)}."
        )
    check_is_fitted(estimator, "front_")
    for name, value in options.items():
        default = _DRAWING.get(name)
        if type(value) is not type(default) or value != default:
            raise ValueError(
                f"{name} is for X and y; without X the front of the search is drawn as it is; "
                f"got {name}={shorten(value)}."
            )
    return estimator.front_
