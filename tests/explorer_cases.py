"""Fronts whose pages are looked at, and what a page holds, read without a browser."""

import json
from base64 import b64decode
from html.parser import HTMLParser

import numpy as np

from skvus import ROCFront
from skvus._rates import rates_to_points

HOSTILE = [
    "<script>document.title = 'stolen'</script>",
    "</script><img src=x onerror=\"document.title = 'stolen'\">",
    "\"'><b>&amp;</b>",
    "\u202eright to left \u05e9\u05dc\u05d5\u05dd",
    "\N{WOMAN}\u200d\N{PERSONAL COMPUTER} two\nlines\tand\\ backslashes",
    "__proto__",
    "constructor",
    "very long " * 300,
]


class Page(HTMLParser):
    """Tags, scripts and styles of a page."""

    def __init__(self, path):
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.tags, self.contents, self.is_open = [], [], False
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.contents.append((tag, dict(attrs), []))
        self.is_open = True

    def handle_endtag(self, tag):
        self.is_open = False

    def handle_data(self, data):
        if self.is_open:
            self.contents[-1][2].append(data)

    def inside(self, tag, **attributes):
        """Texts of the elements with a tag and these attributes."""
        return [
            "".join(data)
            for name, attrs, data in self.contents
            if name == tag and all(attrs.get(key) == value for key, value in attributes.items())
        ]

    @property
    def data(self):
        """What the script reads."""
        (text,) = self.inside("script", id="data")
        return json.loads(text)


def decoded(text, dtype):
    """Numbers that a page holds as text."""
    return np.frombuffer(b64decode(text), dtype)


def page_of(front, tmp_path, **options):
    """The page of a front, written and read."""
    return Page(front.explore(tmp_path / "page.html", **options))


def posteriors(y, n_classes, rng, spread=1.3):
    """Noisy posterior probabilities of true classes."""
    scores = rng.normal(size=(len(y), n_classes)) * spread
    scores[np.arange(len(y)), y] += 1.5
    scores = np.exp(scores)
    return scores / scores.sum(axis=1, keepdims=True)


def drawn_front(n_classes=3, *, size=60, labels=None, weighted=False, seed=0, **options):
    """A front of a made-up classifier."""
    rng = np.random.default_rng(seed)
    y = np.arange(size * n_classes) % n_classes
    names = np.arange(n_classes) if labels is None else np.asarray(labels)
    return ROCFront.from_predictions(
        names[y],
        posteriors(y, n_classes, rng),
        labels=names,
        sample_weight=rng.uniform(0.1, 3.0, len(y)) if weighted else None,
        random_state=seed,
        **{"n_costs": 1000, **options},
    )


def sphere_front(n_classes, size, *, seed=0):
    """A front of any number of members: points of a sphere, none of which dominates another."""
    rng = np.random.default_rng(seed)
    directions = rng.dirichlet(np.ones(n_classes * (n_classes - 1)), size)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    rates = np.zeros((size, n_classes, n_classes))
    rates[:, ~np.eye(n_classes, dtype=bool)] = (1.0 - directions) / (n_classes - 1)
    codes = np.arange(n_classes)
    rates[:, codes, codes] = 1.0 - rates.sum(axis=2)
    costs = rng.uniform(0.1, 1.0, rates.shape)
    costs[:, codes, codes] = 0.0
    params = [{"C": 10.0 ** (i % 7 - 3)} for i in range(size)]
    return ROCFront.from_rates(rates, costs=costs, params=params)


def repeated(front, times=3):
    """A front with each member several times, which only the constructor makes."""
    rates = np.repeat(front.rates, times, axis=0)
    return ROCFront(rates, classes=front.classes, priors=front.priors)


def points_of(page, front):
    """The rates of a page, and those of the front."""
    return decoded(page.data["points"], "<f8"), rates_to_points(front.rates).ravel()
