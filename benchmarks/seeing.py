"""Tables on the command line, pictures and pages: large ones, beside what else there is."""

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import skvus
from benchmarks.timing import seconds, show, table
from skvus import datasets, plotting

N_ROWS = 1_000_000
PEER = """
import sys
import pandas as pd
from sklearn.metrics import roc_auc_score
frame = pd.read_csv(sys.argv[1])
print(roc_auc_score(frame.pop("y"), frame, multi_class="ovo"))
"""
COMMANDS = {
    "one score": ["score", "--score", "hand_till"],
    "all scores": ["score"],
    "front, 1,000 costs": ["front", "--n-costs", "1000"],
}


def write_table(path, n_rows):
    """Predictions of three classes."""
    proba, y = datasets.make_softmax_gaussians(n_rows, random_state=0)
    frame = pd.DataFrame(proba, columns=["p_0", "p_1", "p_2"]).round(6)
    frame.insert(0, "y", y)
    frame.to_csv(path, index=False)


def process_seconds(*arguments):
    """Time of a process of its own."""
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return perf_counter() - start


def command_line(folder):
    """Processes from their start to their end, the file being in the memory of the system."""
    path = str(Path(folder, "predictions.csv"))
    write_table(path, N_ROWS)
    theirs = min(process_seconds("-c", PEER, path) for _ in range(2))
    rows = [["pandas and roc_auc_score, one-versus-one", show(theirs), ""]]
    for name, command in COMMANDS.items():
        arguments = ["-m", "skvus", command[0], path, *command[1:]]
        ours = min(process_seconds(*arguments) for _ in range(2))
        rows.append([f"skvus: {name}", show(ours), f"{theirs / ours:.2f}"])
    head = ["process", "time", "pandas and scikit-learn / this"]
    table(f"Command line: CSV of {N_ROWS:,} rows, three classes", head, rows)


def front_of(n_classes, n_members):
    """A front with so many members, or nearly."""
    proba, y = datasets.make_softmax_gaussians(600, n_classes, random_state=0)
    front = skvus.ROCFront.from_predictions(y, proba, n_costs=4 * n_members, random_state=0)
    return front[:n_members]


def drawn(make):
    """Make a display, draw it as an image, and close it."""
    figure = make().figure_
    figure.canvas.draw()
    plt.close(figure)


def plain_lines(points):
    """Parallel coordinates as one would write them, a line for each member."""
    figure, ax = plt.subplots()
    ax.plot(points.T, color="C0", alpha=0.05)
    figure.canvas.draw()
    plt.close(figure)


def pictures(front, title):
    """Time to make and draw each kind, and a plain plot of the same numbers."""
    points = front.rates[:, ~np.eye(front.n_classes, dtype=bool)]
    kinds = ["parallel", "pairs", "distance"] + ["miss_rates"] * (front.n_classes == 3)
    plain = seconds(lambda: plain_lines(points), repeats=2)
    rows = [["matplotlib, a line for each member", show(plain), ""]]
    for kind in kinds:
        spent = seconds(
            lambda kind=kind: drawn(plotting.ROCFrontDisplay(front, kind=kind).plot), repeats=2
        )
        ratio = f"{plain / spent:.1f}" if kind == "parallel" else ""  # the same picture
        rows.append([f"ROCFrontDisplay, {kind}", show(spent), ratio])
    table(title, ["picture", "time", "matplotlib / this"], rows)


def pages(fronts, folder):
    """Time to write a page, its size, and that of the members as a table of text."""
    rows = []
    path = Path(folder, "page.html")
    for front in fronts:
        gini = seconds(lambda front=front: front.gini(random_state=0), repeats=1)
        spent = seconds(lambda front=front: front.explore(path), repeats=2)
        text = len(front.to_frame().to_csv(index=False))
        cells = [f"{len(front):,}", str(front.n_classes), show(spent), show(gini)]
        rows.append([*cells, f"{path.stat().st_size / 1e6:.1f} MB", f"{text / 1e6:.1f} MB"])
    head = ["members", "classes", "explore", "of which G", "page", "as CSV"]
    table("Pages to explore", head, rows)


def run():
    """Print all tables."""
    mpl.use("Agg")
    fronts = [front_of(3, 10_000), front_of(6, 10_000)]
    for front in fronts:
        size = f"{len(front):,} members, {front.n_classes} classes"
        pictures(front, f"Pictures: {size}")
    with tempfile.TemporaryDirectory() as folder:
        pages(fronts, folder)
        command_line(folder)
