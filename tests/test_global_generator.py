"""Without a seed, only what is really drawn is drawn from the global generator."""

# ruff: noqa: NPY002
import numpy as np
import pytest

from skvus import ROCFront
from skvus.metrics import operating_points, polytope_vus, soft_polytope_vus_score

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1, 2], 10)
P = 0.8 * RNG.dirichlet(np.ones(3), size=30) + 0.2 * np.eye(3)[Y]
Y4 = np.repeat([0, 1, 2, 3], 5)
P4 = 0.8 * RNG.dirichlet(np.ones(4), size=20) + 0.2 * np.eye(4)[Y4]
FRONT = ROCFront.from_predictions(Y, P, n_costs=50, random_state=0)
OTHER = ROCFront.from_predictions(Y, P[:, [1, 0, 2]], n_costs=50, random_state=0)
FRONT4 = ROCFront.from_predictions(Y4, P4, n_costs=50, random_state=0)
RATES = 0.7 * np.eye(3) + 0.1
MANY = FRONT4.rates[:30]

EXACT = {
    "gini": lambda **o: FRONT.gini(**o),
    "delta": lambda **o: FRONT.delta(OTHER, **o),
    "compare": lambda **o: vars(FRONT.compare(OTHER, **o)),
    "hypervolume": lambda **o: FRONT.hypervolume(**o),
    "evaluate": lambda **o: FRONT.evaluate(Y, P, **o).gini,
    "polytope_vus": lambda **o: polytope_vus(RATES, **o),
    "soft_polytope_vus_score": lambda **o: soft_polytope_vus_score(Y, P, **o),
    "operating_points": lambda **o: operating_points(Y, P, **o).rates.tolist(),
    "two classes": lambda **o: ROCFront.from_predictions(Y > 0, P[:, 0], **o).rates.tolist(),
    "all": lambda **o: ROCFront.from_predictions(
        Y, P, n_costs="all", family="weights", **o
    ).rates.tolist(),
}
DRAWN = {
    "gini": lambda **o: FRONT.gini(method="monte_carlo", n_samples=100, **o),
    "delta": lambda **o: FRONT.delta(OTHER, method="monte_carlo", n_samples=100, **o),
    "compare": lambda **o: vars(FRONT4.compare(FRONT4[::3], n_samples=100, **o)),
    "hypervolume": lambda **o: FRONT4.hypervolume(method="monte_carlo", n_samples=100, **o),
    "evaluate": lambda **o: FRONT4.evaluate(Y4, P4, n_samples=100, **o).gini,
    "polytope_vus": lambda **o: polytope_vus(
        MANY, method="monte_carlo", n_samples=32, normalize="max", **o
    ),
    "one matrix": lambda **o: polytope_vus(RATES, method="monte_carlo", n_samples=32, **o),
    "soft_polytope_vus_score": lambda **o: float(
        soft_polytope_vus_score(Y4, P4, n_costs=10, return_details=True, **o)
    ),
    "operating_points": lambda **o: operating_points(Y4, P4, n_weights=20, **o).rates.tolist(),
    "from_predictions": lambda **o: ROCFront.from_predictions(
        Y, P, n_costs=20, **o
    ).rates.tolist(),
}


@pytest.fixture(autouse=True)
def as_before():
    state = np.random.get_state()
    yield
    np.random.set_state(state)


def draws_of(call, **options):
    """What a call makes, and what the global generator would draw next."""
    np.random.seed(0)
    return call(**options), np.random.randint(2**31)


@pytest.mark.parametrize("call", EXACT.values(), ids=EXACT)
def test_exact_results_draw_nothing(call):
    result, next_draw = draws_of(call)
    assert next_draw == draws_of(lambda: None)[1]
    assert result == call(random_state=1)


@pytest.mark.parametrize("call", DRAWN.values(), ids=DRAWN)
def test_what_is_drawn_follows_the_global_generator(call):
    result, next_draw = draws_of(call)
    assert next_draw != draws_of(lambda: None)[1]
    assert draws_of(call)[0] == result
    np.random.seed(0)
    assert call(random_state=np.random.mtrand._rand) == result


def test_shares_that_are_compared_share_their_samples():
    result = FRONT.compare(FRONT, method="monte_carlo", n_samples=100)
    assert result.gini == result.other_gini
