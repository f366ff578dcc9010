"""Slow, obvious counterpart of the thinning of archives."""


def thinned(points, sums, ages, most, shifts, units, fixed):
    """Boxes grow by doubling the narrowest side until few enough members are left."""
    shifts = list(shifts)
    n_objectives = len(units)
    everybody = sorted(range(len(points)), key=lambda i: (sums[i], ages[i]))
    ends = set(fixed)
    if most >= 4 * n_objectives:
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


def covering(points, samples, most):
    """For each sample that is not dominated yet, the most useful member that dominates it."""
    below = [
        {i for i, point in enumerate(points) if all(map(float.__le__, point, sample))}
        for sample in samples
    ]
    worth = [sum(1.0 / len(who) for who in below if i in who) for i in range(len(points))]
    chosen = []
    for s in sorted(range(len(samples)), key=lambda s: len(below[s])):
        if len(chosen) < most and below[s] and not below[s] & set(chosen):
            chosen.append(
                max(sorted(below[s]), key=lambda i: worth[i])
            )  # of equal ones the first
    return chosen
