"""Options that commands have in common, and what their values mean."""

import argparse
import json
import re
from itertools import product
from textwrap import fill

import numpy as np

from skvus._cli._cells import are_whole, as_label
from skvus._cli._messages import CommandError, listed
from skvus._cli._predictions import split_names
from skvus._cli._reading import Wanted
from skvus._cli._tables import open_table
from skvus._validation import check_priors, did_you_mean
from skvus.metrics._estimation import MOST_RESAMPLES
from skvus.metrics._ordering import MOST_JOBS, MOST_TUPLES


def add_command(commands, name, run, *, summary, examples, more=""):
    """A command with its help; `examples` are command lines that show what it does."""
    lines = "\n".join(f"  {line}" for line in examples)
    parser = commands.add_parser(
        name,
        help=summary,
        description=fill(f"{summary[0].upper()}{summary[1:]}. {more}", 79),
        epilog=f"examples:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, parser=parser)
    return parser


def refuse_unknown(args, unknown):
    """End with the usage of the command, and the option that may be meant."""
    known = re.findall(r"--[\w-]+", args.parser.format_usage())
    options = [text.partition("=")[0] for text in unknown if text.startswith("--")]
    hints = "".join(did_you_mean(option, known) for option in options)
    args.parser.error(f"unrecognized arguments: {' '.join(unknown)}.{hints}")


def add_reading_options(parser):
    """What is in which column."""
    group = parser.add_argument_group(
        "columns", "Found by their names if not given; what was found is told on stderr."
    )
    group.add_argument("--truth", metavar="COLUMN", help="true labels")
    group.add_argument(
        "--scores",
        metavar="A,B,...",
        type=_names,
        help="scores, a column for each class; they go to classes by names such as p_LABEL, "
        "else in the order of the classes",
    )
    group.add_argument("--pred", metavar="COLUMN", help="predicted labels")
    group.add_argument("--weight", metavar="COLUMN", help="weights of the cases")
    group.add_argument(
        "--labels",
        metavar="A,B,...",
        type=_names,
        help="all classes in their order, also those without a case",
    )
    group.add_argument(
        "--raw", action="store_true", help="scores are no probabilities (decision_function)"
    )
    group.add_argument(
        "--normalize", action="store_true", help="divide scores by the sum of their row"
    )


def wanted_of(args, **more):
    """What the options say of columns."""
    if args.raw and args.normalize:
        raise CommandError(
            "--raw scores are no probabilities, which --normalize makes of them."
        )
    return Wanted(
        truth=args.truth,
        scores=args.scores,
        pred=args.pred,
        weight=args.weight,
        labels=args.labels,
        is_raw=args.raw,
        is_normalized=args.normalize,
        **more,
    )


def add_estimation_options(parser):
    """How errors are found."""
    parser.add_argument(
        "--level", type=_share, default=0.95, help="confidence of intervals (default 0.95)"
    )
    parser.add_argument(
        "--resamples",
        type=_whole(2, MOST_RESAMPLES),
        metavar="N",
        help="samples of a bootstrap",
    )
    parser.add_argument(
        "--tuples",
        type=_whole(2, MOST_TUPLES),
        metavar="N",
        help="tuples to draw where there are too many to count",
    )
    parser.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="threads or processes, -1: all"
    )
    add_seed(parser)


def add_seed(parser):
    """What is drawn."""
    parser.add_argument(
        "--seed",
        type=_whole(0, 2**32 - 1),
        default=0,
        metavar="N",
        help="of what is drawn (default 0)",
    )


