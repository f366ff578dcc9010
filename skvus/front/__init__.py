"""A set of operating points, what can be said of it, and the choice of one."""

from skvus.front._front import ROCFront
from skvus.front._priorities import Lexicographic, WithinLimits
from skvus.front._results import (
    FrontComparison,
    FrontEvaluation,
    FrontMixture,
    OperatingPoint,
)
from skvus.front._rules import BestScore, LeastCost

__all__ = [
    "BestScore",
    "FrontComparison",
    "FrontEvaluation",
    "FrontMixture",
    "LeastCost",
    "Lexicographic",
    "OperatingPoint",
    "ROCFront",
    "WithinLimits",
]
