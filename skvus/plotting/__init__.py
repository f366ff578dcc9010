"""Displays: fronts, surfaces, posteriors and searches as pictures."""

__all__ = []
