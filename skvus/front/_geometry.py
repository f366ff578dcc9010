"""What can be said of a front by where its members lie."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self, Unpack, overload

import numpy as np

from skvus._rates import rates_to_points
from skvus._typing import Bools, Floats, Ints, SamplingOptions, Seed, VolumeMethod
from skvus._validation import check_integer, check_option, shorten
from skvus.front._coverage import Cover
from skvus.front._dominance import comparison_of, non_dominated_members
from skvus.front._hull import hull_vertices
from skvus.front._measures import (
    Sampling,
    blocks_of,
    dominated_share,
    drawn_seed,
    exact_is_allowed,
)
from skvus.front._results import FrontComparison

if TYPE_CHECKING:
    from skvus.front._front import ROCFront

METHODS = ("auto", "exact", "monte_carlo")
# Members up to which the hypervolume is exact in about a second, and within a minute or two:
# with many classes its time doubles with each of them.
_AUTO_MEMBERS = {2: np.inf, 3: 1000, 4: 20}
_EXACT_MEMBERS = {2: np.inf, 3: 4000, 4: 30}
_FEW_MEMBERS = {5: 10, 6: 10}  # beyond six classes moocore has no room for the rates
# Members whose hull takes up to a minute.
_HULL_MEMBERS = {2: np.inf, 3: 20_000}
_MANY_CLASSES_HULL = 1500


class FrontGeometry:
    """Distances, volumes and projections of a front; a part of `ROCFront`."""

    def random_simplex_distance(self) -> Floats:
        r"""Signed distance of each member from the simplex of random allocation.

        .. math:: \frac{\sum_i x_i - (Q - 1)}{\sqrt{D}}

        Returns
        -------
        distance : ndarray of shape (m,)
            Negative for members that are better than random allocation.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> front.random_simplex_distance().round(2)
        array([-0.35, -0.42])
        """
        points = rates_to_points(self.rates)
        return (points.sum(axis=1) - (self.n_classes - 1.0)) / np.sqrt(points.shape[1])

    def inside_random_simplex(self) -> Bools:
        """Whether each member is better than random allocation, or as good.

        A front may have members that are not: they sacrifice one rate for the sake of others.

        Returns
        -------
        inside : ndarray of bool of shape (m,)
            True where the off-diagonal rates sum to at most Q - 1 (up to 1e-12).

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.2, .8], [.3, .7]]])
        >>> front.inside_random_simplex()
        array([ True, False])
        """
        return self.random_simplex_distance() <= 1e-12

    @overload
    def gini(
        self, *, return_std: Literal[False] = False, **options: Unpack[SamplingOptions]
    ) -> float: ...

    @overload
    def gini(
        self, *, return_std: Literal[True], **options: Unpack[SamplingOptions]
    ) -> tuple[float, float]: ...

    def gini(
        self,
        *,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = None,
        return_std: bool = False,
    ) -> float | tuple[float, float]:
        r"""Generalised Gini coefficient: the share of better-than-random rates it dominates.

        .. math:: G = \frac{\mathrm{vol}\{x \in P : x \ge x_i \text{ for some member } i\}}
            {\mathrm{vol}(P)}, \quad P = \{x \in [0, 1]^D : \textstyle\sum x \le Q - 1\}

        Parameters
        ----------
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            The exact volume is available for two and three classes. "auto" takes it for up to
            10,000 members inside P.
        n_samples : int, default=100_000
            Samples of the Monte Carlo estimate.
        random_state : int, RandomState, Generator or None, default=None
            Draws the samples.
        return_std : bool, default=False
            Whether to return the standard error as well; zero if exact.

        Returns
        -------
        gini : float
            0 for trivial classifiers, 1 for a perfect one.
        std : float
            Only with `return_std`.

        Notes
        -----
        With two classes, G = 2 AUC - 1 if no cases of different classes tie and the ROC curve
        never falls below the diagonal; the front is a staircase, which a tie lowers and a dip
        below the diagonal does not.

        The exact volume takes the recursion of WFG [2]_ with boxes cut off by the simplex:
        about 0.1 s for 1,000 members of three classes, 1 to 13 s for 10,000. Sampling takes
        30 ms for 10^5 samples and thousands of members. With many classes G is tiny; samples
        are then drawn from the boxes of the members [3]_, which keeps the relative error
        small. The D-th root of G is easier to compare across numbers of classes.

        References
        ----------
        .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
           optimisation perspective", Pattern Recognition Letters 27, 2006, section 5.
        .. [2] L. While, L. Bradstreet, L. Barone, "A fast way of calculating exact
           hypervolumes", IEEE Transactions on Evolutionary Computation 16, 2012.
        .. [3] R. M. Karp, M. Luby, N. Madras, "Monte-Carlo approximation algorithms for
           enumeration problems", Journal of Algorithms 10, 1989.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> round(front.gini(), 4)
        0.52
        >>> front.gini(return_std=True)[1]
        0.0
        """
        sampling = check_sampling(method, n_samples, random_state)
        check_option("return_std", return_std, (False, True))
        points = rates_to_points(self.rates)
        share = dominated_share(points, points[:0], self.n_classes, sampling)
        return (share.value, share.std) if return_std else share.value

    @overload
    def delta(
        self,
        other: ROCFront,
        *,
        return_std: Literal[False] = False,
        **options: Unpack[SamplingOptions],
    ) -> float: ...

    @overload
    def delta(
        self,
        other: ROCFront,
        *,
        return_std: Literal[True],
        **options: Unpack[SamplingOptions],
    ) -> tuple[float, float]: ...

    def delta(
        self,
        other: ROCFront,
        *,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = None,
        return_std: bool = False,
    ) -> float | tuple[float, float]:
        r"""Share of the better-than-random rates that this front alone dominates.

        .. math:: \delta(X, Y) = G(X \cup Y) - G(Y)

        Parameters
        ----------
        other : ROCFront
            A front of the same classes.
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            As for `gini`; the members of both fronts count.
        n_samples : int, default=100_000
            Samples of the Monte Carlo estimate.
        random_state : int, RandomState, Generator or None, default=None
            Draws the samples.
        return_std : bool, default=False
            Whether to return the standard error as well; zero if exact.

        Returns
        -------
        delta : float
            0 if every member is weakly dominated by one of the other front (inside P).
        std : float
            Only with `return_std`.

        Notes
        -----
        Not symmetric, and no metric. The paper [1]_ has the volume itself, here it is divided
        by the volume of P, like G.

        References
        ----------
        .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
           optimisation perspective", Pattern Recognition Letters 27, 2006, section 5.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> front[1:].delta(front), round(front.delta(front[1:]), 4)
        (0.0, 0.16)
        """
        sampling = check_sampling(method, n_samples, random_state)
        check_option("return_std", return_std, (False, True))
        check_same_classes(self, other)
        points, others = rates_to_points(self.rates), rates_to_points(other.rates)
        share = dominated_share(points, others, self.n_classes, sampling)
        return (share.value, share.std) if return_std else share.value

    def compare(
        self,
        other: ROCFront,
        *,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = None,
    ) -> FrontComparison:
        """Both Gini coefficients and both deltas of two fronts.

        Parameters
        ----------
        other : ROCFront
            A front of the same classes.
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            As for `gini`; the members of both fronts count.
        n_samples : int, default=100_000
            Samples of each Monte Carlo estimate.
        random_state : int, RandomState, Generator or None, default=None
            Draws the samples.

        Returns
        -------
        comparison : FrontComparison
            The four numbers with their standard errors; prints as a table.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> print(front[:1].compare(front[1:]))
        FrontComparison (exact)
                      Gini   alone
        this front  0.2500  0.1600
        the other   0.3600  0.2700
        Neither front dominates the other.
        """
        sampling = check_sampling(method, n_samples, random_state)
        check_same_classes(self, other)
        ours, theirs = rates_to_points(self.rates), rates_to_points(other.rates)
        # one method for all four, so that they fit together
        is_exact = exact_is_allowed(len(ours) + len(theirs), self.n_classes, method)
        sampling = replace(sampling, method="exact" if is_exact else "monte_carlo")
        pairs = (ours, ours[:0]), (theirs, theirs[:0]), (ours, theirs), (theirs, ours)
        shares = [dominated_share(*pair, self.n_classes, sampling) for pair in pairs]
        names = ("gini", "other_gini", "delta", "other_delta")
        return FrontComparison(
            **{name: share.value for name, share in zip(names, shares, strict=True)},
            **{f"{name}_std": share.std for name, share in zip(names, shares, strict=True)},
            method=sampling.method,
        )

    @overload
    def hypervolume(
        self, *, return_std: Literal[False] = False, **options: Unpack[SamplingOptions]
    ) -> float: ...

    @overload
    def hypervolume(
        self, *, return_std: Literal[True], **options: Unpack[SamplingOptions]
    ) -> tuple[float, float]: ...

    def hypervolume(
        self,
        *,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = None,
        return_std: bool = False,
    ) -> float | tuple[float, float]:
        """Volume of the unit cube of all rates that some member dominates.

        Parameters
        ----------
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            "auto" is exact where that takes about a second: any front of two classes, up to
            1,000 members of three, 20 of four and 10 of five or six. "exact" takes up to 4,000
            of three (a minute) and 30 of four.
        n_samples : int, default=100_000
            Samples of the Monte Carlo estimate.
        random_state : int, RandomState, Generator or None, default=None
            Draws the samples.
        return_std : bool, default=False
            Whether to return the standard error as well; zero if exact.

        Returns
        -------
        hypervolume : float
            Between 0 and 1. Random allocation has a good part of it already, which `gini`
            leaves out.
        std : float
            Only with `return_std`.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> round(front.hypervolume(), 4)
        0.75
        """
        sampling = check_sampling(method, n_samples, random_state)
        check_option("return_std", return_std, (False, True))
        points = rates_to_points(self.rates)
        limits = _EXACT_MEMBERS if method == "exact" else _AUTO_MEMBERS
        most = limits.get(self.n_classes, _FEW_MEMBERS.get(self.n_classes, 0))
        if method == "exact" and len(points) > most:
            raise ValueError(
                f"method='exact' takes at most {most} members of {self.n_classes} classes; got "
                f"{len(points)}. Use method='monte_carlo', with a standard error by return_std."
            )
        if method != "monte_carlo" and len(points) <= most:
            import moocore

            volume, std = float(moocore.hypervolume(points, ref=np.ones(points.shape[1]))), 0.0
        else:
            rng, cover, hits = sampling.generator(), Cover(points), 0
            for n_block in blocks_of(n_samples):
                hits += cover.covers(rng.random((n_block, points.shape[1]))).sum()
            chance = (hits + 1.0) / (n_samples + 2.0)
            volume, std = hits / n_samples, np.sqrt(chance * (1.0 - chance) / n_samples)
        return (float(volume), float(std)) if return_std else float(volume)

    def miss_rates(self) -> Floats:
        r"""Share of each class that is called anything else.

        .. math:: F_k = \sum_{j \ne k} R_{kj}

        Equation 12 of Everson and Fieldsend, who call it the false positive rate.

        Returns
        -------
        miss_rates : ndarray of shape (m, n_classes)
            In the order of `classes`.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> front.miss_rates()
        array([[0.1, 0.4],
               [0.3, 0.1]])
        """
        return rates_to_points(self.rates).reshape(len(self.rates), self.n_classes, -1).sum(2)

    def miss_rate_front(self) -> Self:
        """The members that no other one dominates in the miss rates of all classes.

        Equation 13 of Everson and Fieldsend: they lie on the front of the miss rates, too.

        Returns
        -------
        front : ROCFront
            Some of the members, with ``objectives="miss_rates"``.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> a = [[.8, .1, .1], [.1, .8, .1], [.1, .1, .8]]
        >>> b = [[.7, 0., .3], [.1, .8, .1], [.1, .1, .8]]
        >>> front = ROCFront.from_rates([a, b])
        >>> len(front), len(front.miss_rate_front())
        (2, 1)
        """
        comparison = comparison_of(self.rates, self.counts)
        kept = np.sort(non_dominated_members(comparison, "miss_rates"))
        return self._sub_front(kept, objectives="miss_rates")

    def hull(self) -> Ints:
        """The members that are optimal for some linear cost of the rates.

        Returns
        -------
        members : ndarray of int
            Indices of the vertices of the lower convex hull: for each there are costs for
            which it is cheaper than every other member. A member that is left out is no better
            than some mixture of these, see `mix`.

        Notes
        -----
        Most members are rejected by a linear programme over the vertices known so far; one that
        is not leads to another vertex. Members that are better than every mixture by less than
        about 1e-9 are left out. About 4 s for 5,500 members of three classes. With more
        classes nearly all members are vertices, and at most 1,500 can be told.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> rates = [[[1, 0], [.5, .5]], [[.8, .2], [.4, .6]], [[.6, .4], [0, 1]]]
        >>> front = ROCFront.from_rates(rates)
        >>> front.hull()  # the one between is worse than a mixture of the others
        array([0, 2])
        """
        most = _HULL_MEMBERS.get(self.n_classes, _MANY_CLASSES_HULL)
        if len(self.rates) > most:
            raise ValueError(
                f"The hull takes at most {most} members of {self.n_classes} classes; got "
                f"{len(self.rates)}. Choose some of them, front[...], or try fewer costs."
            )
        return hull_vertices(rates_to_points(self.rates))


def check_front(front, name="front"):
    """Raise unless it is a front."""
    if not isinstance(front, FrontGeometry):
        raise TypeError(f"{name} must be a ROCFront; got {shorten(front)}.")


def check_same_classes(front, other, name="other"):
    """Raise unless `other` is a front of the same classes in the same order."""
    check_front(other, name)
    if front.classes.tolist() != other.classes.tolist():
        raise ValueError(
            f"{name} must have the classes {shorten(front.classes.tolist())} in this order; "
            f"got {shorten(other.classes.tolist())}."
        )


def check_sampling(method, n_samples, random_state):
    """How shares are to be measured."""
    check_option("method", method, METHODS)
    n_samples = check_integer("n_samples", n_samples, minimum=1, maximum=10**9)
    seed = None if random_state is None else drawn_seed(random_state)
    return Sampling(method, n_samples, seed)
