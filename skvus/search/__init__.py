"""How a front is found."""

from skvus.search._pareto_search import ParetoROCSearch

__all__ = ["ParetoROCSearch"]
