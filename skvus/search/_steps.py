"""The steps of a search: data, first fits, generations, what is kept of them."""

import time
import warnings
from collections import deque
from copy import deepcopy

import numpy as np
import sklearn
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import check_consistent_length

from skvus._labels import label_vector
from skvus._validation import check_sample_weight, refuse_masked, shorten
from skvus.classifiers._inner import (
    check_takes_weights,
    encode,
    known_classes,
    labels_of,
    weight_seen,
)
from skvus.front._build import make_cases
from skvus.search._callbacks import FRAMES, progress
from skvus.search._candidates import WeightSpace
from skvus.search._checkpoint import Saved
from skvus.search._data import Problem, is_prefit
from skvus.search._evaluation import (
    Fold,
    Known,
    Refitting,
    Reweighting,
    Training,
    judge,
    leaves_one_out,
    predict_fold,
)
from skvus.search._evolution import Evolution
from skvus.search._fingerprint import fingerprint
from skvus.search._found import Found
from skvus.search._interrupts import InterruptGuard, as_interrupt, is_interrupt
from skvus.search._islands import Islands
from skvus.search._state import restore, state_of
from skvus.search._toolbox import own_operators, replaces

# Steps whose shortest is what the next one is expected to take: some wait for a compiler.
_STEPS_TO_JUDGE_BY = 5
# Fits of the start for each worker, from one checkpoint to the next.
_FITS_A_WORKER = 4
# Candidates of the start that maps of others get at once, who may have any number of workers.
_FOR_MAPS_OF_OTHERS = 16


class Deadline:
    """Tells when another step would end too late.

    Parameters
    ----------
    max_time : float or None
        Seconds from now.
    """

    def __init__(self, max_time):
        self._ends = np.inf if max_time is None else time.monotonic() + max_time
        self._last = None
        self._took = deque(maxlen=_STEPS_TO_JUDGE_BY)

    def begin(self):
        """The first step begins."""
        self._last = time.monotonic()

    def is_near(self):
        """Whether another step would end late; the last one ends, and the next begins now."""
        now = time.monotonic()
        self._took.append(now - self._last)
        self._last = now
        return now + min(self._took) > self._ends


