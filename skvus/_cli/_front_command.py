"""``skvus front`` and ``skvus report``: the trade-off surface, a choice from it, its page."""

import os
import shlex
import zipfile

import numpy as np

import skvus
from skvus._cli._expected import expected_costs, expected_table
from skvus._cli._messages import NO_POINT, CommandError, note
from skvus._cli._options import (
    add_choice_options,
    add_command,
    add_json,
    add_reading_options,
    add_seed,
    costs_of,
    limits_of,
    n_costs,
    priors_of,
    wanted_of,
)
from skvus._cli._output import confusion, number, print_json, show
from skvus._cli._predictions import read_predictions
from skvus._files import read_archive
from skvus.search._checkpoint import KIND as CHECKPOINT
from skvus.search._checkpoint import VERSION as CHECKPOINT_VERSION

FRONT_EXAMPLES = (
    "skvus front predictions.csv --out front.skvus --html front.html",
    "skvus front predictions.csv --limit a:b=0.2 --limit c=0.4",
    "skvus front predictions.csv --cost a:b=5 --n-costs 1000 --json",
)
REPORT_EXAMPLES = (
    "skvus report front.skvus --html front.html",
    "skvus report front.skvus --html front.html --limit a:b=0.2 --cost c:a=5",
)


def add_front_to(commands):
    """Add the command that makes a front to a parser."""
    parser = add_command(
        commands,
        "front",
        _run_front,
        summary="find the trade-offs of mistakes, and choose one",
        examples=FRONT_EXAMPLES,
        more="Without limits and costs the choice is the operating point most distant from "
        "random allocation.",
    )
    parser.add_argument("file", help="predictions with probabilities; - is standard input")
    add_reading_options(parser)
    parser.add_argument("--out", metavar="FILE", help="save the front, for ROCFront.load")
    _add_page(parser, "write a page to explore it in a browser")
    add_choice_options(parser)
    parser.add_argument(
        "--n-costs",
        type=n_costs,
        default=10_000,
        metavar="N",
        help="how many costs are tried (default 10000)",
    )
    add_seed(parser)
    add_json(parser)


def add_report_to(commands):
    """Add the command that writes the page of a saved front to a parser."""
    parser = add_command(
        commands,
        "report",
        _run_report,
        summary="write the page of a saved front",
        examples=REPORT_EXAMPLES,
    )
    parser.add_argument("file", help="a front that skvus front --out or ROCFront.save wrote")
    what = "the page to write, to explore it in a browser; needed but for --json"
    _add_page(parser, what, "--out")  # there is nothing else that it could write
    add_choice_options(parser)
    add_json(parser)


def _add_page(parser, what, *other_names):
    parser.add_argument("--html", *other_names, metavar="FILE", help=what)
    parser.add_argument("--title", help="heading of the page")


def _run_front(args):
    _check_outputs(args, args.out, args.html)
    wanted = wanted_of(args)
    if wanted.is_raw:
        raise CommandError("a front takes probabilities; --raw scores are none.")
    predictions = read_predictions(args.file, wanted, needs_scores=True)
    if predictions.scores.ndim == 1 and predictions.classes.size > 2:
        raise CommandError("a front takes a score for each class; --scores names one column.")
    labels = predictions.labels
    choice = _choice(args, labels)
    front = skvus.ROCFront.from_predictions(
        predictions.y_true,
        predictions.scores,
        n_costs=args.n_costs,
        labels=predictions.classes,
        sample_weight=predictions.weight,
        random_state=args.seed,
    )
    if args.out:
        front.save(args.out)
        note(f"front saved in {args.out}")
    return _finish(args, front, choice, args.out, predictions)


def _run_report(args):
    _check_outputs(args, args.html)
    front = _loaded(args.file)
    if not (args.html or args.json):
        raise CommandError("report writes a page: name it with --html FILE, or use --json.")
    return _finish(args, front, _choice(args, front.classes.tolist()), args.file)


def _choice(args, labels):
    """Limits, costs and priors of the options."""
    costs = costs_of(args.costs, labels)
    return limits_of(args.limits, labels), costs, priors_of(args.priors, labels, costs)


def _check_outputs(args, *paths):
    """Raise before any work if a file cannot be written, or would replace another one."""
    used = [] if args.file == "-" else [os.path.realpath(args.file)]
    for path in filter(None, paths):
        folder = os.path.dirname(os.path.realpath(path))
        if os.path.isdir(path):
            raise CommandError(f"{path} is a folder; name a file to write.")
        if not os.path.isdir(folder):
            raise CommandError(f"{path} cannot be written: there is no folder {folder}.")
        if not os.access(folder, os.W_OK):
            raise CommandError(f"{path} cannot be written: the folder is read-only.")
        if os.path.realpath(path) in used:
            raise CommandError(f"{path} is named twice; it would be overwritten.")
        used.append(os.path.realpath(path))


