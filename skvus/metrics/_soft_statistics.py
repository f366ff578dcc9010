"""Scores of soft classifiers as functions of arrays, with their structural components."""

from abc import abstractmethod
from math import prod

import numpy as np

from skvus._labels import check_targets, ordered_categories
from skvus._soft import (
    SoftProblem,
    check_soft_problem,
    one_column,
    require_non_negative,
    require_probabilities,
)
from skvus._validation import check_generator
from skvus.metrics._angle import AngleCases, angle_vus_score
from skvus.metrics._components import (
    area_components,
    component_steps,
    counted,
    ordering_components,
    ordinal_components,
    top_components,
)
from skvus.metrics._drawn_components import FEWEST_TUPLES, drawn_components
from skvus.metrics._ordering import ordered_vus_score, raise_too_many
from skvus.metrics._polytope import check_volume_classes
from skvus.metrics._prices import check_for_distance, price_cases
from skvus.metrics._ranking import (
    area_shares,
    check_one_score,
    columns_of,
    directed_areas,
    hand_till_score,
    one_vs_rest_auc_score,
    ordinal_vus_score,
    pdi_score,
    run_credits,
)
from skvus.metrics._simplified import simplified_vus_score
from skvus.metrics._soft_polytope import soft_polytope_vus_score
from skvus.metrics._statistics import PointEstimate, Statistic, parameter_names
from skvus.metrics._tuples import AUTO_STEPS, MOST_STEPS, TIES, credit_function
from skvus.metrics._units import by_class


class SoftStatistic(Statistic):
    """A score of true labels and of scores for each class."""

    steps_a_case = 1

    def encode(self, y_true, prediction, labels):
        """Check labels and scores."""
        problem = check_soft_problem(y_true, prediction, labels=labels, sample_weight=None)
        self.check_scores(problem.scores, problem.n_classes)
        return problem.codes, problem.classes, problem.scores, problem.undefined

    def check_scores(self, scores, n_classes):
        """Raise unless the score can be had of these."""

    def value(self, sample, rows, times, seed):
        """The score of the cases that count at all."""
        return float(self._call(sample, rows, times, seed))

    def point(self, sample, k, seed):
        """The score as it stands, with details where there are any."""
        has_details = "return_details" in parameter_names(self.function)
        details = {"return_details": True} if has_details else {}
        once = np.ones(sample.codes.size)
        result = self._call(sample, sample.predictions[k], once, seed, **details)
        if has_details:
            n_tuples = getattr(result, "n_tuples", 0)
            error = float(np.nan_to_num(result.standard_error))  # a grid knows of none
            return PointEstimate(float(result), error, result.is_exact, n_tuples)
        return PointEstimate(float(result), 0.0, True, self.n_tuples(sample))

    def n_tuples(self, sample):
        """Number of tuples of one case from each class."""
        return prod(np.bincount(sample.codes).tolist())

    def _call(self, sample, rows, times, seed, **details):
        kept = times > 0
        parameters = {**self.parameters, **details}
        if "random_state" in parameter_names(self.function):
            parameters["random_state"] = np.random.default_rng(seed)
        codes, weight = sample.codes, sample.weight * times
        if not kept.all():
            codes, rows, weight = codes[kept], rows[kept], weight[kept]
        # each class has a case, so that the score sees all of them without labels=
        return self.function(codes, rows, sample_weight=weight, **parameters)