class SearchSteps:
    """What `fit` does; a part of `ParetoROCSearch`."""

    def _problem(self, X, y, sample_weight, fit_params):
        """Checked data, and what the splitter gets."""
        if X is None:
            raise ValueError("X must be cases with features; got None.")
        refuse_masked("X", X)
        labels = labels_of(y)
        check_consistent_length(X, labels)
        classes = np.unique(labels)
        if is_prefit(self.cv):
            classes = known_classes(self.estimator, labels)
            unseen = np.setdiff1d(classes, labels)
            if unseen.size:
                raise ValueError(
                    "y must have cases of every class that estimator knows for cv='prefit'; "
                    f"got none of {shorten(unseen.tolist())}."
                )
        if classes.size < 2:
            raise ValueError(
                f"y must have cases of at least two classes; got one class: {classes.tolist()}."
            )
        routes = sklearn.get_config()["enable_metadata_routing"]
        is_seen_by_name = False
        if sample_weight is None and not routes:
            sample_weight = weight_seen(self.estimator, fit_params)
            is_seen_by_name = sample_weight is not None
        if sample_weight is not None:
            check_sample_weight(sample_weight, labels.size)
            sample_weight = np.asarray(sample_weight, dtype=float)
            weighed = np.unique(labels[sample_weight > 0.0])
            if weighed.size < classes.size:
                raise ValueError(
                    "sample_weight must be positive for a case of every class; got none of "
                    f"{np.setdiff1d(classes, weighed).tolist()}."
                )
        if routes:
            routed = process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
            fit_params, split_params = routed["estimator"]["fit"], routed["splitter"]["split"]
        else:
            fit_params = dict(fit_params)
            split_params = {"groups": fit_params.pop("groups", None)}
            if sample_weight is not None and not is_prefit(self.cv) and not is_seen_by_name:
                check_takes_weights(self.estimator)
                fit_params["sample_weight"] = sample_weight
        y = y if np.asarray(y).ndim == 1 else labels
        X, y = indexable(X, y)
        codes = encode(labels, classes)
        problem = Problem(X, y, codes, classes, sample_weight, dict(fit_params))
        return problem, split_params

    def _judgement(self, evolve, problem, tests):
        """What members are judged by."""
        # cases that several splits have in common tell nothing more of a rate
        distinct = np.unique(np.concatenate(tests))
        return {
            "evolve": evolve,
            "step_scale": self.step_scale,
            "refit": self.refit,
            "cases": self._cases(problem, tests),
            "sizes": [len(test) for test in tests],
            "class_sizes": self._cases(problem, [distinct]).class_sizes,
        }

    def _cases(self, problem, tests):
        """Validation cases, those of all splits together; scores are to come."""
        tests = np.concatenate(tests)
        codes = problem.codes[tests]
        given = None if problem.sample_weight is None else problem.sample_weight[tests]
        weight = check_sample_weight(given, codes.size)
        scores = np.empty((0, problem.classes.size))
        return make_cases(scores, codes, weight, given)

    def _prepared(self, space, settings, problem, splits, rng, workers):
        """The first fits, and a function that makes islands which start from them."""
        evolve, has_models = self._judged["evolve"], is_prefit(self.cv)
        folds = [Fold(None if has_models else train, test) for train, test in splits]
        seed = self._seed_of_fits(evolve, rng)
        training = Training(self.estimator, problem, folds, seed)
        if isinstance(self.cv, str) and self.cv == "resubstitution" and evolve != "weights":
            is_left_out = leaves_one_out(training)
            folds = [Fold(fold.train, fold.test, is_left_out) for fold in folds]
            training = Training(self.estimator, problem, folds, seed)
        models, evaluate = self._first_fits(evolve, training, workers)
        if evolve == "weights":
            space = WeightSpace(evaluate.n_weights, self.step)
        guard = InterruptGuard()
        sources = [rng]
        if self.n_islands > 1:
            seeds = rng.integers(2**63, size=self.n_islands)
            sources = [np.random.default_rng(int(seed)) for seed in seeds]
        states = [source.bit_generator.state for source in sources]
        n_at_once = self._candidates_at_once(workers, len(folds))

        def make_islands():
            for source, state in zip(sources, states, strict=True):
                source.bit_generator.state = state
            evolutions = [
                Evolution(
                    cases=self._judged["cases"],
                    space=space,
                    evaluate=evaluate,
                    settings=settings,
                    rng=source,
                    toolbox=self.toolbox,
                    store=self.store_cv_results,
                    n_threads=workers.n_threads,
                    guard=guard,
                )
                for source in sources
            ]
            return Islands(evolutions, evaluate, guard, n_at_once)

        self._context = {"training": training, "models": models}
        if evolve == "weights":
            self._rest(evaluate)
        return make_islands

    def _candidates_at_once(self, workers, n_folds):
        """How many candidates of the start make enough fits for all workers, and no more."""
        if replaces(self.toolbox, "map"):
            return _FOR_MAPS_OF_OTHERS
        return 1 if workers.is_serial else -(-_FITS_A_WORKER * workers.n_workers // n_folds)

    def _seed_of_fits(self, evolve, rng):
        """What unset parameters named random_state are set to."""
        if is_prefit(self.cv):
            return int(rng.integers(2**31)) if evolve == "weights" else None
        # a copy, so that what the search draws does not depend on the estimator
        source = rng if evolve == "weights" else deepcopy(rng)
        return int(source.integers(2**31))

    def _first_fits(self, evolve, training, workers):
        """Models of all folds, unless parameters are evolved, and what judges candidates."""
        if is_prefit(self.cv) and evolve == "costs":
            models = [self.estimator]
            return models, Known(predict_fold(models[0], training.problem, training.folds[0]))
        shared = workers.share(training)
        if evolve == "params":
            return None, Refitting(shared, workers, self.error_score)
        if is_prefit(self.cv):
            models = [self.estimator]
        else:
            rows = [({}, number) for number in range(len(training.folds))]
            outcomes = workers(judge, (shared,), rows, keep=True, must_succeed=True)
            models = [outcome.fitted for outcome in outcomes]
            if evolve == "costs":
                posteriors = np.concatenate([outcome.posteriors for outcome in outcomes])
                # several models are of no use any more
                return (models if len(models) == 1 else None), Known(posteriors)
        evaluate = Reweighting(models, shared, workers, self.step_scale, self.error_score)
        return models, evaluate

    def _identified(self, evolve, space, problem, splits, checkpoint):
        """What the search is of; None if that cannot be told, and nobody needs to know."""
        options, operators = self.get_params(deep=False), own_operators(self.toolbox)
        try:
            return fingerprint(options, evolve, space, operators, problem, splits)
        except Exception:  # whatever strange data say
            if checkpoint is not None or self.warm_start:
                raise
            return None

    def _earlier(self, checkpoint):
        """Yield what an earlier search left to go on from, the best first."""
        if self.warm_start and hasattr(self, "front_"):
            state = getattr(self, "_state", None)
            if state is not None and self._identity is not None:
                identity, rng_state = self._identity, self._rng_state
                where, advice = "What warm_start would continue", "set warm_start=False"
                yield Saved(identity, rng_state, state, where, advice)
                return
            warnings.warn(
                "warm_start has nothing to go on from: the search before was broken off within "
                "a generation, or is a copy of one without warm_start. It starts anew.",
                UserWarning,
                stacklevel=3 + FRAMES,
            )
        if checkpoint is not None:
            yield from checkpoint.saved()

    def _resumed(self, make_islands, earlier, others, checkpoint):
        """Islands in the state that an earlier search left them, or new ones."""
        while earlier is not None:
            islands = make_islands()
            try:
                restore(islands, earlier.state)
            except ValueError as error:
                damage = ValueError(f"{earlier.where!r} is damaged: {error}")
                if checkpoint is None:
                    raise damage from error
                checkpoint.refuse(earlier.where, damage)
                earlier = next(others, None)
                if earlier is not None:
                    earlier.check(self._identity, self.n_generations)
            else:
                return islands
        return make_islands()

    def _evolve(self, islands, problem, checkpoint, deadline):
        """Run the generations; whatever ends them, the front so far is kept."""
        context = None
        if hasattr(self, "_init_callback_context"):
            context = self._init_callback_context(max_subtasks=self.n_generations)
            context.call_on_fit_task_begin(estimator=self)
        with islands.guard:
            error = self._outcome_of(islands, checkpoint, deadline, context)
            try:
                with islands.guard.whole():  # Ctrl-C waits until all is kept
                    self._keep(islands, problem, checkpoint, error)
            except KeyboardInterrupt as late:
                if error is not None:
                    raise
                self.interrupted_ = True
                error = late
        if error is not None:
            self._raise_or_tell(error, islands)
        if context is not None:
            context.call_on_fit_task_end(estimator=self)

    def _outcome_of(self, islands, checkpoint, deadline, context):
        """Run; return what ended it before its time, or None."""
        n_generations, n_done = self.n_generations, islands.n_generations
        try:
            with progress(n_generations, self.verbose, n_done) as show:
                self._run(islands, checkpoint, deadline, context, show)
        except BaseException as error:  # a worker that died, or no memory: the front stays
            return error
        return None

    def _raise_or_tell(self, error, islands):
        """Raise what ended the search, unless it is Ctrl-C that is to be survived."""
        if not is_interrupt(error):
            raise error
        if self.on_interrupt == "raise" or not islands.n_members:
            raise as_interrupt(error)
        warnings.warn(
            f"Interrupted after {islands.n_generations} of {self.n_generations} "
            "generations; what the search had found so far is kept.",
            UserWarning,
            stacklevel=4 + FRAMES,
        )

    def _run(self, islands, checkpoint, deadline, context, show):
        """Start and generations, as far as time allows, but at least one step."""
        is_over = False
        deadline.begin()
        for n_tried, n_drawn in islands.start():
            show.start(n_tried, n_drawn)
            self._save_if_due(islands, checkpoint)
            is_over = deadline.is_near()
            if is_over:
                break
        if not islands.n_members:
            raise ValueError(
                f"None of the {n_tried} candidates that max_time={self.max_time} had time for "
                f"could be fitted. {islands.evaluate.failure_report}"
            )
        if not islands.has_started:
            warnings.warn(
                f"max_time={self.max_time} ended the search at its start, after {n_tried} of "
                f"{n_drawn} candidates.",
                UserWarning,
                stacklevel=4 + FRAMES,
            )
            return
        show.generation(islands.summary())
        while islands.n_generations < self.n_generations and not is_over:
            task = None
            if context is not None:
                task = context.subcontext(task_name="generation")
                task.call_on_fit_task_begin(estimator=self)
            islands.generation()
            show.generation(islands.summary())
            self._save_if_due(islands, checkpoint)
            is_over = deadline.is_near()
            if task is not None and task.call_on_fit_task_end(estimator=self):
                break

    def _save_if_due(self, islands, checkpoint):
        if checkpoint is not None and checkpoint.is_due():
            checkpoint.write(state_of(islands))

    def _keep(self, islands, problem, checkpoint, error):
        """Attributes that tell what was found, and what another fit can go on from."""
        state = islands.state()
        if checkpoint is not None and state is not None:
            checkpoint.write(state)
        if islands.n_members:
            self._tell(islands, problem)
            self._state = state
        self.interrupted_ = error is not None

    def _tell(self, islands, problem):
        for one in islands.alive:
            if not one.columns["generation"]:  # it ended at the start
                one.log(0)
        found = Found.of(islands, self.objectives, self.max_front_size)
        cases = self._judged["cases"]
        first = islands.evolutions[0]
        self.classes_ = problem.classes
        options = {
            "classes": label_vector("y", problem.classes),  # objects cannot be saved
            "priors": cases.shares,
            "class_sizes": self._judged["class_sizes"],
            "objectives": self.objectives,
        }
        self.front_ = found.front(first.space, options)
        self._genomes = found.genomes if first.space.n_genes else None
        self._log_columns = islands.columns()
        self.n_evaluations_ = islands.n_evaluations
        self.n_generations_ = islands.n_generations
        self.front_resolution_ = found.resolution
        self.island_fronts_ = [self.front_]
        if self.n_islands > 1:
            fronts = (Found.of_one(one, self.max_front_size) for one in islands.alive)
            self.island_fronts_ = [one.front(first.space, options) for one in fronts]
        self.cv_results_ = {}
        if self.store_cv_results:
            rows = [row for one in islands.evolutions for row in one.candidates]
            self._list_candidates(rows, first.space)
        self._context.update(
            evaluate=first.toolbox.evaluate, check=first.checked, individuals=first.individuals
        )

    def _list_candidates(self, rows, space):
        columns = zip(*rows, strict=True) if rows else ([], [], [], [])
        genomes, generation, entered, seconds = columns
        self.cv_results_ = {
            "params": [space.params(genome) for genome in genomes],
            "generation": np.array(generation),
            "n_entered": np.array(entered),
            "seconds": np.array(seconds),
        }

    def _forget(self):
        """Take away what an earlier fit left: an interrupted one must not look complete."""
        for name in [name for name in vars(self) if _is_fitted_name(name)]:
            delattr(self, name)


def _is_fitted_name(name):
    own = {
        "_at_rest",
        "_chosen_by",
        "_context",
        "_genomes",
        "_gini",
        "_identity",
        "_judged",
        "_log_columns",
        "_rng_state",
        "_state",
    }
    return name in own or (name.endswith("_") and not name.startswith("_"))
