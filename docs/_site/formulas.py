"""Formulas as MathML, which browsers draw by themselves: no script, no font, no network."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

logger = logging.getLogger(__name__)


def mathml(node, display):
    """The formula of a node; one that cannot be read is a warning."""
    try:
        return convert(node.astext(), display=display)
    except Exception as error:  # whatever the parser stumbles on
        logger.warning("formula %r: %s", node.astext(), error, location=node)
        return f"<code>{node.astext()}</code>"


def visit_inline(writer, node):
    """Write a formula within a line."""
    writer.body.append(mathml(node, "inline"))
    raise nodes.SkipNode


def visit_block(writer, node):
    """Write a formula on lines of its own, which scrolls where the window is narrow."""
    writer.body.append(f'<div class="formula">{mathml(node, "block")}</div>')
    raise nodes.SkipNode


def setup(app):
    """Add the renderer ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
