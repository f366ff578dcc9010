"""ParetoROCSearch: the multi-class ROC surface of any probabilistic classifier, evolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skvus._typing import (
    Alpha,
    CostProposal,
    Estimator,
    FilePath,
    Floats,
    Labels,
    Objectives,
    Seed,
    Splits,
    same_type,
)
from skvus._validation import check_generator
from skvus.classifiers._cost_matrix import CostMatrixClassifier
from skvus.classifiers._inner import check_estimator
from skvus.front._front import ROCFront
from skvus.front._rules import RuleLike
from skvus.search._callbacks import CallbackSupportMixin, with_callbacks
from skvus.search._checks import (
    check_options,
    check_rule,
    make_checkpoint,
    make_settings,
    make_space,
)
from skvus.search._choice import ChoiceSteps
from skvus.search._data import is_share, make_splits
from skvus.search._display import SearchDisplay
from skvus.search._interrupts import as_interrupt, is_interrupt
from skvus.search._report import SearchReport
from skvus.search._sharing import Workers
from skvus.search._state import generator_state
from skvus.search._steps import Deadline, SearchSteps
from skvus.search._toolbox import replaces

if TYPE_CHECKING:
    from deap.base import Toolbox
    from deap.tools import Logbook


def _has_decision_function(search):
    return hasattr(search.estimator, "decision_function")


class ParetoROCSearch(
    SearchSteps,
    ChoiceSteps,
    SearchReport,
    SearchDisplay,
    CallbackSupportMixin,
    ClassifierMixin,
    MetaEstimatorMixin,
    BaseEstimator,
):
    r"""Search for the multi-class ROC surface of a classifier, and a classifier on it.

    The rates of all Q(Q-1) kinds of mistakes are minimised at once,

    .. math:: \min_{w, \lambda} R_{kj}(w, \lambda) \quad \text{for all } k \ne j,

    over costs :math:`\lambda` and, if asked for, hyperparameters or weights :math:`w` of the
    classifier. What no other pair dominates is the trade-off surface, `front_`; one of its
    members is chosen by `operating_point`, and decides in `predict`.

    Parameters
    ----------
    estimator : estimator instance
        A classifier with ``predict_proba``.
    param_distributions : dict or list of dict, default=None
        Hyperparameters to evolve: names, and for each a list of values or a frozen
        distribution of `scipy.stats`. Of several dicts, a candidate has the parameters of one.
    evolve : {"auto", "costs", "params", "weights"}, default="auto"
        What is varied beside costs. "costs": nothing, the classifier is fitted once; "params":
        hyperparameters; "weights": the fitted coefficients of linear models, of multi-layer
        perceptrons and of what has ``get_weights()`` and ``set_weights(arrays)``. "auto" is
        "params" if there are `param_distributions`, else "costs".
    objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
        What is minimised: the rates of all mistakes, their sums for each true class, or their
        sums for each predicted class.
    n_generations : int, default=200
        How often candidates are bred.
    n_costs : int, default=100
        Cost matrices that are tried with each candidate.
    n_initial : int, default=100
        What the search starts from: so many random hyperparameters, with one cost matrix each
        if `cost_proposal` is "dirichlet", as in the paper, else with `n_costs`; where
        hyperparameters are not evolved, so many cost matrices with the fitted classifier.
    n_offspring : int, default=1
        Candidates in a generation, whose fits run in parallel: choose it so that it is, times
        the number of folds, a multiple of the number of workers.
    cost_alpha : float or (n_classes, n_classes) array-like, DataFrame or dict, default=1.0
        Parameter of the Dirichlet distribution that costs are drawn from. A matrix, by position
        or by label, is for costs that are roughly known: its proportions are what is expected,
        its size says how closely.
    cost_proposal : {"mixed", "dirichlet"} or callable, default="mixed"
        "dirichlet" draws all costs from the Dirichlet distribution, as in the paper. "mixed"
        draws a fifth of them, as weights of the rates if `cost_alpha` is a number, and changes
        one cost of a recent member for the others; it starts from the ends of the surface, and
        tries all thresholds of two classes, whatever `n_costs`. If `cost_alpha` is a matrix, it
        keeps to what is expected instead. A function ``(rng, n, archive)`` returns n cost
        matrices; ``archive.costs`` and ``archive.rates`` are those of the members.
    step : float, default=0.03
        Scale of the Laplace distribution that steps are drawn from.
    step_scale : {"relative", "absolute"}, default="relative"
        Unit of steps. Relative ones are in quantiles of the distribution of a hyperparameter,
        or in root mean squares of an array of weights. Absolute ones, as in the paper, are in
        the scale of the parameter itself.
    selection : {"pqrs", "uniform"}, default="pqrs"
        How parents are chosen: by partitioned quasi-random selection, or with equal chances.
    cv : int, float, splitter, iterable, "prefit" or "resubstitution", default=None
        Which cases the rates are from. None is 5-fold cross-validation, whose validation
        predictions are pooled; a float is the share of a hold-out set. "prefit": the estimator
        is fitted, and `X` are validation data. "resubstitution": the training data themselves,
        as in the paper; the front is then too good to be true, unless the classifier has
        leave-one-out posteriors, ``predict_proba(None)``, also as the last step of a pipeline,
        which are used.
    operating_point : rule, default="distance"
        How `fit` chooses a member, as for `ROCFront.select`.
    refit : bool, default=True
        Whether to fit the chosen classifier on all data. Must be False with ``cv="prefit"``.
        Without it there is a classifier only if `cv` has a single one.
    n_jobs : int or None, default=None
        Number of workers that fit candidates and folds, unless `toolbox` has a map. Within
        ``joblib.parallel_config(backend=...)`` they are those of the backend, as of a cluster
        of dask.
    random_state : int, RandomState, Generator or None, default=None
        Source of all randomness of the search.
    verbose : int, default=0
        Whether to show a progress bar (with tqdm) or lines.
    toolbox : deap.base.Toolbox, default=None
        Operators that replace those of the search: ``select(individuals, k)``,
        ``mutate(individual)``, ``propose_costs(rng, n, individuals)``,
        ``evaluate(individual)``, which returns posteriors, and ``map``.
    error_score : "raise" or number, default=np.nan
        "raise" ends the search when a fit fails. With a number, candidates whose fit fails are
        left out, with one warning at the end.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does after `front_` was made of what there is: end `fit` with
        KeyboardInterrupt, or finish as if the search were done, with a warning. A second one
        always ends it.
    store_cv_results : bool, default=False
        Whether `cv_results_` lists all candidates that were tried.
    checkpoint : str or path-like, default=None
        A file that is written while the search runs, and that `fit` goes on from if it is
        there: to the same result, to the last bit, as in one piece. It must be of the same
        estimator, data and options; `n_generations` may be larger, and what decides nothing
        may differ (`n_jobs`, `max_time`, `operating_point`, `refit`, `verbose`, `error_score`,
        `on_interrupt`). The one before it is kept beside it, with ".previous" behind its name,
        and used should it be damaged. Files hold data only, and are never unpickled.
    checkpoint_every : int, default=None
        Generations, or steps of the start, from one file to the next. By default a file is
        written every second, or less often if that takes more than a twentieth of the time.
    max_time : float, default=None
        Seconds after which no generation begins; one that would end later is not begun either,
        as far as can be told. The final fit comes after it. At least one step is made. How far
        the search gets then depends on the machine.
    warm_start : bool, default=False
        Whether `fit` continues the search of the last `fit`, with the same data and options,
        up to `n_generations` in all.
    n_islands : int, default=1
        Searches with seeds of their own that run side by side, and whose fronts are merged in
        the end. Their candidates are evaluated together.
    max_front_size : int, default=None
        How many members the front may have. By default all are kept. See Notes.

    Attributes
    ----------
    front_ : ROCFront
        The trade-off surface. Its `params` tell what the classifier of each member is.
    gini_ : float
        Its generalised Gini coefficient.
    gini_std_ : float
        Standard error of `gini_`, 0 if it is exact.
    best_index_ : int
        The chosen member.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        Its costs.
    best_params_ : dict
        Its hyperparameters; with "weights", the displacement as "weight_step"; empty with
        "costs".
    best_estimator_ : CostMatrixClassifier
        The classifier at the chosen member.
    estimator_ : estimator
        The classifier inside of it.
    cv_results_ : dict
        Of the chosen member: "rates" and "counts" of each split, of shape (n_splits,
        n_classes, n_classes), with "mean_rates" and "std_rates" over the splits; nan in copies
        and files, for members of other parameters than the chosen one. With
        `store_cv_results` also "params", "generation", "n_entered" (members that it
        gave to the archive, -1 if the fit failed) and "seconds" of all candidates.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_evaluations_ : int
        Number of operating points that were evaluated.
    n_generations_ : int
        Number of generations that are complete: fewer than `n_generations` after `max_time`, an
        interrupt or an error.
    front_resolution_ : ndarray
        How much worse, in each objective, the nearest member may be than what was found: zeros
        unless `max_front_size` made the search drop members.
    island_fronts_ : list of ROCFront
        The fronts of the islands that found something; of one island, `front_` itself.
    logbook_ : deap.tools.Logbook
        Of each generation: its number ("generation"), operating points evaluated so far
        ("evaluations"), members ("size"), G from 2,048 samples ("gini"), distance of the best
        member from the random simplex, negative if better than random ("distance"), "seconds";
        with several islands a row for each, with its number ("island").
    interrupted_ : bool
        Whether the search ended before its time, by Ctrl-C or an error.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if there are any.

    See Also
    --------
    ROCFront : The trade-off surface, and what can be asked of it.
    CostMatrixClassifier : A classifier by costs that are known.
    sklearn.model_selection.TunedThresholdClassifierCV : For two classes and one score.

    Notes
    -----
    With ``n_offspring=1``, ``selection="pqrs"``, ``cost_proposal="dirichlet"``,
    ``cost_alpha=1``, ``step_scale="absolute"`` and ``cv="resubstitution"`` the search is
    Algorithm 1 of [1]_, line by line. A new operating point enters the archive unless a member
    is at least as good in every objective, and drives out the members that it dominates.
    Members are compared by whole counts, or with `sample_weight` by rates as multiples of
    2**-40.

    With "params", a generation takes `n_offspring` times the number of splits fits. In all
    cases a candidate takes O(n_costs · n · Q²) steps for counts and O(n_costs · m · D / 64) for
    an archive of m members with D objectives, a nanosecond or less each. Parameters that were
    tried before are not fitted again, as long as their posteriors are among the last 64 MB.

    The fitted search refers to `X` and `y`, for `set_operating_point`: do not change them.

    In "weights", a candidate is a displacement of the fitted weights, the same one in the
    models of all folds and in the final one.

    The same `random_state` gives the same bits whatever `n_jobs`, the backend, interruption or
    resumption. For that, unset parameters of `estimator` named `random_state` are set to one
    seed that is drawn from it, so that all fits start alike, and costs are drawn and members
    inserted in the order of the candidates. What draws from other sources, such as the global
    ones of numpy, or depends on the number of threads of BLAS, is reproducible only as far as
    it is so itself.

    An archive with more than `max_front_size` members, and a quarter, is thinned: objectives
    are cut into boxes, whose sides are doubled one by one, the narrowest first, until few
    enough are occupied; each keeps the member that is most distant from random allocation, and
    the best member in each objective stays if there is room. Boxes never shrink or shift, so
    for every operating point that was ever evaluated there is a member that is in no objective
    worse by more than `front_resolution_` [3]_.

    Workers get the data once. If some die, others do their part anew; candidates that kill
    every worker are left out like those whose fits fail.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006.
    .. [2] J. D. Knowles, D. W. Corne, "Approximating the nondominated front using the Pareto
       Archived Evolution Strategy", Evolutionary Computation 8, 2000.
    .. [3] M. Laumanns, L. Thiele, K. Deb, E. Zitzler, "Combining convergence and diversity in
       evolutionary multiobjective optimization", Evolutionary Computation 10, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skvus import ParetoROCSearch, WithinLimits
    >>> X, y = load_wine(return_X_y=True)
    >>> X = X[:, [1, 2, 7]]
    >>> search = ParetoROCSearch(LogisticRegression(), n_generations=20, random_state=0)
    >>> search = search.fit(X, y)
    >>> search.predict(X[:3])
    array([0, 1, 0])
    >>> search = search.set_operating_point(WithinLimits({2: 0.1}))  # miss at most 10% of 2
    >>> print(search.front_[search.best_index_].rates[2].round(2))
    [0.04 0.04 0.92]
    """

    front_: ROCFront
    best_index_: int
    cost_matrix_: Floats
    best_params_: dict[str, Any]
    best_estimator_: CostMatrixClassifier
    estimator_: Any
    cv_results_: dict[str, Any]
    classes_: Labels
    n_evaluations_: int
    n_generations_: int
    front_resolution_: Floats
    island_fronts_: list[ROCFront]
    interrupted_: bool

    def __init__(
        self,
        estimator: Estimator,
        param_distributions: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        evolve: Literal["auto", "costs", "params", "weights"] = "auto",
        objectives: Objectives = "rates",
        n_generations: int = 200,
        n_costs: int = 100,
        n_initial: int = 100,
        n_offspring: int = 1,
        cost_alpha: Alpha = 1.0,
        cost_proposal: CostProposal = "mixed",
        step: float = 0.03,
        step_scale: Literal["relative", "absolute"] = "relative",
        selection: Literal["pqrs", "uniform"] = "pqrs",
        cv: Splits | None = None,
        operating_point: RuleLike = "distance",
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: Seed = None,
        verbose: int = 0,
        toolbox: Toolbox | None = None,
        error_score: Literal["raise"] | float = np.nan,
        on_interrupt: Literal["raise", "keep"] = "raise",
        store_cv_results: bool = False,
        checkpoint: FilePath | None = None,
        checkpoint_every: int | None = None,
        max_time: float | None = None,
        warm_start: bool = False,
        n_islands: int = 1,
        max_front_size: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_distributions = param_distributions
        self.evolve = evolve
        self.objectives = objectives
        self.n_generations = n_generations
        self.n_costs = n_costs
        self.n_initial = n_initial
        self.n_offspring = n_offspring
        self.cost_alpha = cost_alpha
        self.cost_proposal = cost_proposal
        self.step = step
        self.step_scale = step_scale
        self.selection = selection
        self.cv = cv
        self.operating_point = operating_point
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.toolbox = toolbox
        self.error_score = error_score
        self.on_interrupt = on_interrupt
        self.store_cv_results = store_cv_results
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.max_time = max_time
        self.warm_start = warm_start
        self.n_islands = n_islands
        self.max_front_size = max_front_size

    @same_type(with_callbacks)
    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Search, choose an operating point, and fit the classifier there.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training cases, as `estimator` takes them; validation cases for ``cv="prefit"``.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the cases, in the fits and in the rates.
        **fit_params : dict
            ``groups`` are for the splitter, all else is passed on to ``fit`` of `estimator`;
            with metadata routing, what either requests.

        Returns
        -------
        self : ParetoROCSearch
            The fitted search.
        """
        check_estimator(self.estimator)
        evolve = check_options(self)
        deadline = Deadline(self.max_time)
        space = make_space(self, evolve)
        problem, split_params = self._problem(X, y, sample_weight, fit_params)
        settings = make_settings(self, problem.classes)
        rng = check_generator(self.random_state)
        checkpoint = make_checkpoint(self, rng)
        others = self._earlier(checkpoint)
        earlier = next(others, None)
        if earlier is not None:
            rng = earlier.rng
        rng_state = generator_state(rng)
        seed = int(rng.integers(2**31)) if is_share(self.cv) else None
        splits = make_splits(self.cv, problem, seed, split_params)
        judged = self._judgement(evolve, problem, [test for _, test in splits])
        shares, class_sizes = judged["cases"].shares, judged["class_sizes"]
        check_rule(self.operating_point, shares, class_sizes, problem.classes)
        identity = self._identified(evolve, space, problem, splits, checkpoint)
        if earlier is not None:
            earlier.check(identity, self.n_generations)
        if checkpoint is not None:
            checkpoint.begin(identity, rng_state)
            if self.warm_start:  # a file that is there must be of this search, too
                for other in checkpoint.saved():
                    other.check(identity, self.n_generations)
                    break
        before = dict(vars(self))
        self._forget()
        self._judged, self._identity, self._rng_state = judged, identity, rng_state
        n_jobs = 1 if replaces(self.toolbox, "map") else self.n_jobs  # they have their own
        with Workers(n_jobs) as workers:
            try:
                make_islands = self._prepared(space, settings, problem, splits, rng, workers)
                islands = self._resumed(make_islands, earlier, others, checkpoint)
            except BaseException as error:
                if self.warm_start:  # there is something to go on from still
                    self.__dict__.update(before)
                if is_interrupt(error):
                    raise as_interrupt(error) from None
                raise
            try:
                self._evolve(islands, problem, checkpoint, deadline)
            finally:
                islands.evaluate.workers = None  # they are gone
        try:
            self._choose(self.operating_point)
        except ValueError as error:  # limits that no member keeps, perhaps after hours
            error.add_note("front_ is kept: set_operating_point takes another rule.")
            raise
        islands.evaluate.warn_of_failures(islands.n_left_out)
        return self

    def set_operating_point(self, rule: RuleLike) -> Self:
        """Choose another member, without another search.

        Parameters
        ----------
        rule : rule
            As for `ROCFront.select`.

        Returns
        -------
        self : ParetoROCSearch
            With another `best_index_` and all that follows from it. A classifier is fitted
            only if the member has other parameters than the one before; on the folds, for
            `cv_results_`, only if its posteriors are not remembered.
        """
        check_is_fitted(self, "front_")
        self._choose(rule)
        return self

    def predict(self, X: Any) -> Labels:
        """Predict the class of least expected cost, by the costs of the chosen member.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Predicted classes.
        """
        return self._best().predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """Posteriors of the chosen classifier, in which costs have no part.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._best().predict_proba(X)

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of the posteriors.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._best().predict_log_proba(X)

    @same_type(available_if(_has_decision_function))
    def decision_function(self, X: Any) -> Floats:
        """Scores of the chosen classifier, which costs do not change.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            As `estimator` gives them.
        """
        return self._best().decision_function(X)

    @property
    def gini_(self) -> float:
        """Generalised Gini coefficient of the front, computed when it is asked for."""
        return self._measured_gini()[0]

    @property
    def gini_std_(self) -> float:
        """Standard error of `gini_`."""
        return self._measured_gini()[1]

    @property
    def logbook_(self) -> Logbook:
        """What happened in each generation, as a logbook of DEAP."""
        from deap import tools

        check_is_fitted(self, "front_")
        columns = self._log_columns
        book = tools.Logbook()
        for row in zip(*columns.values(), strict=True):
            book.record(**dict(zip(columns, row, strict=True)))
        book.header = list(columns)
        return book

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> Labels:
        """Names of the features."""
        return self.estimator_.feature_names_in_

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell what metadata goes where.

        Returns
        -------
        routing : MetadataRouter
            ``fit`` hands on to ``fit`` of `estimator` and to ``split`` of `cv` what they
            request.
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                estimator=self.estimator,
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = deepcopy(inner.input_tags)
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags = deepcopy(inner.classifier_tags)
            tags.classifier_tags.multi_label = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "front_")  # `interrupted_` alone says nothing

    def __getstate__(self) -> dict[str, Any]:
        # training data do not belong into the file of a classifier, nor does the archive,
        # unless the search is to be continued
        left = {"_context"} if self.warm_start else {"_context", "_state"}
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in left}
