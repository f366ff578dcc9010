"""The steps of a search: data, first fits, generations, choice."""

import warnings
from copy import deepcopy

import numpy as np
import sklearn
from sklearn.frozen import FrozenEstimator
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from skvus._validation import check_sample_weight, refuse_masked, shorten
from skvus.classifiers._cost_matrix import CostMatrixClassifier
from skvus.classifiers._inner import (
    check_takes_weights,
    encode,
    known_classes,
    labels_of,
    weight_seen,
)
from skvus.front._build import make_cases
from skvus.front._checks import same_params
from skvus.front._dominance import comparison_of, lexicographic_order
from skvus.front._front import ROCFront
from skvus.search._callbacks import FRAMES, progress
from skvus.search._candidates import WeightSpace
from skvus.search._data import Problem, is_prefit
from skvus.search._evaluation import (
    Fold,
    Known,
    Refitting,
    Reweighting,
    fit_on,
    in_turn,
    judge,
    leaves_one_out,
    predict_fold,
    seeded,
)
from skvus.search._evolution import Evolution
from skvus.search._weights import Displaced, check_same_weights


class SearchSteps:
    """What `fit` and `set_operating_point` do; a part of `ParetoROCSearch`."""

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

    def _prepared(self, space, settings, problem, splits, rng, parallel):
        """The first fits, and the evolution that starts from them."""
        evolve = self._judged["evolve"]
        folds = [Fold(None if is_prefit(self.cv) else t, test) for t, test in splits]
        if isinstance(self.cv, str) and self.cv == "resubstitution" and evolve != "weights":
            is_left_out = leaves_one_out(self.estimator, problem)
            folds = [Fold(fold.train, fold.test, is_left_out) for fold in folds]
        seed = int(rng.integers(2**31)) if evolve == "weights" else None
        models, evaluate = self._first_fits(evolve, problem, folds, parallel, seed)
        if evolve == "weights":
            space = WeightSpace(evaluate.n_weights, self.step)
        evolution = Evolution(
            cases=self._judged["cases"],
            space=space,
            evaluate=evaluate,
            settings=settings,
            rng=rng,
            toolbox=self.toolbox,
            store=self.store_cv_results,
            is_serial=parallel is None,
        )
        self._context = {
            "problem": problem,
            "folds": folds,
            "models": models,
            "estimator": None if is_prefit(self.cv) else seeded(self.estimator, seed),
            "evaluate": evolution.toolbox.evaluate,
            "check": evolution.checked,
            "individuals": evolution.individuals,
        }
        if evolve == "weights":
            self._rest(evaluate)
        return evolution

    def _first_fits(self, evolve, problem, folds, parallel, seed):
        """Models of all folds, unless parameters are evolved, and what judges candidates."""
        if evolve == "params":
            return None, Refitting(self.estimator, problem, folds, parallel, self.error_score)
        if is_prefit(self.cv):
            models = [self.estimator]
            if evolve == "costs":
                return models, Known(predict_fold(models[0], problem, folds[0]))
        else:
            estimator = self.estimator if evolve == "costs" else seeded(self.estimator, seed)
            options = {"keep": True, "must_succeed": True}
            tasks = [(judge, (estimator, {}, problem, fold), options) for fold in folds]
            outcomes = in_turn(tasks) if parallel is None else parallel(tasks)
            models = [outcome.fitted for outcome in outcomes]
            if evolve == "costs":
                posteriors = np.concatenate([outcome.posteriors for outcome in outcomes])
                # several models are of no use any more
                return (models if len(models) == 1 else None), Known(posteriors)
        evaluate = Reweighting(models, problem, folds, self.step_scale, self.error_score)
        return models, evaluate

    def _evolve(self, evolution, problem):
        """Run the generations; whatever ends them, the front so far is kept."""
        n_generations = evolution.settings.n_generations
        context = None
        if hasattr(self, "_init_callback_context"):
            context = self._init_callback_context(max_subtasks=n_generations)
            context.call_on_fit_task_begin(estimator=self)
        try:
            with evolution.guard, progress(n_generations, self.verbose) as show:
                for n_tried, n_drawn in evolution.start():
                    show.start(n_tried, n_drawn)
                show.generation(evolution.columns)
                for number in range(1, n_generations + 1):
                    task = None
                    if context is not None:
                        task = context.subcontext(task_name="generation")
                        task.call_on_fit_task_begin(estimator=self)
                    evolution.generation(number)
                    show.generation(evolution.columns)
                    if task is not None and task.call_on_fit_task_end(estimator=self):
                        break
        except BaseException as error:  # a worker that died, or no memory: the front stays
            self.interrupted_ = True
            if not len(evolution.archive):
                raise
            if not evolution.columns["generation"]:
                evolution.log(0)
            self._keep(evolution, problem)
            self.interrupted_ = True
            if self.on_interrupt == "raise" or not isinstance(error, KeyboardInterrupt):
                raise
            warnings.warn(
                f"Interrupted after {self._log_columns['generation'][-1]} of {n_generations} "
                "generations; what the search had found so far is kept.",
                UserWarning,
                stacklevel=3 + FRAMES,
            )
        else:
            self._keep(evolution, problem)
        if context is not None:
            context.call_on_fit_task_end(estimator=self)

    def _keep(self, evolution, problem):
        """Attributes that tell what was found."""
        archive, cases = evolution.archive, evolution.cases
        members = archive.members
        kept = lexicographic_order(comparison_of(members.rates, members.counts))
        shared = {
            key: evolution.space.params(genome) for key, genome in archive.genomes.items()
        }
        owners = members.candidate[kept].tolist()
        has_params = evolution.space.n_genes > 0
        self.interrupted_ = False
        self.classes_ = problem.classes
        self.front_ = ROCFront(
            members.rates[kept],
            counts=members.counts[kept],
            costs=members.costs[kept],
            classes=problem.classes,
            priors=cases.shares,
            class_sizes=self._judged["class_sizes"],
            params=tuple(shared[owner] for owner in owners) if has_params else None,
            objectives=self.objectives,
        )
        self._genomes = [archive.genomes[owner] for owner in owners] if has_params else None
        self._log_columns = {name: list(column) for name, column in evolution.columns.items()}
        self.n_evaluations_ = evolution.n_evaluations
        self.cv_results_ = {}
        if evolution.candidates is not None:
            self._list_candidates(evolution.candidates)

    def _measured_gini(self):
        """G of the front and its standard error, when somebody asks."""
        check_is_fitted(self, "front_")
        if not hasattr(self, "_gini"):
            self._gini = self.front_.gini(random_state=0, return_std=True)
        return self._gini

    def _list_candidates(self, candidates):
        columns = zip(*candidates, strict=True) if candidates else ([], [], [], [])
        params, generation, entered, seconds = columns
        self.cv_results_ = {
            "params": list(params),
            "generation": np.array(generation),
            "n_entered": np.array([-1 if number is None else number for number in entered]),
            "seconds": np.array(seconds),
        }

    def _choose(self, rule):
        """Choose a member, and make the classifier that it stands for."""
        index = self.front_.select(rule)
        params = self.front_.params[index] if self.front_.params else {}
        is_new = not hasattr(self, "estimator_") or not same_params(params, self.best_params_)
        fitted = self._fitted_at(index) if is_new else self.estimator_
        results = {**self.cv_results_, **self._split_results(index, params)}
        self.best_index_ = index
        self.cost_matrix_ = self.front_.costs[index].copy()
        self.best_params_ = dict(params)
        self.cv_results_ = results
        if fitted is not None:
            self.estimator_ = fitted
            model = CostMatrixClassifier(FrozenEstimator(fitted), self.cost_matrix_)
            self.best_estimator_ = _decided(model, fitted, self.classes_, self.front_.priors)

    def _fitted_at(self, index):
        """The classifier of a member, fitted on all data if `refit`; None if there is none."""
        if self._judged["evolve"] != "weights":
            return self._fitted_with(self.front_.params[index] if self.front_.params else {})
        if self._at_rest is None:
            return None
        displaced = Displaced(deepcopy(self._at_rest), self._judged["step_scale"])
        return displaced.move(self._genomes[index])

    def _rest(self, evaluate):
        """Fit the classifier that weights are displaced from: before the search, to be sure."""
        self._at_rest = self._fitted_with({})
        if self._at_rest is not None:
            whole = Displaced(deepcopy(self._at_rest), self.step_scale)
            check_same_weights(evaluate.models[0], whole, "all data")

    def _fitted_with(self, params):
        if not self._judged["refit"] and len(self._judged["sizes"]) > 1:
            return None
        if not hasattr(self, "_context"):
            raise ValueError(
                "Another classifier needs the training data, which copies and files of a "
                "search do not have: choose it before, or fit again."
            )
        context = self._context
        problem, folds, models = context["problem"], context["folds"], context["models"]
        if self._judged["refit"]:
            everything = np.arange(problem.n_cases)
            whole = Fold(everything, everything)
            return fit_on(context["estimator"], params, problem, whole)
        if models is not None:
            return models[0]
        return fit_on(context["estimator"], params, problem, folds[0])

    def _split_results(self, index, params):
        """Rates of a member in each split; nan where they would need data that are gone."""
        cases, sizes = self._judged["cases"], self._judged["sizes"]
        posteriors = self._posteriors_of(index, params)
        shape = (len(sizes), self.classes_.size, self.classes_.size)
        counts = np.full(shape, np.nan)
        if posteriors is not None:
            ends = np.cumsum(sizes)
            parts = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
            with np.errstate(invalid="ignore"):
                found = [
                    cases.with_scores(posteriors, part).tally(self.front_.costs[[index]])
                    for part in parts
                ]
            counts = np.array([split_counts[0] for _, split_counts in found])
        with np.errstate(invalid="ignore"):
            rates = counts / counts.sum(axis=2, keepdims=True)
        with warnings.catch_warnings():
            # a class may be missing from a split, or from all but one
            warnings.simplefilter("ignore", RuntimeWarning)
            mean, std = np.nanmean(rates, axis=0), np.nanstd(rates, axis=0)
        return {"rates": rates, "counts": counts, "mean_rates": mean, "std_rates": std}

    def _posteriors_of(self, index, params):
        """Posteriors of validation cases by the candidate of a member, if there are data."""
        known_params, posteriors = self._judged.get("posteriors", (None, None))
        if known_params is not None and same_params(known_params, params):
            return posteriors
        if not hasattr(self, "_context"):
            return None
        genome = self._genomes[index] if self._genomes else []
        found = self._context["evaluate"](self._context["individuals"].offspring(genome))
        if found is None:
            return None
        found = self._context["check"](found)
        self._judged["posteriors"] = (params, found)
        return found

    def _best(self):
        check_is_fitted(self, "front_")
        if hasattr(self, "best_estimator_"):
            return self.best_estimator_
        if hasattr(self, "best_index_"):
            why = (
                "there is one for each fold and none for all data. Use refit=True, or a "
                "CostMatrixClassifier with cost_matrix_"
            )
        else:
            why = (
                "the search was interrupted, or its operating_point could not be met. "
                "set_operating_point chooses one"
            )
        raise AttributeError(
            f"This {type(self).__name__} has a front_ but no classifier: {why}."
        )

    def _forget(self):
        """Take away what an earlier fit left: an interrupted one must not look complete."""
        for name in [name for name in vars(self) if _is_fitted_name(name)]:
            delattr(self, name)


def _is_fitted_name(name):
    own = {"_at_rest", "_context", "_genomes", "_gini", "_judged", "_log_columns"}
    return name in own or (name.endswith("_") and not name.startswith("_"))


def _decided(model, fitted, classes, priors):
    """A fitted `CostMatrixClassifier` around a classifier that is fitted already."""
    model.estimator_ = fitted
    model.classes_ = classes
    model.cost_matrix_ = np.array(model.cost_matrix, dtype=float)
    model.priors_ = None
    model.train_priors_ = priors.copy()
    return model


class Workers:
    """Workers of joblib for as long as a search takes, or none."""

    def __init__(self, n_jobs):
        self.n_jobs = n_jobs

    def __enter__(self):
        from joblib import effective_n_jobs
        from sklearn.utils.parallel import Parallel, delayed

        if self.n_jobs == 1 or effective_n_jobs(self.n_jobs) == 1:
            return None
        self.parallel = Parallel(n_jobs=self.n_jobs)
        run = self.parallel.__enter__()

        def parallel(tasks):
            return run(delayed(function)(*a, **options) for function, a, options in tasks)

        return parallel

    def __exit__(self, *error):
        if hasattr(self, "parallel"):
            self.parallel.__exit__(*error)
