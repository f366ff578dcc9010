"""Small pictures of a front for notebooks, as SVG and HTML written by hand.

Texts and frames have the colour of the page, so that they can be read on light and on dark.
"""

from html import escape

import numpy as np

from skvus._rates import off_diagonal, rates_to_points

# Beyond so many rates only miss rates are drawn, beyond so many classes not all of these.
_MOST_RATES = 30
_MOST_AXES = 40
_MOST_LINES = 200
_MOST_POINTS = 4000
_MOST_MATRIX_CLASSES = 20
_LONGEST = 14
# Blue for what is right and for members, orange for mistakes and for the chosen one: both are
# legible on white and on black, and colour-blind readers can tell them apart.
_BLUE, _ORANGE = "61,143,209", "230,97,0"
_HEIGHT, _LEFT, _TOP = 130, 34, 20
_GAP = 1.6


def short_texts(labels, longest=_LONGEST):
    """Labels as printable texts of limited length, numbered where these would be the same."""
    texts = [_short(str(label), longest) for label in labels]
    known = set()
    repeated = {text for text in texts if text in known or known.add(text)}
    return [
        f"{text} [{number}]" if text in repeated else text for number, text in enumerate(texts)
    ]


def _short(text, longest):
    # a label may be a book
    words = " ".join(text[: 10 * longest].split())
    words = "".join(c for c in words if c.isprintable()) or ascii(text[:longest])
    is_cut = len(words) > longest or len(text) > 10 * longest
    return words[: longest - 1] + "…" if is_cut else words


# --- the picture --------------------------------------------------------------------


def sketch(rates, labels, chosen):
    """Members in the plane of two miss rates, or in parallel coordinates; some of very many.

    Parameters
    ----------
    rates : ndarray of shape (n_members, n_classes, n_classes)
    labels : list
        The classes.
    chosen : int
        The member to highlight.

    Returns
    -------
    svg : str
    """
    n_classes = rates.shape[1]
    if n_classes == 2:
        return _plane(rates_to_points(rates), short_texts(labels), chosen)
    if n_classes * (n_classes - 1) <= _MOST_RATES:
        called = np.nonzero(off_diagonal(n_classes))[1]
        texts = short_texts(labels, 9)
        below = [f"→ {texts[j]}" for j in called]
        return _parallel(rates_to_points(rates), below, short_texts(labels), chosen)
    shown = min(n_classes, _MOST_AXES)
    misses = 1.0 - np.diagonal(rates, axis1=1, axis2=2)[:, :shown]
    what = "missed" if shown == n_classes else f"missed, {shown} of {n_classes} classes"
    return _parallel(misses, short_texts(labels[:shown], 11), [what], chosen)


