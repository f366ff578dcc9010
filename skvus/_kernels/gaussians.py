"""Probability that independent normal variables come in a given order."""

import numpy as np
from numpy.polynomial import legendre

# A normal variable leaves this many standard deviations with probability 2e-19.
_REACH = 9.0


def ordering_probability(means, scales):
    """P(X_0 < ... < X_{C-1}) of independent normal variables."""
    centres, scales = _compressed(means, scales), scales / scales.max()
    steps = np.arange(-_REACH, _REACH + 1.0)
    # All that varies on a panel has a standard deviation of at least the panel's width.
    edges = np.unique(centres[:, np.newaxis] + np.outer(scales, steps))
    nodes, weights, partial = _gauss_legendre(16)
    halves = 0.5 * np.diff(edges)[:, np.newaxis]
    t = edges[:-1, np.newaxis] + halves * (1.0 + nodes)
    below = np.ones_like(t)
    for centre, scale in zip(centres, scales, strict=True):
        z = (t - centre) / scale
        density = np.exp(-0.5 * z**2) / (scale * np.sqrt(2.0 * np.pi))
        integrand = halves * density * below
        panels = integrand @ weights
        below = integrand @ partial.T + (np.cumsum(panels) - panels)[:, np.newaxis]
    return min(max(float(panels.sum()), 0.0), 1.0)


def _compressed(means, scales):
    """Means in units of the largest scale, without gaps in which nothing happens.

    Neighbours that are two reaches apart might as well be further apart.
    """
    order = np.argsort(means)
    with np.errstate(over="ignore"):
        gaps = np.minimum(np.diff(means[order]) / scales.max(), 2.0 * _REACH)
    centres = np.zeros(means.size)
    centres[order[1:]] = np.cumsum(gaps)
    return centres


def _gauss_legendre(n):
    """Nodes, weights of the integral from -1 to 1, and of those from -1 to each node."""
    nodes, weights = legendre.leggauss(n)
    values = legendre.legvander(nodes, n)
    degree = np.arange(n)
    # (2k + 1) P_k is the derivative of P_{k+1} - P_{k-1}
    integrals = np.column_stack(
        [nodes + 1.0, (values[:, 2:] - values[:, :-2]) / (2 * degree[1:] + 1)]
    )
    coefficients = (degree + 0.5)[:, np.newaxis] * values[:, :n].T * weights
    return nodes, weights, integrals @ coefficients
