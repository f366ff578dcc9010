"""What comparisons of classifiers return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._typing import Distribution, Floats
from skvus._validation import check_option, shorten
from skvus.metrics._intervals import (
    ConfidenceInterval,
    check_level,
    difference_interval,
    percentile_interval,
    quantile,
    show_pvalue,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class ComparisonResult:
    """Difference of two scores on the same cases, and a test of whether there is any.

    Made by `compare_scores`.

    Parameters
    ----------
    difference : float
        Score of the first classifier less that of the second.
    standard_error : float
        Standard error of the difference, which knows that the cases are the same.
    statistic : float
        Their ratio, standard normal if the classifiers are equally good.
    pvalue : float
        Probability of a difference as large as this one if there were none.
    scores : tuple of two floats
        The scores of both classifiers.
    alternative : {"two-sided", "less", "greater"}
        What the test is against: the first score differs from, is less than, or is greater
        than the second.
    score_name : str
        Which score it is.
    method : str
        "delong", "bootstrap" or "jackknife"; "undefined" where a class has no case.
    is_exact : bool
        Whether all tuples were counted.
    sampling_error : float
        The part of `standard_error` that comes from drawing tuples.
    n_independent : int
        Number of tuples without a case in common.
    span : float
        Width of the range of the score, infinite if unknown.
    degrees_of_freedom : float
        Satterthwaite's, as in `InferenceResult`.
    replicates : ndarray of shape (n_resamples,) or None
        Differences of the drawn sets of cases, for the bootstrap.

    See Also
    --------
    compare_scores : Makes it.

    Examples
    --------
    >>> from skvus.metrics import ComparisonResult
    >>> result = ComparisonResult(
    ...     0.03, 0.01, 3.0, 0.0027, (0.93, 0.9), "two-sided", "pdi", "delong", True, 0.0, 30
    ... )
    >>> result.confidence_interval()
    ConfidenceInterval(low=0.0104..., high=0.0495...)
    >>> print(result)
    pdi 0.93 against 0.9: the difference of 0.03 has a standard error of 0.01 (DeLong's
    method), z = 3, p = 0.0027.
    """

    difference: float
    standard_error: float
    statistic: float
    pvalue: float
    scores: tuple[float, float]
    alternative: str
    score_name: str
    method: str
    is_exact: bool
    sampling_error: float
    n_independent: float
    span: float = 1.0
    degrees_of_freedom: float = np.inf
    replicates: Floats | None = field(default=None, compare=False)

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        scale: Literal["identity", "percentile"] = "identity",
        distribution: Distribution = "normal",
    ) -> ConfidenceInterval:
        """Limits of the difference between infinitely many cases, at this confidence.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        scale : {"identity", "percentile"}, default="identity"
            Whether to take the difference for normal, or percentiles of the bootstrap.
        distribution : {"normal", "t"}, default="normal"
            "t" allows for classes of a few cases, as in `InferenceResult`.

        Returns
        -------
        interval : ConfidenceInterval
            With `low` and `high`. One of them is the end of the range (infinity, where it
            is unknown) if the test has one side.
        """
        level = check_level(confidence_level)
        check_option("scale", scale, ("identity", "percentile"))
        tail = (1.0 - level) / 2.0 if self.alternative == "two-sided" else 1.0 - level
        reach = quantile(tail, distribution, self.degrees_of_freedom)
        if scale == "percentile":
            if self.replicates is None:
                raise ValueError(
                    "scale='percentile' needs method='bootstrap'; this result is by "
                    f"{self.method!r}."
                )
            return percentile_interval(self.replicates, level, self.alternative, self.span)
        return difference_interval(
            self.difference,
            self.standard_error,
            reach,
            tail,
            self.alternative,
            self.span,
            self.n_independent,
        )

    def reversed(self) -> Self:
        """Compare the second with the first.

        Returns
        -------
        result : ComparisonResult
            The same test, seen from the other side.

        Examples
        --------
        >>> from skvus.metrics import ComparisonResult
        >>> how = ("two-sided", "pdi", "delong", True, 0.0, 30)
        >>> result = ComparisonResult(0.03, 0.01, 3.0, 0.0027, (0.93, 0.9), *how)
        >>> result.reversed().difference
        -0.03
        """
        other_side = {"less": "greater", "greater": "less"}
        return replace(
            self,
            difference=0.0 - self.difference,  # no minus zero
            statistic=0.0 - self.statistic,
            scores=self.scores[::-1],
            alternative=other_side.get(self.alternative, self.alternative),
            replicates=None if self.replicates is None else -self.replicates,
        )

    def to_frame(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Make a table of one row, to be joined with others.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the limits in the columns "low" and "high".

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas.

        Examples
        --------
        >>> from skvus.metrics import ComparisonResult
        >>> how = ("two-sided", "pdi", "delong", True, 0.0, 30)
        >>> result = ComparisonResult(0.03, 0.01, 3.0, 0.0027, (0.93, 0.9), *how)
        >>> result.to_frame().columns[:4].tolist()
        ['score_name', 'score', 'other_score', 'difference']
        """
        import pandas as pd

        low, high = self.confidence_interval(confidence_level)
        row = {
            "score_name": self.score_name,
            "score": self.scores[0],
            "other_score": self.scores[1],
            "difference": self.difference,
            "standard_error": self.standard_error,
            "low": low,
            "high": high,
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "alternative": self.alternative,
            "method": self.method,
            "is_exact": self.is_exact,
            "sampling_error": self.sampling_error,
        }
        return pd.DataFrame([row])

    def __repr__(self) -> str:
        if self.method == "undefined":
            return f"{self.score_name} is undefined: a class has no case."
        how = {"delong": "DeLong's method"}.get(self.method, self.method)
        if not self.is_exact and self.sampling_error > 0.0:
            how += f", {self.sampling_error:.2g} from drawing"
        one, other = self.scores
        side = "" if self.alternative == "two-sided" else f" ({self.alternative})"
        return (
            f"{self.score_name} {one:.4g} against {other:.4g}: the difference of "
            f"{self.difference:.3g} has a standard error of {self.standard_error:.2g} ({how}), "
            f"z = {self.statistic:.3g}, p {show_pvalue(self.pvalue, '= ')}{side}."
        )


