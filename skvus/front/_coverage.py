"""Points in rate space against the members of a front."""

import numpy as np

# Sets of members take up to this many bytes; more members are split into parts.
_MOST_BYTES = 2**22


class Cover:
    """The members of a front, to be asked which points they weakly dominate."""

    def __init__(self, points):
        # large boxes first: they are the likeliest to hold a sample
        points = points[np.argsort(points.sum(axis=1), kind="stable")]
        # with as many levels as members, a part of c takes c² / 8 bytes a coordinate
        size = max(64, int(np.sqrt(8.0 * _MOST_BYTES / points.shape[1])))
        self._parts = [_Part(points[i : i + size]) for i in range(0, len(points), size)]

    def covers(self, samples):
        """Whether each sample is weakly dominated by a member."""
        samples = np.ascontiguousarray(samples)
        found = self._parts[0].covers(samples)
        for part in self._parts[1:]:
            found[~found] = part.covers(samples[~found])
        return found

    def count(self, samples):
        """How many members weakly dominate each sample."""
        samples = np.ascontiguousarray(samples)
        return sum(part.count(samples) for part in self._parts)


class _Part:
    """Some members: the levels of each coordinate, and the sets of members up to each."""

    def __init__(self, points):
        from skvus._kernels.dominance import level_guide, level_sets

        levels = [np.unique(column) for column in points.T]
        sizes = [column.size + 1 for column in levels]  # a row more, for what is below all
        levels = np.concatenate(levels)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        guide = level_guide(levels, starts)
        sets = level_sets(levels, starts, guide, np.ascontiguousarray(points))
        self._arrays = sets, levels, starts, guide

    def covers(self, samples):
        from skvus._kernels.dominance import covered

        return covered(*self._arrays, samples)

    def count(self, samples):
        from skvus._kernels.dominance import cover_counts

        return cover_counts(*self._arrays, samples)