class SoftPolytopeStatistic(SoftStatistic):
    """The volume over all weightings of the classes, which is no mean over tuples."""

    @property
    def steps_a_case(self):
        """Many weightings are tried on each case."""
        return max(1, self.parameters.get("n_costs", 1000) // 100)

    def check_scores(self, scores, n_classes):
        """Scores must have logarithms."""
        if scores.ndim == 2:
            require_non_negative(scores)
        check_volume_classes(n_classes)


class RankStatistic(SoftStatistic):
    """A mean over tuples or pairs that ranks give."""

    has_components = True
    is_linear = True

    def components(self, sample, rng, n_jobs):
        """Components of all classifiers, and the number of tuples."""
        found = [
            counted(self.shares(sample, rows), sample.codes, sample.weight)
            for rows in sample.predictions
        ]
        return found, self.n_tuples(sample)

    @abstractmethod
    def shares(self, sample, rows):
        """Components of one classifier."""


class OrdinalStatistic(RankStatistic):
    """One score for ordered classes."""

    def encode(self, y_true, prediction, labels):
        """Check labels in their order, and one score."""
        scores = check_one_score(prediction)
        labels = ordered_categories(y_true) if labels is None else labels
        classes, codes = check_targets(y_true, "y_score", scores.size, labels=labels)
        return codes, classes, scores, None

    def shares(self, sample, rows):
        """Components from sums over what lies below and above."""
        credits = run_credits(self.parameters.get("ties", "share"), sample.n_classes)
        return ordinal_components(rows, sample.codes, sample.weight, sample.totals(), credits)


class PDIStatistic(RankStatistic):
    """The polytomous discrimination index."""

    def shares(self, sample, rows):
        """Components, column by column."""
        return top_components(columns_of(rows), sample.codes, sample.weight, sample.totals())


class AreaStatistic(RankStatistic):
    """A sum of areas of pairs of classes."""

    def n_tuples(self, sample):
        """Number of pairs of cases from different classes."""
        sizes = np.bincount(sample.codes).tolist()
        return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2

    def shares(self, sample, rows):
        """Components, column by column."""
        return area_components(
            columns_of(rows),
            sample.codes,
            sample.weight,
            sample.totals(),
            self._factors(sample),
        )

    def _factors(self, sample):
        return area_shares(sample.totals(), self.parameters.get("average", "pairs"))

    def lone_variances(self, sample, scores, lone):
        """A class is in few of the areas, the others do not vary with it."""
        factors = self._factors(sample)
        np.fill_diagonal(factors, 0.0)
        largest = (factors + factors.T).sum(axis=1)[lone]
        variances = np.empty(scores.size)
        for k, rows in enumerate(sample.predictions):
            areas = directed_areas(
                SoftProblem(rows, sample.codes, sample.weight, sample.classes, None)
            )
            np.fill_diagonal(areas, 0.0)
            parts = factors * areas
            part = (parts + parts.T).sum(axis=1)[lone]
            variances[k] = np.maximum(0.0, part * (largest - part)).sum()
        return variances


class OneVersusRestStatistic(AreaStatistic):
    """Areas against pooled classes, whose shares change when a case is left out."""

    is_linear = False

    def __init__(self, function, name, parameters):
        super().__init__(function, name, {"average": "macro", **parameters})


class TupleStatistic(SoftStatistic):
    """A mean over tuples that are counted or drawn."""

    @property
    def has_components(self):
        """A grid looks at operating points, not at tuples."""
        return self.parameters.get("method") != "grid"

    is_linear = has_components

    def check_scores(self, scores, n_classes):
        """Raise unless there are prices of these scores."""
        if self.function is angle_vus_score:
            require_probabilities(scores, "to have angles")
        else:
            check_for_distance(scores, self._distance)

    @property
    def _distance(self):
        default = "product" if self.function is simplified_vus_score else "euclidean"
        return self.parameters.get("distance", default)

    def is_drawn(self, sample):
        """Whether components would be estimated from drawn tuples."""
        return self._are_drawn([self._rule(sample, rows) for rows in sample.predictions])

    def _are_drawn(self, rules):
        method = self.parameters.get("method", "auto")
        steps = max(rule.steps for rule in rules)
        if method == "exact" and steps > MOST_STEPS:
            raise_too_many(steps, rules[0].sizes)
        # a count with components takes two to three times as long as the score
        return method == "sampled" or (method == "auto" and steps > 3 * AUTO_STEPS)

    def components(self, sample, rng, n_jobs):
        """Components of all classifiers, and the number of tuples."""
        rules = [self._rule(sample, rows) for rows in sample.predictions]
        if not self._are_drawn(rules):
            found = [
                counted(rule.components(n_jobs), sample.codes, sample.weight) for rule in rules
            ]
            return found, self.n_tuples(sample)
        n_tuples = self.parameters.get("n_tuples")
        return drawn_components(
            [rule.evaluate for rule in rules],
            sample.codes,
            sample.weight,
            None if n_tuples is None else max(n_tuples, FEWEST_TUPLES),
            check_generator(rng),
            n_jobs,
        )

    def _rule(self, sample, rows):
        problem = SoftProblem(rows, sample.codes, sample.weight, sample.classes, None)
        if self.function is angle_vus_score and one_column(rows).ndim == 2:
            return _AngleRule(problem, self.parameters.get("limit", "right_angle"))
        # of two classes the angle heuristic is the weak rule
        is_angle = self.function is angle_vus_score
        ties = "weak" if is_angle else self.parameters.get("ties", "share")
        return _OrderingRule(problem, self._distance, ties)


class _Rule:
    """How tuples of the cases of one classifier are credited."""

    def __init__(self, codes, which, sizes):
        self.members = by_class(codes, len(sizes))
        self.n = codes.size
        self.which = which
        self.sizes = sizes

    def components(self, n_jobs):
        """Components of all cases, in their order."""
        values = np.empty(self.n)
        parts = self.distinct_components(n_jobs)
        for own, which, part in zip(self.members, self.which, parts, strict=True):
            values[own] = part[which]
        return values

    def evaluate(self, picks):
        """Credits of tuples of cases."""
        columns = [which[column] for which, column in zip(self.which, picks.T, strict=True)]
        return self.distinct_credits(np.column_stack(columns))


class _OrderingRule(_Rule):
    """The cheapest assignment."""

    def __init__(self, problem, distance, ties):
        self.cases = price_cases(problem, distance)
        super().__init__(problem.codes, self.cases.which, self.cases.sizes)
        self.steps = component_steps(self.sizes)
        self.ties = ties
        self.distinct_credits = credit_function(
            self.cases.rows, self.cases.tolerance, TIES.index(ties)
        )

    def distinct_components(self, n_jobs):
        """Components of distinct cases, class by class."""
        return ordering_components(self.cases, self.ties, n_jobs)


class _AngleRule(_Rule):
    """The angle heuristic."""

    def __init__(self, problem, limit):
        self.cases = AngleCases(problem, limit)
        super().__init__(problem.codes, self.cases.which, self.cases.sizes)
        self.steps = self.cases.steps
        self.distinct_components = self.cases.components
        self.distinct_credits = self.cases.credit_function()


SOFT = {
    angle_vus_score: TupleStatistic,
    hand_till_score: AreaStatistic,
    one_vs_rest_auc_score: OneVersusRestStatistic,
    ordered_vus_score: TupleStatistic,
    ordinal_vus_score: OrdinalStatistic,
    pdi_score: PDIStatistic,
    simplified_vus_score: TupleStatistic,
    soft_polytope_vus_score: SoftPolytopeStatistic,
}
