"""Who takes part: what is installed of the peers, and what each is asked for."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

# name on PyPI -> (module, what it takes part in)
PEERS = {
    "scikit-learn": ("sklearn", "areas of pairs and of one class against the rest"),
    "imbalanced-learn": ("imblearn", "scores of labels"),
    "pycm": ("pycm", "scores of labels"),
    "permetrics": ("permetrics", "scores of labels, areas of one class against the rest"),
    "skordinal": ("skordinal", "scores of labels in order"),
    "pauc": ("pauc", "Hand and Till's M, DeLong's test"),
    "rocauc-comparison": ("rocauc_comparison", "DeLong's test"),
    "MLstatkit": ("MLstatkit", "DeLong's test"),
    "pyroc": ("pyroc", "DeLong's test"),
    "confidenceinterval": ("confidenceinterval", "bootstrap"),
    "moocore": ("moocore", "filters of fronts, volumes"),
    "pymoo": ("pymoo", "filters of fronts, volumes, NSGA-II, NSGA-III"),
    "pygmo": ("pygmo", "filters of fronts, volumes, NSGA-II"),
    "paretoset": ("paretoset", "filters of fronts"),
    "oapackage": ("oapackage", "filters of fronts"),
    "deap": ("deap", "archives, NSGA-II"),
    "Platypus-Opt": ("platypus", "archives, NSGA-II"),
    "jmetalpy": ("jmetal", "archives, volumes"),
    "optuna": ("optuna", "NSGA-II"),
    "pandas": ("pandas", "tables of text"),
}
LIBRARIES = ("numpy", "scipy", "scikit-learn", "joblib", "numba", "pandas", "matplotlib")
# what was looked at and does not take part, and why
LEFT_OUT = {
    "pyhum": "does not build: its setup script wants numpy before pip can provide it",
    "hum": "makes sounds, and shares no more than its name with the hypervolume under the "
    "manifold",
    "vus": "volumes of scores of anomalies in time series; needs TensorFlow",
    "torchmetrics, dlordinal": "need PyTorch, whose wheel is larger than all others together; "
    "the former's areas are those of scikit-learn",
    "costcla": "installs, but imports a module that scikit-learn has not had for years",
    "lifelines, scikit-survival": "concordance of two columns, not of classes; the former pins "
    "an older pandas",
    "hmeasure, roc-utils": "two classes only, and another measure or a bootstrap of curves",
    "moarchiving": "archives of up to four objectives; three classes have six",
    "optimal-classification-cutoffs": "a threshold for each class, no trade-off surface",
    "mapie, scikit-posthocs": "conformal sets, and tests of many classifiers over many data "
    "sets: other questions",
}


def peer(name):
    """The module of a peer, or None if it is not installed or cannot be imported."""
    try:
        return import_module(PEERS[name][0])
    except Exception:  # whatever an installation that is broken raises
        return None


def version_of(name):
    """Version of a package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def missing():
    """Peers that do not take part since they are not there."""
    return [name for name in PEERS if peer(name) is None]


def those_there(functions):
    """Without the entries of peers that are not installed; keys are their names on PyPI.

    What a key has after a comma is for the reader: "pymoo, NSGA-II".
    """
    return {
        name: function
        for name, function in functions.items()
        if name.split(",")[0] not in PEERS or peer(name.split(",")[0]) is not None
    }
