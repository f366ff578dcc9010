"""What a chosen operating point is expected to cost, beside the usual decisions."""

import skvus
from skvus._cli._output import Table
from skvus._costs import least_cost_codes
from skvus._soft import non_negative_columns


def expected_costs(front, index, costs, priors, predictions):
    """Expected cost of a case, by what decides it.

    Parameters
    ----------
    front : ROCFront
    index : int
        The chosen member.
    costs : ndarray of shape (Q, Q)
    priors : ndarray of shape (Q,) or None
        Frequencies of the classes; None are those of the cases.
    predictions : Predictions or None
        The cases of the front; without them only the chosen member is known.
    """
    expected = {
        "chosen": float(front.expected_costs(costs, priors)[index]),
        "most_probable": None,
        "direct": None,
    }
    if predictions is not None:
        scores, classes = non_negative_columns(predictions.scores), predictions.classes
        # posteriors in proportion to the priors, as costs of the same proportion
        ratio = 1.0 if priors is None else (priors / front.priors)[:, None]
        codes = {
            "most_probable": scores.argmax(axis=1),
            "direct": least_cost_codes(scores, costs * ratio),
        }
        for name, called in codes.items():
            expected[name] = skvus.expected_cost(
                predictions.y_true,
                classes[called],
                cost_matrix=costs,
                priors=priors,
                labels=classes,
                sample_weight=predictions.weight,
            )
    return {**expected, "cost_matrix": costs, "priors": priors}


def expected_table(expected, name):
    """The same for people; `name` is that of the chosen member."""
    rows = [[name, expected["chosen"]]]
    if expected["most_probable"] is not None:
        rows.append(["the most probable class", expected["most_probable"]])
        if expected["direct"] != expected["most_probable"]:
            rows.append(["the given costs, case by case", expected["direct"]])
    cells = [[who, f"{cost:.6g}"] for who, cost in rows]
    return Table("expected cost of a case", ["decided by", "at the given costs"], cells)