def _loaded(path):
    """A front of a file."""
    if os.path.isdir(path):
        raise CommandError(f"{path} is a folder, not a front.")
    try:
        return skvus.ROCFront.load(path)
    except FileNotFoundError as error:
        raise CommandError(f"{path}: there is no such file.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        if _is_checkpoint(path):
            raise CommandError(
                f"{path} is a checkpoint of a search, which only that search can go on from: "
                "fit it again with the same checkpoint, then write search.report('page.html') "
                "or search.front_.save('front.skvus') for this command."
            ) from error
        if not zipfile.is_zipfile(path):
            raise CommandError(
                f"{path} is no skvus file, which skvus front --out writes. If it is a table of "
                f"predictions: skvus front {shlex.quote(path)} --html front.html"
            ) from error
        raise


def _is_checkpoint(path):
    try:
        read_archive(path, kind=CHECKPOINT, version=CHECKPOINT_VERSION)
    except ValueError:
        return False
    return True


def _finish(args, front, choice, saved, predictions=None):
    """Choose, write the page, and print what is chosen."""
    limits, costs, priors = choice
    rule = "distance" if costs is None else skvus.LeastCost(costs, priors=priors)
    if limits:
        rule = skvus.WithinLimits(limits, then=rule, confidence=args.confidence)
    elif args.confidence:
        raise CommandError("--confidence is of limits; there is no --limit.")
    try:
        index = front.select(rule)
    except ValueError as error:
        if limits:
            raise CommandError(_out_of_reach(args, front, str(error)), NO_POINT) from error
        raise
    gini, error = front.gini(random_state=0, return_std=True)
    if args.html:
        front.explore(args.html, rule=rule, title=args.title)
        note(f"page written to {args.html}")
    code, expected = _code(front, index, saved), None
    if costs is not None:
        expected = expected_costs(front, index, costs, priors, predictions)
    if args.json:
        print_json(_as_json(args, front, index, (gini, error), expected, code))
    else:
        show(*_as_tables(args, front, index, (gini, error), expected, code))
    return 0


def _out_of_reach(args, front, message):
    """That no point is within the limits, with what a command line can do about it."""
    told, advice, _ = message.partition(" More costs, or ")
    if not advice:
        return message
    has_more = len(front.classes) > 2 and front.costs is not None  # two classes use all costs
    if has_more and args.command == "front":
        return f"{told} A larger --n-costs reaches more, or relax a limit."
    more = ", or make a front of more costs: skvus front --n-costs" if has_more else ""
    return f"{told} Relax a limit{more}."


def _code(front, index, saved):
    """Python that uses the chosen member."""
    if front.costs is None:
        return None
    if saved:
        costs = f"skvus.ROCFront.load({saved!r}).costs[{index}]"
    else:
        costs = str(front.costs[index].tolist())
    return f"skvus.CostMatrixClassifier(model, {costs}).fit(X, y)"


def _as_json(args, front, index, gini, expected, code):
    chosen = front[index]
    return {
        "command": args.command,
        "version": skvus.__version__,
        "file": args.file,
        "classes": front.classes,
        "class_sizes": front.class_sizes,
        "n_members": len(front),
        "gini": gini[0],
        "gini_std": gini[1],
        "index": index,
        "rates": chosen.rates,
        "counts": chosen.counts,
        "cost_matrix": chosen.cost_matrix,
        "expected_cost": expected,
        "params": None
        if chosen.params is None
        else {k: str(v) for k, v in chosen.params.items()},
        "code": code,
    }


def _as_tables(args, front, index, gini, expected, code):
    chosen, labels = front[index], front.classes.tolist()
    error = "exact" if gini[1] == 0.0 else f"± {gini[1]:.1g}"
    yield f"{len(front):,} operating points that none of them dominates; they dominate"
    yield f"{number(gini[0])} ({error}) of what is better than random (the Gini coefficient G)."
    yield ""
    yield f"Chosen is operating point {index:,}:"
    yield ""
    if chosen.counts is not None:
        yield confusion("cases", labels, chosen.counts, lambda count: f"{count:,.6g}")
        yield ""
    yield confusion("rates", labels, chosen.rates, lambda rate: f"{rate:.4f}")
    yield ""
    if expected is not None:
        yield expected_table(expected, f"operating point {index:,}")
        yield ""
    if len(front) > 1:
        yield f"The choice among {len(front):,} on the very cases that they were found with is"
        yield "optimistic; fresh cases tell how good it is."
        yield ""
    if chosen.cost_matrix is not None:
        title = "costs to give to the classifier so that it decides so"
        yield confusion(title, labels, _readable(chosen.cost_matrix), _cost)
        yield ""
    if chosen.params:
        yield ", ".join(f"{name}={value}" for name, value in chosen.params.items())
    if code and (args.command == "report" or args.out):
        yield "In Python:"
        yield ""
        yield f"    {code}"
    elif code:
        again = shlex.join(["--out", "front.skvus"])
        yield f"To use it in Python, save the front with {again}."


def _readable(costs):
    """Costs in units of the least that is positive."""
    return costs / np.min(costs[costs > 0.0])


def _cost(cost):
    return f"{cost:.4g}"
