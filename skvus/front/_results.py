"""What a front tells: a member, a mixture of members, a comparison, an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skvus._costs import check_class_costs, check_class_priors, least_cost_codes
from skvus._rates import off_diagonal
from skvus._soft import check_column_names, non_negative_columns
from skvus._typing import ByClass, Costs, Counts, Floats, Ints, Labels, Seed
from skvus._validation import check_generator, check_scores, shorten
from skvus.metrics._equality import same_fields

if TYPE_CHECKING:
    import pandas as pd


class OperatingPoint(NamedTuple):
    """One member of a front.

    Parameters
    ----------
    rates : ndarray of shape (n_classes, n_classes)
        Confusion rates: ``rates[k, j]`` is the share of true class k that is called j.
    counts : ndarray of shape (n_classes, n_classes) or None
        Numbers, or weights, of these cases.
    cost_matrix : ndarray of shape (n_classes, n_classes) or None
        The costs that lead to these decisions.
    params : dict or None
        What else tells the member from others.

    See Also
    --------
    ROCFront : Its items are of this type.

    Notes
    -----
    Two of them are equal if all fields are, arrays entry by entry. They cannot be hashed.

    Examples
    --------
    >>> from skvus import ROCFront
    >>> front = ROCFront.from_rates([[.9, .1], [.4, .6]])
    >>> front[0].rates
    array([[0.9, 0.1],
           [0.4, 0.6]])
    >>> front[0] == front[0]
    True
    """

    rates: Floats
    counts: Counts | None
    cost_matrix: Floats | None
    params: dict[str, Any] | None

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other


@dataclass(frozen=True, eq=False)
class FrontMixture:
    """A classifier that leaves each decision to one of several members, drawn at random.

    Made by `ROCFront.mix`.

    Parameters
    ----------
    members : ndarray of shape (k,)
        Indices of the members.
    odds : ndarray of shape (k,)
        How often each of them decides; they sum to 1.
    rates : ndarray of shape (n_classes, n_classes)
        Expected confusion rates, the mean of those of the members by these odds.
    cost_matrices : ndarray of shape (k, n_classes, n_classes) or None
        The costs by which the members decide.
    classes : ndarray of shape (n_classes,)
        Labels.

    See Also
    --------
    ROCFront.mix : Makes it.

    Notes
    -----
    The rates of a mixture lie between those of its members, so that every point of the convex
    hull is reached [1]_.

    References
    ----------
    .. [1] F. Provost, T. Fawcett, "Robust classification for imprecise environments",
       Machine Learning 42, 2001.

    Examples
    --------
    >>> from skvus import ROCFront
    >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.5, .5], [.0, 1.]]])
    >>> front.mix([0, 1], [3, 1]).rates
    array([[0.8, 0.2],
           [0.3, 0.7]])
    """

    members: Ints
    odds: Floats
    rates: Floats
    cost_matrices: Floats | None
    classes: Labels

    def predict(self, y_score: ArrayLike, random_state: Seed = None) -> Labels:
        """Predicted labels, for each case by a member drawn at random.

        Parameters
        ----------
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities, as for `ROCFront.predict`.
        random_state : int, RandomState, Generator or None, default=None
            Draws the members.

        Returns
        -------
        y_pred : ndarray of shape (n_samples,)
            Labels.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus import ROCFront
        >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
        >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
        >>> front.mix([0, len(front) - 1], [1, 1]).predict([.1, .45, .95], random_state=0)
        array([0, 1, 1])
        """
        if self.cost_matrices is None:
            raise ValueError(NO_COSTS)
        rng = check_generator(random_state)
        scores = check_posteriors(y_score, self.classes)
        drawn = rng.choice(len(self.members), size=len(scores), p=self.odds)
        codes = np.empty(len(scores), dtype=np.int64)
        for i in np.unique(drawn):
            codes[drawn == i] = least_cost_codes(scores[drawn == i], self.cost_matrices[i])
        return self.classes[codes]

    def to_frame(self) -> pd.DataFrame:
        """Make a table with a row for each member that decides.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas. Columns "member" and "odds".

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> print(front.mix([0, 1], [3, 1]).to_frame())
           member  odds
        0       0  0.75
        1       1  0.25
        """
        import pandas as pd

        return pd.DataFrame({"member": self.members, "odds": self.odds})

    def __repr__(self) -> str:
        parts = zip(self.odds, self.members, strict=True)
        shares = ", ".join(f"{odds:.4g} of member {member}" for odds, member in parts)
        return f"FrontMixture({shares})"


@dataclass(frozen=True)
class FrontComparison:
    """Two fronts side by side: what each dominates, and what it alone dominates.

    Made by `ROCFront.compare`. All are shares of the region better than random allocation.

    Parameters
    ----------
    gini, other_gini : float
        Generalised Gini coefficients of the front and of the other one.
    delta : float
        What the front dominates and the other one does not.
    other_delta : float
        What the other one dominates and the front does not.
    gini_std, other_gini_std, delta_std, other_delta_std : float
        Their standard errors, zero where they are exact.
    method : {"exact", "monte_carlo"}
        How they were found.

    See Also
    --------
    ROCFront.compare : Makes it.

    Examples
    --------
    >>> from skvus import ROCFront
    >>> a = ROCFront.from_rates([[.9, .1], [.4, .6]])
    >>> b = ROCFront.from_rates([[.7, .3], [.1, .9]])
    >>> a.compare(b)
    FrontComparison (exact)
                 Gini   alone
    this front  0.2500  0.1600
    the other   0.3600  0.2700
    Neither front dominates the other.
    """

    gini: float
    other_gini: float
    delta: float
    other_delta: float
    gini_std: float
    other_gini_std: float
    delta_std: float
    other_delta_std: float
    method: str

    def to_frame(self) -> pd.DataFrame:
        """Make a table with a row for each front.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas. Columns "gini", "gini_std", "alone" (what it dominates and the other
            one does not), "alone_std", "method".

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> print(front[:1].compare(front[1:]).to_frame().round(3))
                    gini  gini_std  alone  alone_std method
        this front  0.25       0.0   0.16        0.0  exact
        the other   0.36       0.0   0.27        0.0  exact
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "gini": [self.gini, self.other_gini],
                "gini_std": [self.gini_std, self.other_gini_std],
                "alone": [self.delta, self.other_delta],
                "alone_std": [self.delta_std, self.other_delta_std],
                "method": self.method,
            },
            index=["this front", "the other"],
        )

    def __repr__(self) -> str:
        rows = (
            ("this front", self.gini, self.gini_std, self.delta, self.delta_std),
            ("the other", self.other_gini, self.other_gini_std)
            + (self.other_delta, self.other_delta_std),
        )
        lines = [f"FrontComparison ({self.method.replace('_', ' ')})"]
        is_exact = self.method == "exact"
        width = 6 if is_exact else 20
        lines.append(f"{'':10}  {'Gini':>{width}}  {'alone':>{width}}")
        for name, gini, gini_std, delta, delta_std in rows:
            cells = (show(gini, gini_std, is_exact), show(delta, delta_std, is_exact))
            lines.append(f"{name:10}  {cells[0]:>{width}}  {cells[1]:>{width}}")
        return "\n".join([*lines, self._verdict()])

    def _verdict(self):
        is_ahead = self.delta > 3.0 * self.delta_std
        is_behind = self.other_delta > 3.0 * self.other_delta_std
        if is_ahead == is_behind:
            return (
                "Neither front dominates the other."
                if is_ahead
                else "No difference between the fronts was found."
            )
        return f"{'This front' if is_ahead else 'The other'} dominates wherever they differ."


