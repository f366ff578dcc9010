"""How far a search is: scikit-learn's callbacks, a bar of tqdm, or lines."""

from contextlib import contextmanager

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    FRAMES = 1  # between `fit` and who called it
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing: this scikit-learn has no callbacks."""

    def with_callbacks(method):
        """The method as it is."""
        return method

    FRAMES = 0

_LINES = 10  # that are printed where there is no bar


class Progress:
    """Shows nothing."""

    def start(self, n_tried, n_drawn):
        """So many candidates of the start were tried."""

    def generation(self, summary):
        """A generation is complete."""


class Bar(Progress):
    """A bar of tqdm."""

    def __init__(self, bar):
        self._bar = bar

    def start(self, n_tried, n_drawn):
        """So many candidates of the start were tried."""
        self._bar.set_postfix_str(f"start: candidate {n_tried} of {n_drawn}")

    def generation(self, summary):
        """A generation is complete."""
        self._bar.set_postfix_str(_in_words(summary), refresh=False)
        self._bar.update(summary["generation"] - self._bar.n)


class Lines(Progress):
    """Some printed lines."""

    def __init__(self, n_generations):
        self._n_generations = n_generations
        self._every = max(1, n_generations // _LINES)

    def start(self, n_tried, n_drawn):
        """So many candidates of the start were tried."""
        every = max(1, n_drawn // _LINES)
        if n_drawn > 1 and n_tried // every > (n_tried - 1) // every:
            print(f"ParetoROCSearch: start, candidate {n_tried} of {n_drawn}", flush=True)

    def generation(self, summary):
        """A generation is complete."""
        number = summary["generation"]
        if number % self._every == 0 or number == self._n_generations:
            print(
                f"ParetoROCSearch: generation {number}/{self._n_generations}, "
                f"{_in_words(summary)}, {summary['seconds']:.1f} s",
                flush=True,
            )


@contextmanager
def progress(n_generations, verbose, n_done=0):
    """What shows how far the search is, of which some generations may be done already."""
    if not verbose:
        yield Progress()
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield Lines(n_generations)
        return
    options = {"desc": "ParetoROCSearch", "unit": "gen", "initial": n_done}
    with tqdm(total=n_generations, **options) as bar:
        yield Bar(bar)


def _in_words(summary):
    return (
        f"{summary['evaluations']:,} evaluations, front {summary['size']:,}, "
        f"G {summary['gini']:.3f}"
    )
