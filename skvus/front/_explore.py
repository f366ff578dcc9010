"""A front as a page that people open in a browser."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from skvus._costs import check_class_costs, check_class_priors
from skvus._files import file_path, new_file
from skvus._page import encoded, render_page
from skvus._rates import rates_to_points
from skvus._typing import FilePath
from skvus._validation import one_line, shorten
from skvus.front._display import number_better
from skvus.front._priorities import WithinLimits, limited_pair
from skvus.front._rules import LeastCost, RuleLike, as_rule

# More classes have more fields than anybody fills in; more numbers than this, about 300 MB of
# text, are more than browsers take.
MOST_CLASSES = 30
MOST_NUMBERS = 3 * 10**7
_WHOLE = 2**31
_MOST_EXACT = 2**53
_MOST_SIZES = 8


class FrontExplorer:
    """The page of a front; a part of `ROCFront`."""

    def explore(
        self, path: FilePath, *, rule: RuleLike = "distance", title: str | None = None
    ) -> Path:
        """Write a page to explore the front in a browser: one file, which needs no network.

        Parameters
        ----------
        path : str or path-like
            The HTML file to write. An existing file is replaced, when the new one is complete.
        rule : rule, default="distance"
            What is chosen at first, as for `select`. Limits and costs are filled in; what other
            rules choose is shown as picked by hand.
        title : str, default=None
            Heading of the page.

        Returns
        -------
        path : pathlib.Path
            The file.

        Notes
        -----
        The page has all members with their rates in parallel coordinates and the miss rates of
        three classes in space, takes limits and costs, shows what is chosen by them beside what
        equal costs choose, and gives the Python code that makes the same choice. It chooses as
        `select` does, from the same numbers in double precision.

        The file has 11 to 37 bytes for each rate of a mistake: 10,000 members of three classes
        with whole counts and costs take 2 MB, and open in less than a second. Up to 30 classes,
        and 30 million rates, costs and counts.

        The Gini coefficient is computed for it, see `gini` for what that takes.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     front.explore(Path(folder) / "front.html").name
        'front.html'
        """
        return write_page(self, path, rule=rule, title=title)


def write_page(front, path, *, rule, title, notes=(), maker="front", gini=None):
    """Write the page of a front; `gini` is what is known of G and its standard error."""
    path = Path(file_path(path))
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be text or None; got {shorten(title)}.")
    _check_size(front)
    title = title or f"Trade-offs of {front.n_classes} classes"
    index = front.select(rule)
    data = {
        "title": title,
        "maker": maker,
        "notes": [[str(term), str(text)] for term, text in notes],
        "start": {"index": index, **_start(front, as_rule(rule))},
        "summary": _summary(front, gini or front.gini(random_state=0, return_std=True)),
        **_members(front),
    }
    text = render_page(data, title=title, version=_version())
    with new_file(path) as file:
        # halves of characters, which titles may have, become what browsers show for them
        file.write(text.encode("utf-8", "xmlcharrefreplace"))
    return path


def _version():
    try:
        return version("skvus")
    except PackageNotFoundError:  # run from a checkout
        return ""


def _check_size(front):
    if front.n_classes > MOST_CLASSES:
        raise ValueError(
            f"The page is for at most {MOST_CLASSES} classes; got {front.n_classes}. "
            "front.to_frame() has all numbers."
        )
    n_arrays = 1 + (front.counts is not None) + (front.costs is not None)
    n_numbers = n_arrays * front.rates.size
    if n_numbers > MOST_NUMBERS:
        raise ValueError(
            f"The page is for at most {MOST_NUMBERS:,} rates, costs and counts; got "
            f"{n_numbers:,}. Give it some members, as front[::10].explore(path), or search "
            "with max_front_size."
        )


def _members(front):
    """All that the page knows of the members."""
    labels, counts = _plain_labels(front.classes), front.counts
    is_whole = counts is not None and bool((counts < _WHOLE).all() and (counts % 1 == 0).all())
    equal = 1.0 - np.eye(front.n_classes)
    shared = _shared_params(front.params)
    return {
        "names": [str(x) if str(x).strip() else repr(x) for x in labels],
        "codes": [repr(label) for label in labels],
        "labels": [_json_label(label) for label in labels],
        "priors": front.priors.tolist(),
        "equal": front.select(LeastCost(equal)),
        "points": encoded(rates_to_points(front.rates), "<f8"),
        "costs": None if front.costs is None else encoded(rates_to_points(front.costs), "<f8"),
        "whole": is_whole,
        "counts": None if counts is None else encoded(counts, "<i4" if is_whole else "<f8"),
        "params": shared and shared[0],
        "paramsOf": shared and shared[1],
    }


def _plain_labels(classes):
    """Labels as Python has them, which `repr` writes without numpy."""
    return [float(x) if isinstance(x, np.floating) else x for x in classes.tolist()]


def _json_label(label):
    """A label as JSON has it; as text what JavaScript would change."""
    is_safe = not isinstance(label, int) or abs(label) <= _MOST_EXACT
    return label if isinstance(label, (bool, int, float, str)) and is_safe else str(label)


def _shared_params(params):
    """Different parameters as text, and for each member which of them it has."""
    if params is None:
        return None
    texts = {id(member): params_text(member) for member in params}
    numbers = {text: i for i, text in enumerate(dict.fromkeys(texts.values()))}
    return list(numbers), [numbers[texts[id(member)]] for member in params]


def params_text(params):
    """Parameters of a member, on one line."""
    return ", ".join(f"{name}={one_line(value)}" for name, value in params.items())


def _summary(front, gini):
    value, std = gini
    better = number_better(front)
    # of many classes, volumes may be less than the least number
    error = "too small for a number" if better and not value else "exact"
    if std:
        error = f"± {std:.2g}"
    sizes = ""
    if front.class_sizes is not None:
        shown = [f"{size:,.6g}" for size in front.class_sizes[:_MOST_SIZES]]
        shown += ["..."] * (front.n_classes > _MOST_SIZES)
        sizes = f" ({', '.join(shown)} cases)"
    points = "operating point" if len(front) == 1 else "operating points"
    return (
        f"{len(front):,} {points} of {front.n_classes} classes{sizes}, {better:,} better than "
        f"random. Generalised Gini coefficient G = {value:.4g} ({error}): the share of all "
        "that is better than random which they dominate."
    )


def _start(front, rule):
    """Limits, costs and the way to choose that the page starts with."""
    start = {
        "mode": "hand",
        "limits": {},
        "costs": (1.0 - np.eye(front.n_classes)).tolist(),
        "priors": front.priors.tolist(),
    }
    if isinstance(rule, WithinLimits) and rule.confidence is None:
        inner = _start(front, rule.then)
        if inner["mode"] != "hand" and not inner["limits"]:
            limits: dict = {}
            for key, limit in rule.limits.items():
                name = _column_name(front, key)
                limits[name] = min(limit, limits.get(name, limit))
            return {**inner, "limits": limits}
    if isinstance(rule, LeastCost):
        start["mode"] = "costs"
        start["costs"] = check_class_costs(rule.cost_matrix, front.classes).tolist()
        if rule.priors is not None:
            start["priors"] = check_class_priors(rule.priors, front.classes).tolist()
    elif isinstance(rule, str) and rule == "distance":
        start["mode"] = "distance"
    return start


def _column_name(front, key):
    """How the page calls a rate; of two classes a miss rate is the only rate of its row."""
    row, column = limited_pair(front, key)
    if column is None and front.n_classes == 2:
        column = 1 - row
    return f"{row}" if column is None else f"{row},{column}"