def add_json(parser):
    """Output for machines."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_cost(parser):
    """Costs of mistakes."""
    parser.add_argument(
        "--cost",
        "--costs",
        dest="costs",
        action="append",
        metavar="TRUE:CALLED=COST",
        help="cost of a mistake, several with commas or by repeating it; others cost 1. Or a "
        "table (.csv, .json) with a row for each true class",
    )


def add_choice_options(parser):
    """How a point of a front is chosen."""
    parser.add_argument(
        "--limit",
        dest="limits",
        action="append",
        metavar="TRUE:CALLED=RATE",
        help="largest rate of a mistake; CLASS=RATE for all mistakes of a class; repeatable",
    )
    parser.add_argument(
        "--confidence",
        type=_share,
        metavar="LEVEL",
        help="limits hold for upper confidence bounds of the rates",
    )
    add_cost(parser)
    parser.add_argument(
        "--priors",
        action="append",
        metavar="CLASS=SHARE",
        help="frequencies of all classes where --cost is to count, if not those of the cases",
    )


def _names(text):
    names = split_names(text)
    if not names or not all(names):
        raise argparse.ArgumentTypeError(f"must be names with commas between; got {text!r}")
    return names


def _share(text):
    value = _float(text)
    if not 0.0 < value < 1.0:
        raise argparse.ArgumentTypeError(f"must lie between 0 and 1, as 0.95; got {text!r}")
    return value


def _float(text):
    try:
        return float(text)
    except ValueError:
        return np.nan


def _whole(least, most):
    def check(text):
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {least} to {most}; got {text!r}"
            )
        return int(text)

    return check


def n_costs(text):
    """Number of costs to try, or all."""
    return text if text == "all" else _whole(1, 10**9)(text)


def _jobs(text):
    return -1 if text == "-1" else _whole(1, MOST_JOBS)(text)


def parsed_pairs(texts, option):
    """Pairs of a key, as text, and a number, from ``key=number``."""
    pairs = []
    for text in texts or []:
        for item in split_names(text):
            key, sign, value = item.rpartition("=")
            amount = _float(value)
            if not (sign and key.strip() and np.isfinite(amount) and amount >= 0.0):
                form, what = _FORM[option]
                raise CommandError(f"{option} must be as {form}, {what}; got {item!r}.")
            pairs.append((key.strip(), amount))
    return pairs


_FORM = {
    "--cost": ("TRUE:CALLED=COST", "a number from 0 on"),
    "--limit": ("TRUE:CALLED=RATE or CLASS=RATE", "a rate from 0 to 1, such as 0.05"),
    "--priors": ("CLASS=SHARE", "a share from 0 to 1, such as 0.2"),
}


def limits_of(texts, labels):
    """Limits by (true, predicted) or class."""
    limits = {}
    for key, rate in parsed_pairs(texts, "--limit"):
        found = _class_or_pair(key, labels, "--limit")
        limits[found] = min(rate, limits.get(found, rate))
        if rate > 1.0:
            raise CommandError(f"--limit must be a rate, at most 1; got {key}={rate:g}.")
    return limits


def costs_of(texts, labels):
    """A cost matrix of pairs, or of a file; None without options."""
    if not texts:
        return None
    if any(text.lower().endswith((".csv", ".tsv", ".json")) for text in texts):
        if len(texts) > 1:
            raise CommandError("--cost takes one file, or pairs.")
        return _costs_of_file(texts[0], labels)
    costs = 1.0 - np.eye(len(labels))
    for key, cost in parsed_pairs(texts, "--cost"):
        true, called = _class_or_pair(key, labels, "--cost")
        costs[labels.index(true), labels.index(called)] = cost
    if not costs.any():
        raise CommandError("--cost must leave a mistake that costs something.")
    return costs


def priors_of(texts, labels, costs):
    """Frequencies of the classes; None without options."""
    if not texts:
        return None
    if costs is None:
        raise CommandError("--priors is for costs; there is no --cost.")
    shares = {}
    for key, share in parsed_pairs(texts, "--priors"):
        label = _label(key, labels)
        if label is None:
            raise CommandError(
                f"--priors {key}: there is no such class.{did_you_mean(key, labels)} Classes "
                f"are {listed(labels)}."
            )
        shares[label] = share
    missing = [label for label in labels if label not in shares]
    if missing:
        raise CommandError(f"--priors must name all classes; {listed(missing)} are missing.")
    return check_priors([shares[label] for label in labels], n_classes=len(labels))


def _class_or_pair(key, labels, option):
    """A class, or a pair of classes with a colon between, as labels."""
    single = _label(key, labels)
    if single is not None and option == "--limit":
        return single
    splits = [(key[:i], key[i + 1 :]) for i, c in enumerate(key) if c == ":"]
    pairs = [
        (_label(true.strip(), labels), _label(called.strip(), labels))
        for true, called in splits
    ]
    pairs = [pair for pair in pairs if None not in pair]
    if len(pairs) == 1 and pairs[0][0] != pairs[0][1]:
        return pairs[0]
    if pairs:
        raise CommandError(f"{option} must name one mistake; got {key!r}.")
    if single is not None:
        raise CommandError(
            f"{option} must be as TRUE:CALLED=COST, for each mistake of a class; got the class "
            f"{key!r}."
        )
    options = [f"{a}:{b}" for a, b in product(labels[:30], repeat=2) if a != b]
    options += [] if option == "--cost" else list(map(str, labels))
    raise CommandError(
        f"{option} {key}: there is no such mistake.{did_you_mean(key, options)} Classes are "
        f"{listed(labels)}."
    )


def _label(text, labels):
    """The class of a text, or None."""
    found = next((label for label in labels if str(label) == text), None)
    if found is None and not isinstance(labels[0], str) and are_whole([text]):
        return next((label for label in labels if label == as_label(text, True)), None)
    return found


def _costs_of_file(path, labels):
    """A matrix of a table whose first column has the true classes, or of nested JSON."""
    if path.lower().endswith(".json"):
        try:
            with open(path, encoding="utf-8") as file:
                rows = json.load(file)
            table = {
                str(true): {str(called): float(cost) for called, cost in row.items()}
                for true, row in rows.items()
            }
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise CommandError(
                f'{path} must be JSON such as {{"a": {{"b": 5, "c": 1}}, ...}}: {error}.'
            ) from error
    else:
        table = _costs_of_table(path)
    matrix = np.zeros((len(labels), len(labels)))
    for k, true in enumerate(labels):
        for j, called in enumerate(labels):
            cost = table.get(str(true), {}).get(str(called), 0.0 if k == j else np.nan)
            if not (np.isfinite(cost) and cost >= 0.0) or (k == j and cost != 0.0):
                raise CommandError(
                    f"{path}: the cost of calling {true!r} {called!r} must be "
                    f"{'zero' if k == j else 'a number that is not negative'}; got {cost}."
                )
            matrix[k, j] = cost
    if not matrix.any():
        raise CommandError(f"{path} must have a mistake that costs something.")
    return matrix


def _costs_of_table(path):
    with open_table(path) as table:
        names, has_commas = table.columns, table.has_commas
        rows = [
            row
            for block in table.blocks(range(len(names)))
            for row in zip(*block.cells.values(), strict=True)
        ]
    return {
        str(row[0]).strip(): {
            name: _float(cell.replace(",", ".") if has_commas else cell)
            for name, cell in zip(names[1:], row[1:], strict=True)
        }
        for row in rows
    }
