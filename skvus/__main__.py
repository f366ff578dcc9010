"""Command line: ``python -m skvus``."""

import argparse
import sys

import skvus


def main(argv=None):
    """Run a command and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m skvus", description="Multi-class ROC analysis for scikit-learn."
    )
    parser.add_argument("--version", action="version", version=f"skvus {skvus.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("demo", help="see it at work on data that scikit-learn ships")
    parser.parse_args(argv)
    print(demo())
    return 0


def demo():
    """Score three classifiers on the wine data with every available score."""
    from sklearn.datasets import load_wine
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict, cross_validate
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
    rows = [["score (mean of 5 folds)", *(f"{name} " for name in classifiers)]]
    for score in scoring:
        means = [results[name][f"test_{score}"].mean() for name in classifiers]
        rows.append(
            [score, *(f"{mean:.4f}{'*' if mean == max(means) else ' '}" for mean in means)]
        )
    return "\n".join(
        [
            f"Three cultivars of wine, {len(y)} bottles, 3 measurements; * marks the best.",
            "",
            _table(rows),
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
            *_surface(X, y, classifiers["logistic regression"]),
        ]
    )


def _surface(X, y, classifier):
    """The trade-off surface of one classifier, and a choice from it."""
    search = skvus.ParetoROCSearch(classifier, random_state=0)
    search.set_params(operating_point=skvus.WithinLimits({2: 0.1})).fit(X, y)
    front = search.front_
    chosen = front[search.best_index_].counts
    rows = [["", *(f"called {label}" for label in front.classes)]]
    for label, row in zip(front.classes, chosen, strict=True):
        rows.append([f"cultivar {label}", *(str(count) for count in row)])
    return [
        "The trade-off surface of the logistic regression, all kinds of mistakes, found by",
        f"ParetoROCSearch among {search.n_evaluations_:,} operating points, out of fold:",
        "",
        repr(front),
        "",
        f"It dominates {search.gini_:.4f} of what is better than random.",
        "Missing at most 10% of cultivar 2, and otherwise as far from random as can be:",
        "",
        _table(rows),
        "",
        "search.predict decides so, with these costs of mistakes:",
        "",
        str(search.cost_matrix_.round(3)),
    ]


def _table(rows):
    """Columns aligned, the head underlined."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


if __name__ == "__main__":
    sys.exit(main())
