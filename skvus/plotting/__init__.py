"""Displays: fronts, surfaces, posteriors and searches as pictures."""

from skvus.plotting._convergence_display import ScoreConvergenceDisplay
from skvus.plotting._front_display import ROCFrontDisplay
from skvus.plotting._simplex import ProbabilitySimplexDisplay
from skvus.plotting._vus_surface import VUSSurfaceDisplay

__all__ = [
    "ProbabilitySimplexDisplay",
    "ROCFrontDisplay",
    "ScoreConvergenceDisplay",
    "VUSSurfaceDisplay",
]
