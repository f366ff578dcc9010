"""``skvus score``: every score that applies to the predictions in a table."""

from dataclasses import asdict

import skvus
from skvus._cli._messages import CommandError, listed, note
from skvus._cli._options import (
    add_command,
    add_cost,
    add_estimation_options,
    add_json,
    add_reading_options,
    costs_of,
    wanted_of,
)
from skvus._cli._output import Table, number, print_json, progress, show, verbosity
from skvus._cli._predictions import read_predictions
from skvus._cli._scores import (
    SLOW,
    asked_scores,
    score_once,
    score_with_error,
    why_not,
)

EXAMPLES = (
    "skvus score predictions.csv",
    "skvus score predictions.csv --truth y --scores p_a,p_b,p_c --ci",
    "skvus score predictions.csv --score simplified_vus,hand_till --json",
    "skvus score predictions.csv --cost a:b=5,b:a=2",
    "cat predictions.csv | skvus score -",
)


def add_to(commands):
    """Add the command to a parser."""
    parser = add_command(
        commands,
        "score",
        run,
        summary="score the predictions in a table",
        examples=EXAMPLES,
        more="The table is CSV, TSV (also .gz) or Parquet with a header, a row for each case.",
    )
    parser.add_argument("file", help="predictions; - is standard input")
    add_reading_options(parser)
    parser.add_argument(
        "--score",
        default="all",
        metavar="NAME,...",
        help=f"which scores (default all that apply): {', '.join(skvus.get_scorer_names())}",
    )
    parser.add_argument(
        "--ci", action="store_true", help="standard errors and confidence intervals"
    )
    add_cost(parser)
    add_estimation_options(parser)
    add_json(parser)


def run(args):
    """Score predictions; return the exit status."""
    asked = asked_scores(args.score)
    predictions = read_predictions(args.file, wanted_of(args))
    costs = costs_of(args.costs, predictions.labels)
    names = asked or skvus.get_scorer_names()
    left_out = {name: why_not(name, predictions) for name in names}
    left_out = {name: reason for name, reason in left_out.items() if reason}
    if asked and left_out:
        raise CommandError("; ".join(f"{name} {why}" for name, why in left_out.items()) + ".")
    scores = []
    for name in progress([name for name in names if name not in left_out], "scores"):
        try:
            scores.append(_score(name, predictions, args, asked))
        except ValueError as error:
            if asked:
                raise
            left_out[name] = str(error).rstrip(".")
    _tell_left_out(left_out)
    cost = None if costs is None else _expected_cost(predictions, costs)
    if args.json:
        print_json(_as_json(predictions, scores, left_out, cost, args))
    else:
        show(*_as_tables(predictions, scores, cost, args))
    return 0


def _score(name, predictions, args, asked):
    """A score, with its error unless that would take minutes that nobody asked for."""
    if args.ci and name in SLOW and not (asked or args.resamples):
        note(
            f"{name}: its error takes a bootstrap of minutes; ask for it with --score {name} "
            "or with --resamples."
        )
    elif args.ci:
        return score_with_error(name, predictions, args, verbosity())
    return score_once(name, predictions, args)


def _tell_left_out(left_out):
    """Say once for each reason what was left out."""
    reasons = {}
    for name, reason in left_out.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        note(f"left out {', '.join(names)}: {reason}.")


def _expected_cost(predictions, costs):
    """Expected cost of a case, and that of the best constant decision."""
    options = {
        "cost_matrix": costs,
        "labels": predictions.classes,
        "sample_weight": predictions.weight,
    }
    y_true = predictions.y_true
    constant = min(
        skvus.expected_cost(y_true, [label] * y_true.size, **options)
        for label in predictions.labels
    )
    return {
        "value": skvus.expected_cost(y_true, predictions.decisions(), **options),
        "decided_by": predictions.decided_by,
        "best_constant": constant,
        "cost_matrix": costs,
    }


def _as_json(predictions, scores, left_out, cost, args):
    return {
        "command": "score",
        "version": skvus.__version__,
        "file": predictions.name,
        "n_cases": predictions.y_true.size,
        "classes": predictions.labels,
        "class_sizes": predictions.class_sizes,
        "score_columns": predictions.score_columns,
        "level": args.level if args.ci else None,
        "scores": {score.name: asdict(score) for score in scores},
        "left_out": left_out,
        "expected_cost": cost,
    }


def _as_tables(predictions, scores, cost, args):
    n_cases = predictions.y_true.size
    pairs = zip(predictions.labels, predictions.class_sizes, strict=True)
    sizes = listed([f"{label}: {size:,}" for label, size in pairs], 10)
    n_classes = predictions.classes.size
    yield f"{predictions.name}: {n_cases:,} cases of {n_classes} classes ({sizes})"
    yield ""
    errors = ["std. error", f"{100 * args.level:g}% interval"] if args.ci else []
    head = ["score", "value", *errors, "chance", "how"]
    rows = [_row(score, args) for score in scores]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    yield Table("", head, rows)
    yield ""
    yield "1 is perfect. Chance is what a classifier scores that knows nothing."
    if any(score.is_lower_bound for score in scores):
        yield "A lower bound counts some operating points only; the score is at least that."
    if cost is not None:
        yield (
            f"Expected cost of a case, decided by {cost['decided_by']}: {cost['value']:.6g}; "
            f"by the best constant decision: {cost['best_constant']:.6g}."
        )


def _row(score, args):
    errors = []
    if args.ci:
        limits = f"{number(score.low)} to {number(score.high)}"
        errors = [number(score.standard_error), "-" if score.low is None else limits]
    return [score.name, number(score.value), *errors, number(score.chance), _how(score)]


def _how(score):
    """How a score and its error came about, in a few words."""
    parts = [] if score.method is None else [_METHODS[score.method]]
    if score.is_lower_bound:
        parts.append("lower bound")
    if score.n_tuples and not score.is_exact:
        parts.append(f"{score.n_tuples:,} tuples ± {score.sampling_error:.1g}")
    elif not score.is_exact and score.sampling_error:
        parts.append(f"sampled ± {score.sampling_error:.1g}")
    return ", ".join(parts)


_METHODS = {
    "delong": "DeLong",
    "jackknife": "jackknife",
    "bootstrap": "bootstrap",
    "undefined": "undefined",
}