class ComparisonRow(NamedTuple):
    """A line of a `ComparisonTable`."""

    first: Any
    second: Any
    difference: float
    standard_error: float
    low: float
    high: float
    statistic: float
    pvalue: float
    adjusted_pvalue: float


class ComparisonTable:
    """Comparisons of several classifiers, with p-values that account for their number.

    Made by `compare_many`. A sequence of rows: ``len``, iteration and indexing work;
    ``table["a", "b"]`` is the `ComparisonResult` of a pair, in either order.

    Parameters
    ----------
    names : list
        Names of the classifiers.
    scores : ndarray of shape (n_classifiers,)
        Their scores.
    standard_errors : ndarray of shape (n_classifiers,)
        Standard errors of the scores.
    results : dict
        A `ComparisonResult` for each pair of names that was compared.

    Attributes
    ----------
    rows : list of tuples
        With `first`, `second`, `difference`, `standard_error`, `low` and `high` (a 95%
        interval, not adjusted), `statistic`, `pvalue` and `adjusted_pvalue`.

    See Also
    --------
    compare_many : Makes it.

    Examples
    --------
    >>> from skvus.metrics import ComparisonResult, ComparisonTable
    >>> how = ("two-sided", "pdi", "delong", True, 0.0, 30)
    >>> result = ComparisonResult(0.03, 0.01, 3.0, 0.0027, (0.93, 0.9), *how)
    >>> ComparisonTable(["new", "old"], [0.93, 0.9], [0.02, 0.02], {("new", "old"): result})
    pdi of 2 classifiers
      new  0.9300 +/- 0.0200
      old  0.9000 +/- 0.0200
    first  second          difference        95% interval     z       p  p (Holm)
      new     old  +0.0300 +/- 0.0100  [+0.0104, +0.0496]  3.00  0.0027    0.0027
    """

    def __init__(
        self,
        names: Iterable[Any],
        scores: ArrayLike,
        standard_errors: ArrayLike,
        results: Mapping[tuple[Any, Any], ComparisonResult],
    ) -> None:
        self.names: list[Any] = list(names)
        self.scores: Floats = np.asarray(scores, dtype=float)
        self.standard_errors: Floats = np.asarray(standard_errors, dtype=float)
        self.results: dict[tuple[Any, Any], ComparisonResult] = dict(results)
        adjusted = holm([result.pvalue for result in self.results.values()])
        self.rows: list[ComparisonRow] = [
            _row(first, second, result, float(pvalue))
            for ((first, second), result), pvalue in zip(
                self.results.items(), adjusted, strict=True
            )
        ]

    def __getstate__(self) -> dict[str, Any]:
        # skops saves no dict whose keys are tuples; rows are made of the rest
        return {
            "names": self.names,
            "scores": self.scores,
            "standard_errors": self.standard_errors,
            "pairs": [list(pair) for pair in self.results],
            "results": list(self.results.values()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        pairs = map(tuple, state["pairs"])
        results = dict(zip(pairs, state["results"], strict=True))
        scores, errors = state["scores"], state["standard_errors"]
        ComparisonTable.__init__(self, state["names"], scores, errors, results)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ComparisonRow]:
        return iter(self.rows)

    @overload
    def __getitem__(self, key: int) -> ComparisonRow: ...

    @overload
    def __getitem__(self, key: slice) -> list[ComparisonRow]: ...

    @overload
    def __getitem__(self, key: tuple[Any, Any]) -> ComparisonResult: ...

    def __getitem__(
        self, key: int | slice | tuple[Any, Any]
    ) -> ComparisonRow | list[ComparisonRow] | ComparisonResult:
        if not isinstance(key, tuple):
            return self.rows[key]
        if key in self.results:
            return self.results[key]
        if key[::-1] in self.results:
            return self.results[key[::-1]].reversed()
        raise KeyError(f"{key!r} is none of the pairs {shorten(list(self.results))}.")

    def to_frame(self) -> pd.DataFrame:
        """Make a table with a row for each comparison.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas.

        Examples
        --------
        >>> from skvus.metrics import compare_many
        >>> y_true = [0, 0, 0, 1, 1, 1]
        >>> scores = {"a": [.1, .4, .6, .5, .7, .9], "b": [.2, .5, .7, .3, .6, .8]}
        >>> compare_many(y_true, scores).to_frame().columns[:3].tolist()
        ['first', 'second', 'difference']
        """
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(ComparisonRow.__annotations__))

    def __repr__(self) -> str:
        name = next(iter(self.results.values())).score_name
        width = max(len(str(name)) for name in self.names)
        lines = [f"{name} of {len(self.names)} classifiers"]
        lines += [
            f"  {label!s:>{width}}  {score:.4f} +/- {error:.4f}"
            for label, score, error in zip(
                self.names, self.scores, self.standard_errors, strict=True
            )
        ]
        cells = [["first", "second", "difference", "95% interval", "z", "p", "p (Holm)"]]
        for row in self.rows:
            numbers = [
                f"{row.difference:+.4f} +/- {row.standard_error:.4f}",
                f"[{row.low:+.4f}, {row.high:+.4f}]",
                f"{row.statistic:.2f}",
                show_pvalue(row.pvalue),
                show_pvalue(row.adjusted_pvalue),
            ]
            cells.append([str(row.first), str(row.second), *numbers])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines += ["  ".join(map(str.rjust, line, widths)) for line in cells]
        drawn = largest_sampling_error(self)
        if drawn > 0.0:
            lines.append(
                f"drawn, not counted: up to {drawn:.2g} of the +/- of a difference is from that"
            )
        return "\n".join(lines)


def largest_sampling_error(table):
    """Largest part of a difference's standard error that comes from drawing; 0 if none does."""
    results = table.results.values()
    return max((part.sampling_error for part in results if not part.is_exact), default=0.0)


def _row(first, second, result, adjusted_pvalue):
    low, high = result.confidence_interval()
    return ComparisonRow(
        first,
        second,
        result.difference,
        result.standard_error,
        low,
        high,
        result.statistic,
        result.pvalue,
        adjusted_pvalue,
    )


def holm(pvalues):
    """Holm's adjusted p-values; those that are unknown count, and stay NaN."""
    pvalues = np.asarray(pvalues, dtype=float)
    order = np.argsort(pvalues, kind="stable")  # NaN last
    factors = np.arange(pvalues.size, 0, -1)
    adjusted = np.empty(pvalues.size)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * pvalues[order]))
    return adjusted
