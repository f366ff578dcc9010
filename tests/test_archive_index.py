"""The index of an archive decides how long an insertion takes, and nothing else."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from test_search_archive import as_members

import skvus.search._archive as archive_module
from skvus.search._archive import Archive


def approaching_batches(n_batches=40, n=80, n_keys=4):
    """Points that get better and better, so that members come and go."""
    rng = np.random.default_rng(0)
    totals = np.geomspace(10**6, 10**3, n_batches)
    shares = rng.dirichlet(np.ones(n_keys), size=(n_batches, n))
    return np.rint(totals[:, np.newaxis, np.newaxis] * shares).astype(np.int64)


def filled(batches, *, counts_entries=True):
    archive, made = Archive(), []
    for i, rows in enumerate(batches):
        archive.insert(as_members(rows, first=i * len(rows)))
        if not counts_entries:
            archive._n_since = 0
        if not made or made[-1] is not archive._bounds:
            made.append(archive._bounds)
    return archive, len(made)


@pytest.mark.parametrize("most_sorted", [3, 50, 2**14])
def test_an_index_that_is_made_anew_changes_nothing(monkeypatch, most_sorted):
    monkeypatch.setattr(archive_module, "_FIRST_CAPACITY", 1)
    batches = approaching_batches()
    old, n_old = filled(batches, counts_entries=False)
    monkeypatch.setattr(archive_module, "_MOST_SORTED", most_sorted)
    new, n_new = filled(batches)
    assert n_new > n_old  # and not only as the archive grew
    for a, b in zip(old.members, new.members, strict=True):
        assert_array_equal(a, b)


def test_the_index_follows_its_members():
    """Without room for more members, levels are those of the members there are."""
    batches = approaching_batches()
    archive, n_made = filled(batches)
    assert n_made > 1
    assert len(archive._origin) == archive_module._FIRST_CAPACITY
    assert (archive._bounds[:, -1] < np.median(batches[0], axis=0)).all()


def test_an_interrupt_leaves_the_index_as_it_was(monkeypatch):
    import skvus._kernels.archive as kernels

    archive = Archive()
    rows = approaching_batches(2, 1500)
    archive.insert(as_members(rows[0]))
    before = [array.copy() for array in archive.members]

    def interrupted(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(kernels, "indexed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            archive.insert(as_members(np.tile(rows[1], (3, 1)), first=1500))
    for a, b in zip(archive.members, before, strict=True):
        assert_array_equal(a, b)
    archive.insert(as_members(rows[1], first=1500))
    expected, _ = filled(rows)
    assert_array_equal(archive.members.keys, expected.members.keys)
