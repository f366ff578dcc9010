"""From a front to decisions: choosing a member, and what it does."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skvus._costs import least_cost_codes
from skvus._hints import hinting, swapped
from skvus._rates import rates_to_points
from skvus._soft import check_column_names
from skvus._typing import ByClass, Costs, Floats, Labels, Seed, VolumeMethod
from skvus._validation import as_float_array, shorten
from skvus.front._build import make_cases
from skvus.front._checks import check_known_labels, same_params
from skvus.front._geometry import check_sampling
from skvus.front._measures import dominated_share
from skvus.front._priorities import check_confidence
from skvus.front._results import (
    NO_COSTS,
    FrontEvaluation,
    FrontMixture,
    check_posteriors,
    expected_costs,
)
from skvus.front._rules import RuleLike, apply_rule
from skvus.metrics._operating_points import check_weighted_problem


class FrontDecisions:
    """Choice and use of members of a front; a part of `ROCFront`."""

    def select(self, rule: RuleLike = "distance") -> int:
        """Choose a member.

        Parameters
        ----------
        rule : rule, default="distance"
            - "distance": the member most distant from the random simplex, which has the best
              balanced accuracy; of equals, the one whose largest rate is smallest;
            - "knee": the member that is optimal for the largest share of linear costs, as
              found with 20,000 flat Dirichlet draws (always the same ones);
            - a cost matrix, or `LeastCost`: the member of least expected cost;
            - `WithinLimits`: one that stays within limits of some rates;
            - `Lexicographic`: rates that matter most first;
            - `BestScore`: the best score of predicted labels;
            - a function of the front that returns an index;
            - an index.

        Returns
        -------
        index : int
            Which member is chosen.

        References
        ----------
        .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
           optimisation perspective", Pattern Recognition Letters 27, 2006, section 5.
        """
        return apply_rule(rule, self)

    def expected_costs(self, cost_matrix: Costs, priors: ByClass | None = None) -> Floats:
        r"""Expected cost of a case for each member, :math:`\sum_{kj} \pi_k c_{kj} R_{kj}`.

        Parameters
        ----------
        cost_matrix : array-like, DataFrame or dict
            ``cost_matrix[k, j]`` is the cost of predicting class j when the truth is k, with a
            zero diagonal. A data frame or a dict goes by class labels.
        priors : array-like or dict, default=None
            Frequencies of the classes. By default those of the front.

        Returns
        -------
        costs : ndarray of shape (m,)
            In the order of the members.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> front.expected_costs([[0, 1], [4, 0]])
        array([0.85, 0.35])
        """
        return expected_costs(self, cost_matrix, priors)

    def predict(self, y_score: ArrayLike, index: RuleLike) -> Labels:
        """Labels that a member gives to cases with these posterior probabilities.

        Parameters
        ----------
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities, a column for each class in the order of `classes`. For two
            classes also the probability of the second class.
        index : int or rule
            Which member decides, as for `select`.

        Returns
        -------
        y_pred : ndarray of shape (n_samples,)
            The class of least expected cost for each case, the first of equals.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus import ROCFront
        >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
        >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
        >>> front.predict([.1, .45, .95], len(front) - 1)
        array([0, 1, 1])
        """
        if self.costs is None:
            raise ValueError(NO_COSTS)
        scores = check_posteriors(y_score, self.classes)
        index = self.select(index)
        return self.classes[least_cost_codes(scores, self.costs[index])]

    def mix(self, members: ArrayLike, odds: ArrayLike) -> FrontMixture:
        """A classifier that leaves each decision to one of several members at random.

        Parameters
        ----------
        members : array-like of int
            Indices of the members.
        odds : array-like of shape (len(members),)
            Non-negative numbers in the proportions in which they decide.

        Returns
        -------
        mixture : FrontMixture
            Its `rates` are the mean of those of the members; its `predict` takes posterior
            probabilities and a `random_state`.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> front.mix([0, 1], [3, 1]).rates
        array([[0.85 , 0.15 ],
               [0.325, 0.675]])
        """
        members = self._check_members(members)
        odds = as_float_array("odds", odds)
        if odds.shape != members.shape:
            raise ValueError(
                f"odds must have shape {members.shape}, one for each member; got {odds.shape}."
            )
        if odds.min() < 0.0 or not odds.any():
            raise ValueError(
                "odds must not be negative, and one of them positive; got "
                f"{shorten(odds.tolist())}."
            )
        odds = odds / odds.max()
        odds /= odds.sum()
        return FrontMixture(
            members=members,
            odds=odds,
            rates=np.einsum("i,ikj->kj", odds, self.rates[members]),
            cost_matrices=None if self.costs is None else self.costs[members],
            classes=self.classes,
        )

    def evaluate(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        confidence: float = 0.95,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = None,
    ) -> FrontEvaluation:
        """The same members on fresh data.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, every class among them.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities from the same classifier.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        confidence : float, default=0.95
            Confidence of the binomial intervals of the rates. With weights, the number of cases
            that is worth as much takes the place of the number of cases (Kish).
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            How to find the Gini coefficients, as for `gini`.
        n_samples : int, default=100_000
            Samples of their Monte Carlo estimate.
        random_state : int, RandomState, Generator or None, default=None
            Draws the samples.

        Returns
        -------
        evaluation : FrontEvaluation
            Rates and counts of all members with confidence limits, and the Gini coefficient
            there against the one here. ``front[[i, j]].evaluate`` does it for a few members.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus import ROCFront
        >>> y_score = np.array([.9, .8, .7, .6, .5, .4, .3, .2])
        >>> front = ROCFront.from_predictions([1, 1, 1, 0, 1, 0, 0, 0], y_score)
        >>> front.evaluate([1, 1, 0, 1, 0, 0, 1, 0], y_score).rates[0]
        array([[0.75, 0.25],
               [0.5 , 0.5 ]])
        """
        if self.costs is None:
            raise ValueError(NO_COSTS)
        self._refuse_several_fronts()
        with hinting(swapped, y_true, y_score):
            check_known_labels("y_true", y_true, self.classes)
        check_column_names(y_score, self.classes, or_labels=False)
        confidence = check_confidence(confidence)
        sampling = check_sampling(method, n_samples, random_state)
        scores, codes, weight, _ = check_weighted_problem(
            y_true, y_score, self.classes, sample_weight, all_classes=True
        )
        cases = make_cases(scores, codes, weight, sample_weight)
        rates, counts = cases.tally(self.costs)
        low, high = binomial_limits(rates, cases.class_sizes, confidence)
        points, before = rates_to_points(rates), rates_to_points(self.rates)
        ginis = [
            dominated_share(some, some[:0], self.n_classes, sampling)
            for some in (points, before)
        ]
        return FrontEvaluation(
            rates=rates,
            counts=counts,
            low=low,
            high=high,
            confidence=confidence,
            gini=ginis[0].value,
            gini_std=ginis[0].std,
            gini_before=ginis[1].value,
            gini_before_std=ginis[1].std,
            classes=self.classes,
            priors=cases.shares,
        )

    def _refuse_several_fronts(self):
        """Raise if the probabilities of one classifier cannot be those of all members."""
        names = {member.get("front") for member in self.params or ()}
        if len(names) > 1:
            raise ValueError(
                f"The members are of several fronts, {sorted(map(str, names))}: evaluate those "
                "of each with the probabilities of its own classifier, front[[...]].evaluate."
            )
        params = self.params or ()
        if not all(same_params(member, params[0]) for member in params):
            raise ValueError(
                "The members are of classifiers with other params: evaluate those of each with "
                "the probabilities of its own, as front[[index]].evaluate for one member."
            )

    def _check_members(self, members):
        try:
            array = np.asarray(members)
        except ValueError:  # lists of different lengths
            array = np.empty(0)
        if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
            raise ValueError(
                f"members must be a non-empty list of indices; got {shorten(members)}."
            )
        if array.min() < -len(self) or array.max() >= len(self):
            raise ValueError(
                f"members must be indices of the {len(self)} members; got {shorten(members)}."
            )
        return array % len(self)


def binomial_limits(rates, sizes, confidence):
    """Clopper and Pearson's limits of each rate, for classes of these sizes."""
    from scipy.special import betaincinv

    sizes = sizes[:, np.newaxis]
    hits = np.clip(rates * sizes, 0.0, sizes)
    misses = sizes - hits
    tail = 0.5 * (1.0 - confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(hits > 0.0, betaincinv(hits, misses + 1.0, tail), 0.0)
        high = np.where(misses > 0.0, betaincinv(hits + 1.0, misses, 1.0 - tail), 1.0)
    return low, high
