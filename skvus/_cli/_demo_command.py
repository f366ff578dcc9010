"""``skvus demo``: scores, a comparison and a search on data that scikit-learn ships."""

import os
import tempfile
from contextlib import suppress

import skvus
from skvus._cli._messages import CommandError
from skvus._cli._options import add_command
from skvus._cli._output import Table, plain, show

NAME = "skvus-demo.html"
_TITLE = "skvus demo: trade-offs between three cultivars of wine"
_MOST_FILES = 100
EXAMPLES = ("skvus demo", "skvus demo --html wine.html")


def add_to(commands):
    """Add the command to a parser."""
    parser = add_command(
        commands,
        "demo",
        run,
        summary="see it at work on data that scikit-learn ships",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "--html", metavar="FILE", help=f"page of its search (default {NAME} in this folder)"
    )


def run(args):
    """Show all of it; return the exit status."""
    if args.html is not None:
        folder = os.path.dirname(os.path.realpath(args.html))
        if os.path.isdir(args.html) or not os.path.isdir(folder):
            raise CommandError(
                f"--html must be a file in a folder that exists; got {args.html}."
            )
    X, y, classifiers = _problem()
    print(_scores(X, y, classifiers), flush=True)
    search = _search(X, y, classifiers["logistic regression"])
    print(_surface(search), flush=True)
    path = _write_page(search, args.html)
    if path is not None:
        show("", "Explore that surface in a browser:", os.path.abspath(path))
    return 0


def _problem():
    """The data, and three classifiers."""
    from sklearn.datasets import load_wine
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    # Three of the thirteen measurements, so that the classifiers have something to miss.
    X, y = load_wine(return_X_y=True)
    X = X[:, [1, 2, 7]]
    classifiers = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "decision tree": DecisionTreeClassifier(max_depth=3, random_state=0),
        "random forest": RandomForestClassifier(n_estimators=50, random_state=0),
    }
    return X, y, classifiers


def _scores(X, y, classifiers):
    """Three classifiers by every available score."""
    from sklearn.model_selection import cross_val_predict, cross_validate

    scoring = {name: skvus.get_scorer(name) for name in skvus.get_scorer_names()}
    costs = [[0, 1, 5], [1, 0, 1], [5, 1, 0]]
    scoring["minus expected cost"] = skvus.make_cost_scorer(costs)
    results = {
        name: cross_validate(classifier, X, y, scoring=scoring)
        for name, classifier in classifiers.items()
    }
    proba = {
        name.split()[-1]: cross_val_predict(classifier, X, y, method="predict_proba")
        for name, classifier in classifiers.items()
    }
    rows = []
    for score in scoring:
        means = [results[name][f"test_{score}"].mean() for name in classifiers]
        stars = ["*" if mean == max(means) else " " for mean in means]
        cells = [f"{mean:.4f}{star}" for mean, star in zip(means, stars, strict=True)]
        rows.append([score, *cells])
    head = ["score (mean of 5 folds)", *(f"{name}" for name in classifiers)]
    return "\n".join(
        [
            f"Three cultivars of wine, {len(y)} bottles, 3 measurements; * marks the best.",
            "",
            plain(Table("", head, rows)),
            "",
            "polytope_vus is the volume under the ROC surface of the predictions, as a share",
            "of its maximum; soft_polytope_vus that of all weightings of the probabilities.",
            "ordered_vus and simplified_vus are shares of triples in the right order, 1/6 by",
            "chance; ordinal_vus takes the cultivars for an ordered scale.",
            "To confuse the outer cultivars costs 5, other mistakes cost 1.",
            "",
            "Is the difference more than chance? On the same bottles, predicted out of fold:",
            "",
            repr(skvus.compare_many(y, proba, score="simplified_vus")),
            "",
        ]
    )


def _search(X, y, classifier):
    """The trade-off surface of one classifier, and a choice from it."""
    rule = skvus.WithinLimits({2: 0.1})
    return skvus.ParetoROCSearch(classifier, operating_point=rule, random_state=0).fit(X, y)


def _surface(search):
    front = search.front_
    chosen = front[search.best_index_].counts
    rows = [
        [f"cultivar {label}", *(str(count) for count in row)]
        for label, row in zip(front.classes, chosen, strict=True)
    ]
    head = ["", *(f"called {label}" for label in front.classes)]
    return "\n".join(
        [
            "The trade-off surface of the logistic regression, all kinds of mistakes, found by",
            f"ParetoROCSearch among {search.n_evaluations_:,} operating points, out of fold:",
            "",
            repr(front),
            "",
            f"It dominates {search.gini_:.4f} of what is better than random.",
            "Missing at most 10% of cultivar 2, and otherwise as far from random as can be, is",
            f"operating point {search.best_index_:,}:",
            "",
            plain(Table("", head, rows)),
            "",
            "search.predict decides so, with these costs of mistakes:",
            "",
            str(search.cost_matrix_.round(3)),
        ]
    )


def _write_page(search, path):
    """Write the page where it was asked for, or where it can be; None if nowhere."""
    if path is not None:
        return str(search.report(path, title=_TITLE))
    with suppress(OSError):
        name = _free_name()
        search.report(name, title=_TITLE)
        return name
    with suppress(OSError):  # a folder that is read-only
        folder = tempfile.mkdtemp(prefix="skvus-")
        return str(search.report(os.path.join(folder, NAME), title=_TITLE))
    return None


def _free_name():
    """A name in this folder that no file has, but for a page that the demo has written."""
    stem, extension = os.path.splitext(NAME)
    for number in range(1, _MOST_FILES):
        name = NAME if number == 1 else f"{stem}-{number}{extension}"
        if not os.path.lexists(name) or _is_ours(name):
            return name
    raise OSError("all names are taken.")


def _is_ours(name):
    """Whether a file is a page that the demo wrote before."""
    if os.path.islink(name) or not os.path.isfile(name):
        return False
    with open(name, "rb") as file:
        return f"<title>{_TITLE}</title>".encode() in file.read(2000)
