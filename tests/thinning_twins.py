"""Slow, obvious counterpart of the thinning of archives."""


def thinned(points, sums, ages, most, shifts, units):
    """Boxes grow by doubling the narrowest side until few enough members are left."""
    shifts = list(shifts)
    n_objectives = len(units)
    everybody = sorted(range(len(points)), key=lambda i: (sums[i], ages[i]))
    ends = set()
    if most >= 2 * n_objectives:
        for d in range(n_objectives):
            ends.add(min(everybody, key=lambda i: points[i][d]))  # the first of equal ones
    while True:
        best = {}
        for i in everybody:
            box = tuple(points[i][d] // 2 ** shifts[d] for d in range(n_objectives))
            best.setdefault(box, i)
        kept = set(best.values()) | ends
        if len(kept) <= most:
            return sorted(kept), shifts
        widths = [units[d] * 2 ** shifts[d] for d in range(n_objectives)]
        shifts[widths.index(min(widths))] += 1
