"""Classifiers that turn posteriors into decisions."""

from skvus.classifiers._calibration import CalibrationReport
from skvus.classifiers._cost_matrix import CostMatrixClassifier

__all__ = ["CalibrationReport", "CostMatrixClassifier"]
