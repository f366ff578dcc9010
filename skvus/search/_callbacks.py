"""How far a search is: scikit-learn's callbacks, a bar of tqdm, or lines."""

from contextlib import contextmanager

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """Nothing: this scikit-learn has no callbacks."""

    def with_callbacks(method):
        """The method as it is."""
        return method


_LINES = 10  # that are printed where there is no bar


@contextmanager
def progress(n_generations, verbose):
    """Function that shows the last row of the log, or does nothing."""
    if not verbose:
        yield lambda columns: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda columns: _print_line(columns, n_generations)
        return
    with tqdm(total=n_generations, desc="ParetoROCSearch", unit="gen") as bar:

        def show(columns):
            bar.set_postfix_str(_summary(columns), refresh=False)
            bar.update(columns["generation"][-1] - bar.n)

        yield show


def _summary(columns):
    return (
        f"{columns['evaluations'][-1]:,} evaluations, front {columns['size'][-1]:,}, "
        f"G {columns['gini'][-1]:.3f}"
    )


def _print_line(columns, n_generations):
    generation = columns["generation"][-1]
    if generation % max(1, n_generations // _LINES) == 0 or generation == n_generations:
        seconds = columns["seconds"][-1]
        print(
            f"ParetoROCSearch: generation {generation}/{n_generations}, "
            f"{_summary(columns)}, {seconds:.1f} s",
            flush=True,
        )
