"""From plain data to the text of a page that runs nothing but its own script."""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

import numpy as np

# In the order in which they build on each other.
_SCRIPTS = (
    "tools",
    "data",
    "choose",
    "words",
    "snippet",
    "zoom",
    "handles",
    "parallel",
    "markers",
    "space",
    "members",
    "limits",
    "controls",
    "matrices",
    "main",
)


def encoded(array, dtype):
    """An array as text, little-endian whatever the machine."""
    return b64encode(np.asarray(array, dtype=dtype).tobytes()).decode()


def render_page(data, *, title, version):
    """The text of the page.

    Parameters
    ----------
    data : dict
        What JSON holds; see ``data.js`` for what the script expects.
    title : str
    version : str
        Of skvus.
    """
    script, style = _script(), _asset("page.css")
    values = {
        "policy": escape(_policy(script, style)),
        "version": escape(version),
        "title": escape(" ".join(title.split())),
        "style": style,
        "script": script,
        "data": _harmless_json(data),
    }
    text = _asset("page.html")
    # split first: what is filled in may look like a place to fill in
    parts = text.split("{{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, rest = part.split("}}", 1)
        filled += [values[name], rest]
    return "".join(filled)


def _harmless_json(data):
    """JSON within HTML: no tag can begin in it, and no line ends that JavaScript dislikes."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(script, style):
    """Nothing is loaded, and only this very script and style have effect."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text):
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


@cache
def _script():
    """All scripts in one scope of their own."""
    parts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def _asset(name):
    return files("skvus._page").joinpath(name).read_text(encoding="utf-8")
