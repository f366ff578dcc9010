"""``skvus compare``: whether classifiers differ, from their predictions for the same cases."""

import os
from dataclasses import replace

import numpy as np

import skvus
from skvus._cli._messages import CommandError, listed, note
from skvus._cli._options import (
    add_command,
    add_estimation_options,
    add_json,
    add_reading_options,
    wanted_of,
)
from skvus._cli._output import Table, number, print_json, show, verbosity
from skvus._cli._predictions import read_predictions
from skvus._cli._scores import asked_scores, inference_options, input_of, why_not
from skvus.metrics._comparison_results import largest_sampling_error

EXAMPLES = (
    "skvus compare a.csv b.csv",
    "skvus compare a.csv b.csv c.csv --score hand_till",
    "skvus compare a.csv b.csv --id patient --json",
)


def add_to(commands):
    """Add the command to a parser."""
    parser = add_command(
        commands,
        "compare",
        run,
        summary="test whether classifiers differ",
        examples=EXAMPLES,
        more="A paired test of classifiers that were applied to the same cases, with Holm's "
        "correction for more than two.",
    )
    parser.add_argument("files", nargs="+", metavar="file", help="predictions of a classifier")
    add_reading_options(parser)
    parser.add_argument(
        "--id",
        metavar="COLUMN",
        help="what tells cases apart; without, rows must be in the same order",
    )
    parser.add_argument("--score", metavar="NAME", help="which score (default simplified_vus)")
    parser.add_argument(
        "--alternative",
        choices=("two-sided", "less", "greater"),
        default="two-sided",
        help="whether the first score differs from the second, is less, or is greater",
    )
    add_estimation_options(parser)
    add_json(parser)


def run(args):
    """Compare classifiers; return the exit status."""
    if len(args.files) < 2:
        raise CommandError(f"compare takes two files or more; got {args.files[0]} only.")
    if args.files.count("-") > 1:
        raise CommandError("compare can read one of the files from standard input, not two.")
    asked = asked_scores(args.score) if args.score else None
    if args.score and (asked is None or len(asked) > 1):
        raise CommandError(f"--score must name one score; got {args.score!r}.")
    wanted = wanted_of(args, id=args.id)
    read = []
    for path in args.files:
        read.append(read_predictions(path, wanted))
        if len(read) > 1:
            read[-1] = _in_order(read[0], read[-1])
    score = asked[0] if asked else _usual_score(read)
    for predictions in read:
        reason = why_not(score, predictions)
        if reason:
            raise CommandError(f"{predictions.name}: {score} {reason}.")
    names = _short_names(args.files)
    table = skvus.compare_many(
        read[0].y_true,
        {name: input_of(score, part) for name, part in zip(names, read, strict=True)},
        score=score,
        alternative=args.alternative,
        labels=read[0].classes,
        sample_weight=read[0].weight,
        **inference_options(score, read[0], args, verbosity()),
    )
    if args.json:
        print_json(_as_json(args, read[0], score, names, table))
    else:
        show(*_as_tables(args, read[0], score, names, table))
    return 0


def _usual_score(read):
    """The score that is used if none is asked for: of probabilities, scores, or labels."""
    names = ("simplified_vus", "hand_till", "polytope_vus")
    for name in names:
        if not any(why_not(name, predictions) for predictions in read):
            if name != names[0]:
                note(f"{name} is compared, since {names[0]} {_reason(names[0], read)}.")
            return name
    raise CommandError("the files have no predictions of one kind; tell with --score.")


def _reason(name, read):
    return next(reason for reason in (why_not(name, part) for part in read) if reason)


def _in_order(first, other):
    """Predictions of another classifier in the order of the cases of the first."""
    where = f"{first.name} and {other.name}"
    if first.labels != other.labels:
        raise CommandError(
            f"{where} must have the same classes; got {listed(first.labels)} and "
            f"{listed(other.labels)}."
        )
    if first.y_true.size != other.y_true.size:
        raise CommandError(
            f"{where} must have the same cases; they have {first.y_true.size:,} and "
            f"{other.y_true.size:,} rows."
        )
    if first.ids is not None:
        other = _by_id(first, other)
    differs = first.y_true != other.y_true
    if not differs.any():
        return _same_weights(first, other)
    i = int(np.argmax(differs))
    case = f"case {i + 1:,}" if first.ids is None else f"the case {first.ids[i]!r}"
    hint = "" if first.ids is not None else " If rows are in another order, name --id."
    raise CommandError(
        f"{where} must have the same true labels; those of {case} are "
        f"{first.labels[_code(first, i)]!r} and {other.labels[_code(other, i)]!r}, and "
        f"{int(differs.sum()):,} differ in all.{hint}"
    )


