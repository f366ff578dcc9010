"""Formulas as MathML, which browsers draw by themselves: no script, no network.

Sums and parentheses grow only in fonts for mathematics, which not every reader has. So the
site has one: STIX Two Math, under the SIL Open Font License, of which the package ziamath has a
copy, reduced to what formulas need.
"""

import re
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

from docutils import nodes
from fontTools import subset
from latex2mathml.converter import convert
from sphinx.util import logging

logger = logging.getLogger(__name__)

# The converter takes bars and the empty set for operators between two operands.
UNSPACED = re.compile(r'<mo(?! stretchy="true")[^>]*>(&#x(?:0007C|02016|02205|02225);)</mo>')
ARG = re.compile(r"\\arg(?![a-z])")  # which it does not know
# It sets log p without a space, like a product.
APPLIED = re.compile(r"(\\(?:log|ln|sin|cos))(?=\s+\w|\s*\\(?!left|big))\s*")
COMMAND = re.compile(r"\\\w+|&#x0005C;\w*")  # what it does not know is left as it is
FONT = "fonts/STIXTwoMath-Regular.ttf"
# Latin, Greek, punctuation, letters like ℝ, arrows and operators, brackets, italics
CHARACTERS = (
    (0x20, 0x7F), (0xA0, 0x100), (0x370, 0x400), (0x2000, 0x2070), (0x2100, 0x2150),
    (0x2190, 0x2400), (0x27C0, 0x2800), (0x2A00, 0x2B00), (0x1D400, 0x1D800),
)  # fmt: skip


def mathml(node, display):
    """The formula of a node; one that cannot be read is a warning."""
    try:
        source = ARG.sub(r"\\operatorname{arg}", node.astext())
        source = APPLIED.sub(r"\1\\, ", source)
        formula = UNSPACED.sub(r"<mi>\1</mi>", convert(source, display=display))
        if unknown := COMMAND.findall(formula):
            raise ValueError(f"no such commands: {', '.join(unknown)}")
        return formula
    except Exception as error:  # whatever the parser stumbles on
        logger.warning("formula %r: %s", node.astext(), error, location=node)
        return f"<code>{escape(node.astext())}</code>"


def visit_inline(writer, node):
    """Write a formula within a line."""
    writer.body.append(mathml(node, "inline"))
    raise nodes.SkipNode


def visit_block(writer, node):
    """Write a formula on lines of its own, which scrolls where the window is narrow."""
    writer.body.append(f'<div class="formula">{mathml(node, "block")}</div>')
    raise nodes.SkipNode


def write_font(app, exception):
    """Write the font for formulas into the finished site."""
    target = Path(app.outdir) / "_static" / "math.woff"
    if exception is not None or app.builder.format != "html" or target.is_file():
        return
    options = subset.Options(flavor="woff", layout_features=["*"], notdef_outline=True)
    with as_file(files("ziamath") / FONT) as path:
        font = subset.load_font(path, options)
    reduced = subset.Subsetter(options)
    reduced.populate(unicodes=[code for first, end in CHARACTERS for code in range(first, end)])
    reduced.subset(font)
    subset.save_font(font, target, options)


def setup(app):
    """Add the renderer ``mathml``, and its font."""
    app.connect("build-finished", write_font)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
