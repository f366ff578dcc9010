"""Displays: fronts, surfaces, posteriors and searches as pictures."""

from skvus.plotting._convergence_display import ScoreConvergenceDisplay

__all__ = ["ScoreConvergenceDisplay"]