def _code(predictions, i):
    return int(np.flatnonzero(predictions.classes == predictions.y_true[i])[0])


def _by_id(first, other):
    """The same cases, sorted by those of the first."""
    for part in (first, other):
        if len(set(part.ids)) < len(part.ids):
            seen = set()
            twice = next(i for i in part.ids if i in seen or seen.add(i))
            raise CommandError(f"{part.name} has the case {twice!r} twice.")
    places = {case: i for i, case in enumerate(other.ids)}
    missing = [case for case in first.ids if case not in places]
    if missing:
        raise CommandError(f"{other.name} lacks cases of {first.name}: {listed(missing, 5)}.")
    order = np.array([places[case] for case in first.ids])
    return replace(
        other,
        ids=first.ids,
        **{
            name: None if getattr(other, name) is None else getattr(other, name)[order]
            for name in ("y_true", "scores", "pred", "weight")
        },
    )


def _same_weights(first, other):
    """Raise if a case weighs more in one file than in the other."""
    if first.weight is not None and not np.array_equal(first.weight, other.weight):
        raise CommandError(f"{first.name} and {other.name} must have the same weights.")
    return other


def _short_names(paths):
    """Names of classifiers: of the files, numbered if there are several of one name."""
    names = [os.path.basename(path).split(".")[0] or path for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    return [
        name if names.count(name) == 1 else f"{name} ({names[: k + 1].count(name)})"
        for k, name in enumerate(names)
    ]


def _as_json(args, first, score, names, table):
    comparisons = []
    for row in table:
        result = table[row.first, row.second]
        low, high = result.confidence_interval(args.level)
        comparisons.append(
            {
                "first": row.first,
                "second": row.second,
                "difference": row.difference,
                "standard_error": row.standard_error,
                "low": low,
                "high": high,
                "statistic": row.statistic,
                "pvalue": row.pvalue,
                "adjusted_pvalue": row.adjusted_pvalue,
                "method": result.method,
                "is_exact": result.is_exact,
                "sampling_error": result.sampling_error,
            }
        )
    scores = zip(names, args.files, table.scores, table.standard_errors, strict=True)
    return {
        "command": "compare",
        "version": skvus.__version__,
        "score": score,
        "n_cases": first.y_true.size,
        "classes": first.labels,
        "alternative": args.alternative,
        "level": args.level,
        "classifiers": [
            {"name": name, "file": path, "value": value, "standard_error": error}
            for name, path, value, error in scores
        ],
        "comparisons": comparisons,
    }


def _as_tables(args, first, score, names, table):
    yield f"{score} of {len(names)} classifiers on the same {first.y_true.size:,} cases"
    yield ""
    rows = zip(names, table.scores, table.standard_errors, strict=True)
    yield Table(
        "",
        ["classifier", score, "std. error"],
        [[name, number(value), number(error)] for name, value, error in rows],
    )
    yield ""
    level = f"{100 * args.level:g}% interval"
    head = ["comparison", "difference", "std. error", level, "z", "p"]
    rows = []
    for row in table:
        low, high = table[row.first, row.second].confidence_interval(args.level)
        cells = [f"{row.difference:+.4f}", number(row.standard_error)]
        cells += [f"{low:+.4f} to {high:+.4f}", f"{row.statistic:.2f}", f"{row.pvalue:.3g}"]
        rows.append([f"{row.first} - {row.second}", *cells])
        if len(table) > 1:
            rows[-1].append(f"{row.adjusted_pvalue:.3g}")
    yield Table("", [*head, "p (Holm)"] if len(table) > 1 else head, rows)
    drawn = largest_sampling_error(table)
    if drawn > 0.0:
        yield ""
        yield (
            f"The score was drawn, not counted: up to {drawn:.1g} of the standard error of a "
            "difference comes from that."
        )
    if args.alternative != "two-sided":
        yield ""
        yield f"p is against: the first score of a pair is {args.alternative} than the second."