def show(value, std, is_exact):
    """A share with its standard error, unless it is exact."""
    text = f"{value:.4f}" if value >= 1e-3 or value == 0.0 else f"{value:.3g}"
    return text if is_exact else f"{text} +/- {std:.2g}"


@dataclass(frozen=True, eq=False)
class FrontEvaluation:
    """The members of a front on fresh data.

    Made by `ROCFront.evaluate`.

    Parameters
    ----------
    rates : ndarray of shape (m, n_classes, n_classes)
        Confusion rates of each member on the fresh data, in the order of the front.
    counts : ndarray of shape (m, n_classes, n_classes)
        The same as numbers, or weights, of cases.
    low, high : ndarray of shape (m, n_classes, n_classes)
        Binomial confidence limits of the rates (Clopper and Pearson).
    confidence : float
        Confidence of each interval by itself.
    gini, gini_std : float
        Generalised Gini coefficient of the members on the fresh data, with standard error.
    gini_before, gini_before_std : float
        The same on the data that the front was found on.
    classes : ndarray of shape (n_classes,)
        Labels.
    priors : ndarray of shape (n_classes,)
        Frequencies of the classes in the fresh data.

    See Also
    --------
    ROCFront.evaluate : Makes it.

    Notes
    -----
    The standard errors of the Gini coefficients are those of sampling the rates, zero if they
    are exact; that another draw of cases would have given other rates is not in them. With a
    hundred cases a class, differences of 0.1 may be chance.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated
       in the case of the binomial", Biometrika 26, 1934.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus import ROCFront
    >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
    >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
    >>> front.evaluate([1, 1, 0, 1, 0, 0, 1, 0], y_score)
    FrontEvaluation of 2 members on 4, 4 cases of 0, 1
    generalised Gini coefficient 0.1250 there, 0.8750 where it was found
    95% limits of all rates in .low, .high and .to_frame()
    """

    rates: Floats
    counts: Counts
    low: Floats
    high: Floats
    confidence: float
    gini: float
    gini_std: float
    gini_before: float
    gini_before_std: float
    classes: Labels
    priors: Floats

    def expected_costs(self, cost_matrix: Costs, priors: ByClass | None = None) -> Floats:
        """Expected cost of a case on the fresh data, for each member.

        Parameters
        ----------
        cost_matrix : array-like, DataFrame or dict
            As for `ROCFront.expected_costs`.
        priors : array-like or dict, default=None
            Frequencies of the classes. By default those of the fresh data.

        Returns
        -------
        costs : ndarray of shape (m,)
            In the order of the members.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus import ROCFront
        >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
        >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
        >>> evaluation = front.evaluate([1, 1, 0, 1, 0, 0, 1, 0], y_score)
        >>> evaluation.expected_costs([[0, 1], [4, 0]]).round(2)[:2]
        array([1.12, 0.75])
        """
        return expected_costs(self, cost_matrix, priors)

    def to_frame(self) -> pd.DataFrame:
        """A table of all rates with their limits, a row for each member and mistake.

        Returns
        -------
        frame : pandas.DataFrame
            Columns member, true, predicted, rate, low, high.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus import ROCFront
        >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
        >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
        >>> evaluation = front.evaluate([1, 1, 0, 1, 0, 0, 1, 0], y_score)
        >>> evaluation.to_frame().columns[:3].tolist()
        ['member', 'true', 'predicted']
        """
        import pandas as pd

        mistakes = np.broadcast_to(off_diagonal(len(self.classes)), self.rates.shape)
        member, true, called = np.nonzero(mistakes)
        return pd.DataFrame(
            {
                "member": member,
                "true": self.classes[true],
                "predicted": self.classes[called],
                "rate": self.rates[mistakes],
                "low": self.low[mistakes],
                "high": self.high[mistakes],
            }
        )

    def __repr__(self) -> str:
        totals = self.counts[0].sum(axis=1) if len(self.counts) else np.zeros(0)
        cases = ", ".join(f"{total:.6g}" for total in totals)
        names = ", ".join(map(str, self.classes))
        after = show(self.gini, self.gini_std, self.gini_std == 0.0)
        before = show(self.gini_before, self.gini_before_std, self.gini_before_std == 0.0)
        return (
            f"FrontEvaluation of {len(self.rates)} members on {cases} cases of {names}\n"
            f"generalised Gini coefficient {after} there, {before} where it was found\n"
            f"{100 * self.confidence:.6g}% limits of all rates in .low, .high and .to_frame()"
        )


def expected_costs(result, cost_matrix, priors):
    """Expected costs of the rates of anything that has rates, classes and priors."""
    cost = check_class_costs(cost_matrix, result.classes)
    priors = result.priors if priors is None else check_class_priors(priors, result.classes)
    return np.einsum("k,kj,mkj->m", priors, cost, result.rates)


NO_COSTS = (
    "The front has no costs to decide by: it was made from rates alone, or merged with one "
    "that was. Give costs to ROCFront.from_rates."
)


def check_posteriors(y_score, classes):
    """Return non-negative scores as an (n, Q) array."""
    scores = check_scores(y_score)
    if (2 if scores.ndim == 1 else scores.shape[1]) != len(classes):
        raise ValueError(
            f"y_score must have one column for each of the {len(classes)} classes "
            f"{shorten(classes.tolist())}; got shape {scores.shape}."
        )
    check_column_names(y_score, classes, or_labels=False)
    return non_negative_columns(scores)
