"""Classifiers: posteriors that two numbers shape, and posteriors turned into decisions."""

from skvus.classifiers._calibration import CalibrationReport
from skvus.classifiers._cost_matrix import CostMatrixClassifier
from skvus.classifiers._probabilistic_knn import ProbabilisticKNeighborsClassifier

__all__ = ["CalibrationReport", "CostMatrixClassifier", "ProbabilisticKNeighborsClassifier"]