def drawn_members(points, chosen):
    """Indices of members to draw: the best in each coordinate, some of the others."""
    most = min(_MOST_LINES, _MOST_POINTS // points.shape[1])
    spread = np.linspace(0, len(points) - 1, min(most, len(points))).round().astype(int)
    drawn = np.union1d(spread, points.argmin(axis=0))
    return drawn[drawn != chosen]


def _parallel(points, below, above, chosen):
    """Lines over axes; `above` names as many groups of axes as there are texts."""
    n_axes, n_groups = points.shape[1], len(above)
    step = int(np.clip(480 / n_axes, 15, 64))
    gap = (_GAP - 1.0) * step if n_groups > 1 else 0.0
    number = np.arange(n_axes)
    xs = _LEFT + 8 + (number * step + gap * (number // (n_axes // n_groups))).round()
    is_upright = step >= 7 * max(map(len, below))
    foot = 16 if is_upright else 8 + round(6.2 * max(map(len, below)))
    drawn = drawn_members(points, chosen)
    scale = _nice_above(points[[*drawn, chosen]].max())
    ys = (_TOP + _HEIGHT * (1.0 - points / scale)).round()
    axes = "".join(f"M{x:.0f} {_TOP}v{_HEIGHT}" for x in xs)
    parts = [f'<path d="{axes}" stroke="currentColor" stroke-opacity=".25"/>', _y_texts(scale)]
    lines = dict.fromkeys(_coordinates(xs, ys[member]) for member in drawn)
    opacity = np.clip(6.0 * max(len(lines), 1) ** -0.6, 0.08, 0.8)
    parts.append(
        f'<g fill="none" stroke="rgb({_BLUE})" stroke-opacity="{opacity:.2f}">'
        + "".join(f'<polyline points="{line}"/>' for line in lines)
        + "</g>"
    )
    parts.append(
        f'<polyline points="{_coordinates(xs, ys[chosen])}" fill="none" '
        f'stroke="rgb({_ORANGE})" stroke-width="2.5"/>'
    )
    middles = xs.reshape(n_groups, -1).mean(axis=1)
    heads = above if n_groups == 1 else [f"true {text}" for text in above]
    room = xs[-1] - xs[0] if n_groups == 1 else (xs[-1] - xs[0]) / n_groups
    heads = [_short(text, max(int(room / 5.5), 3)) for text in heads]
    parts += [_text(x, _TOP - 8, text) for x, text in zip(middles, heads, strict=True)]
    base = _TOP + _HEIGHT
    for x, text in zip(xs, below, strict=True):
        parts.append(_text(x, base + 13, text) if is_upright else _slanted(x, base + 6, text))
    width = xs[-1] + max(step // 2, 20)
    return _svg(width, base + foot, parts, len(points), len(drawn), chosen)


def _plane(points, texts, chosen):
    """Miss rates of two classes; random allocation is the falling line."""
    side = _HEIGHT + 20
    drawn = drawn_members(points, chosen)
    places = np.column_stack([_LEFT + side * points[:, 0], _TOP + side * (1.0 - points[:, 1])])
    base = _TOP + side
    frame = (
        f'<path d="M{_LEFT} {_TOP}v{side}h{side}" fill="none" stroke="currentColor" '
        f'stroke-opacity=".5"/><path d="M{_LEFT} {_TOP}l{side} {side}" '
        'stroke="currentColor" stroke-opacity=".5" stroke-dasharray="4 3"/>'
    )
    dots = "".join(dict.fromkeys(f"M{x:.0f} {y:.0f}h0" for x, y in places[drawn]))
    x, y = places[chosen]
    parts = [
        frame,
        f'<path d="{dots}" stroke="rgb({_BLUE})" stroke-width="4" '
        'stroke-linecap="round" stroke-opacity=".7"/>',
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="rgb({_ORANGE})"/>',
        _text(_LEFT + side / 2, base + 14, f"{texts[0]} missed"),
        _text(_LEFT, base + 14, "0"),
        _text(_LEFT + side, base + 14, "1"),
        _text(_LEFT - 4, _TOP + 4, "1", "end"),
        _text(_LEFT + side / 2, _TOP - 8, f"{texts[1]} missed ↑"),
    ]
    return _svg(_LEFT + side + 24, base + 20, parts, len(points), len(drawn), chosen)


def _nice_above(value):
    """The next of 0.01, 0.02, 0.05, 0.1, ... 1."""
    steps = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0])
    return float(steps[min(np.searchsorted(steps, value), steps.size - 1)])


def _y_texts(scale):
    base = _TOP + _HEIGHT
    return _text(_LEFT, _TOP + 4, f"{scale:g}", "end") + _text(_LEFT, base + 4, "0", "end")


def _coordinates(xs, ys):
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in zip(xs, ys, strict=True))


def _text(x, y, text, anchor="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'


def _slanted(x, y, text):
    turned = f'transform="rotate(-90 {x:.0f} {y:.0f})"'
    return f'<text x="{x:.0f}" y="{y + 3:.0f}" text-anchor="end" {turned}>{escape(text)}</text>'


def _svg(width, height, parts, n_members, n_drawn, chosen):
    some = f", {n_drawn + 1:,} of them drawn" if n_drawn + 1 < n_members else ""
    title = f"Rates of mistakes of {n_members:,} operating points{some}; orange: {chosen:,}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        'font-family="sans-serif" font-size="11" fill="currentColor" '
        f'style="max-width:100%"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


# --- the matrix ---------------------------------------------------------------------


def matrix_table(labels, rates, counts, caption):
    """A confusion matrix as a table: counts, or rates where there are none.

    Parameters
    ----------
    labels : list
        The classes, rows and columns.
    rates : ndarray of shape (n_classes, n_classes)
        Shades of the cells.
    counts : ndarray of shape (n_classes, n_classes) or None
    caption : str

    Returns
    -------
    table : str
    """
    n_shown = min(len(labels), _MOST_MATRIX_CLASSES)
    more = '<td style="text-align:center">…</td>' if n_shown < len(labels) else ""
    texts = [escape(text) for text in short_texts(labels)[:n_shown]]
    heads = "".join(f'<th scope="col">{text}</th>' for text in texts)
    rows = [f'<tr><th scope="row">true ↓ called →</th>{heads}{more}</tr>']
    for k, text in enumerate(texts):
        cells = "".join(
            f"<td{_shade(k == j, rates[k, j])}>{_number(rates, counts, k, j)}</td>"
            for j in range(n_shown)
        )
        rows.append(f'<tr><th scope="row">{text}</th>{cells}{more}</tr>')
    if more:
        rows.append(f'<tr><th scope="row">…</th>{(n_shown + 1) * more}</tr>')
    return (
        '<table cellpadding="3" style="border-collapse:collapse;text-align:right">'
        '<caption style="color:inherit;caption-side:top;text-align:left;white-space:nowrap">'
        f"{escape(caption)}</caption><tbody>{''.join(rows)}</tbody></table>"
    )


def _shade(is_right, rate):
    if rate < 0.02:
        return ""
    color = _BLUE if is_right else _ORANGE
    return f' style="background:rgba({color},{0.1 + 0.5 * rate:.2f})"'


def _number(rates, counts, k, j):
    if counts is None:
        return f"{rates[k, j]:.3f}"
    count = counts[k, j]
    return f"{int(count):,}" if count == int(count) else f"{count:,.6g}"
