"""scikit-learn's DecisionBoundaryDisplay draws our classifiers."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.naive_bayes import GaussianNB

import skvus

RARE = 20.0  # what a miss of the last class costs, beside 1 for other mistakes


def make_classifier(kind, X, y, costs):
    if kind == "cost matrix":
        return skvus.CostMatrixClassifier(GaussianNB(), costs).fit(X, y)
    if kind == "search":
        search = skvus.ParetoROCSearch(GaussianNB(), n_generations=3, random_state=0)
        return search.set_params(operating_point=skvus.LeastCost(costs)).fit(X, y)
    return skvus.ProbabilisticKNeighborsClassifier(5).fit(X, y)


@pytest.fixture
def axes():
    plt = pytest.importorskip("matplotlib.pyplot")
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("kind", ["cost matrix", "search", "k-nn"])
def test_regions_are_what_is_predicted(kind, n_classes, axes):
    X, code = make_blobs(120, centers=n_classes, cluster_std=4.0, random_state=1)
    y = np.array(["a", "b", "c", "d"])[code]
    costs = 1.0 - np.eye(n_classes)
    costs[-1] *= RARE
    classifier = make_classifier(kind, X, y, costs)
    display = DecisionBoundaryDisplay.from_estimator(
        classifier, X, response_method="predict", grid_resolution=30, ax=axes
    )
    grid = np.column_stack([display.xx0.ravel(), display.xx1.ravel()])
    labels = classifier.predict(grid)
    shown = np.unique(y)[np.rint(display.response).astype(int).ravel()]
    assert display.response.shape == (30, 30)
    assert (shown == labels).all()
    most_probable = classifier.classes_[classifier.predict_proba(grid).argmax(axis=1)]
    # costs are in what is drawn, as they are in what is predicted
    assert (shown == most_probable).all() == (kind == "k-nn")
