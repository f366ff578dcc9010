"""The least class weights that reach given true rates.

Pure functions on arrays. What a class needs rises with the weights of the others, so the
weightings that reach the rates are closed under componentwise minima: there is a least one.
"""

import numpy as np

from skvus._rates import off_diagonal
from skvus.metrics._operating import TIE, cell_centres, finite_range

_MOST_ROUNDS = 10_000


def least_weighting(log_scores, codes, units, target):
    """Least ``phi >= 0`` at which the true rate of each class reaches its target.

    What phi_k needs rises with the other phi, so raising one after the other to what it
    needs never passes the least solution. Classes that chase each other in small steps are
    raised together, see `_together`.

    Returns
    -------
    phi : ndarray of shape (Q,) or None
    blocked : list of int
        If there is no solution, classes that cannot reach their targets even when all other
        classes have no weight at all.
    """
    n_classes = log_scores.shape[1]
    groups = [(log_scores[codes == k], units[codes == k]) for k in range(n_classes)]
    margin = tie_margin(log_scores)
    phi, rise = np.zeros(n_classes), np.zeros(n_classes)
    last_risen: dict[int, int] = {}  # class to round, in the order of the last rises
    for n_round in range(_MOST_ROUNDS):
        for k, (logs, unit) in enumerate(groups):
            rivals = [j for j in range(n_classes) if j != k]
            need = _least_reached(_level(logs, phi, k, rivals), unit, target[k]) + margin
            if need == np.inf:
                return None, [k]
            if need > phi[k] + 0.01 * margin:  # less than that is rounding
                rise[k], phi[k] = need - phi[k], need
                last_risen.pop(k, None)
                last_risen[k] = n_round
        if n_round not in last_risen.values():
            return phi, []
        for chase in _recent(last_risen, n_round):
            raised = _together(groups, phi, rise, chase, target, margin)
            if raised[0] == np.inf:
                return None, sorted(chase)
            phi[chase] = np.maximum(phi[chase], raised)
    raise RuntimeError(
        f"No decision within {_MOST_ROUNDS} rounds whether target, {target.tolist()}, can be "
        "reached. A slightly higher or lower one may be easier to decide."
    )


def _recent(last_risen, n_round):
    """Sets of classes that have risen in the last round, the last two, four and so on."""
    chases = []
    for power in range(n_round.bit_length() + 1):
        chase = [k for k, last in last_risen.items() if last > n_round - 2**power]
        if chase not in chases:
            chases.append(chase)
    return chases


def _together(groups, phi, rise, chase, target, margin):
    """Raise a set of classes by a common amount until one of them has enough.

    At first all are lowered a bit, each by more than those that rose before it, so that all
    of them need more at once. While they do, the least solution is above them: the one that
    is raised least above these values would need more in the solution, too. If there is no
    end to that, because the other classes do not matter, there is no solution.
    """
    low = phi.copy()
    low[chase] -= rise[chase].min() * np.arange(1.0, len(chase) + 1.0) / (len(chase) + 1.0)
    others = [j for j in range(phi.size) if j not in chase]
    shift = np.inf
    for k in chase:
        logs, unit = groups[k]
        inner = _level(logs, low, k, [j for j in chase if j != k]) + margin
        outer = _level(logs, low, k, others) + margin
        enough = np.where(inner <= low[k], outer - low[k], np.inf)
        shift = min(shift, _least_reached(enough, unit, target[k]))
    return low[chase] + max(shift, 0.0)


def tie_margin(log_scores):
    """Difference of logarithms up to which scores count as tied."""
    return TIE * max(1.0, *map(abs, finite_range(log_scores)))


def _level(logs, phi, k, rivals):
    """The phi_k at which class k is level with the best of some rivals, for each case."""
    own = logs[:, k]
    best = (logs[:, rivals] + phi[rivals]).max(axis=1, initial=-np.inf)
    return np.where(own > -np.inf, best, np.inf) - np.where(own > -np.inf, own, 0.0)


def _least_reached(values, units, target):
    """Least value such that the values up to it make up a share of at least `target`."""
    if target == 0.0:
        return -np.inf
    order = np.argsort(values)
    shares = np.cumsum(units[order]) / units.sum()
    return values[order[np.searchsorted(shares, target)]]


def deepest_weighting(log_scores, codes, phi):
    """Log weighting deep inside the region where all that phi gets right stays right."""
    n_classes = phi.size
    margin = 0.5 * tie_margin(log_scores)  # half of it, so that rounding costs no case
    least = np.full((n_classes, n_classes), -np.inf)
    for k in range(n_classes):
        logs = log_scores[codes == k]
        rivals = [j for j in range(n_classes) if j != k]
        right = logs[_level(logs, phi, k, rivals) + margin <= phi[k]]
        least[k] = (right - right[:, [k]]).max(axis=0, initial=-np.inf)
    return cell_centres(least[np.newaxis, off_diagonal(n_classes)], n_classes)[0][0]
