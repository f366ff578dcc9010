"""Draw the picture of the guide to the three volumes: ``python docs/make_volumes.py``."""

import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

DOCS = Path(__file__).parent
mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "skvus"
figure = runpy.run_path(str(DOCS.parent / "examples/plot_three_volumes.py"))["figure"]
figure.savefig(DOCS / "_static/three_volumes.svg", metadata={"Date": None})
plt.close("all")
