"""Short names for what public functions take and give, for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

# --- what functions give ------------------------------------------------------------

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = Ints | Floats  # of cases, or sums of their weights
Labels = NDArray[Any]  # text, numbers or objects

# --- what they take -----------------------------------------------------------------

FilePath = str | PathLike[str]
Seed = int | np.integer[Any] | np.random.RandomState | np.random.Generator | None
Sizes = int | Sequence[int] | NDArray[np.integer[Any]]


class HasArray(Protocol):
    """What numpy takes for an array, such as a data frame."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


class HasRows(Protocol):
    """A sparse matrix."""

    def tocsr(self) -> Any: ...


class Estimator(Protocol):
    """What can be fitted; data are what it takes itself."""

    def fit(self, X: Any, y: Any, /) -> Any: ...


class Splitter(Protocol):
    """What makes splits for cross-validation."""

    def split(self, X: Any, y: Any, groups: Any, /) -> Any: ...


class Classifier(Protocol):
    """A fitted classifier with posteriors."""

    def predict_proba(self, X: Any, /) -> Any: ...


# Narrower than `ArrayLike`, which text is, too: the names of rules can be told from costs.
Matrix = Sequence[Sequence[float]] | Sequence[HasArray] | HasArray
Costs = Matrix | Mapping[Any, Any]
ByClass = ArrayLike | Mapping[Any, float]
Alpha = ArrayLike | Mapping[Any, Any]
Features = ArrayLike | HasRows
CostProposal = (
    Literal["mixed", "dirichlet"] | Callable[[np.random.Generator, int, Any], ArrayLike]
)
Log = Sequence[Mapping[str, Any]] | Mapping[str, Any] | HasArray  # of a search
Splits = float | Splitter | Iterable[tuple[Any, Any]] | Literal["prefit", "resubstitution"]
Score = str | Callable[..., float]

Alternative = Literal["two-sided", "less", "greater"]
CostFamily = Literal["costs", "weights"]
Distribution = Literal["normal", "t"]
InferenceMethod = Literal["auto", "delong", "bootstrap", "jackknife"]
Normalization = Literal["max", "range"]
FrontKind = Literal["auto", "miss_rates", "parallel", "pairs", "distance", "compare"]
Abscissa = Literal["generation", "evaluations", "seconds"]
Objectives = Literal["rates", "miss_rates", "false_alarms"]
Ties = Literal["share", "strict", "weak"]
TupleMethod = Literal["auto", "exact", "sampled"]
VolumeMethod = Literal["auto", "exact", "monte_carlo"]


# --- options that do not change what a function gives, for its overloads ------------


class ScoreOptions(TypedDict, total=False):
    """What all scores take."""

    labels: ArrayLike | None
    sample_weight: ArrayLike | None
    replace_undefined_by: float


class TupleOptions(ScoreOptions, total=False):
    """What the scores take that may draw tuples."""

    n_tuples: int | None
    random_state: Seed
    n_jobs: int | None


class SamplingOptions(TypedDict, total=False):
    """What volumes take that may be estimated."""

    method: VolumeMethod
    n_samples: int
    random_state: Seed


class DrawingOptions(TypedDict, total=False):
    """How costs are drawn for a front."""

    n_costs: int | Literal["all"]
    cost_alpha: Alpha
    family: CostFamily
    objectives: Objectives
    random_state: Seed


# --- decorators ---------------------------------------------------------------------

_Function = TypeVar("_Function", bound=Callable[..., Any])


def same_type(decorator: Any) -> Callable[[_Function], _Function]:
    """The decorator itself, for type checkers one that leaves the type of a method alone."""
    return decorator
