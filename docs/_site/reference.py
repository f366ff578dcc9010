"""A page for each public name, as listed in the tables of ``api.md``, and links to them."""

import importlib
import inspect
import re
from pathlib import Path

from docutils import nodes
from pages import toctree
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

DOCS = Path(__file__).parents[1]
ROW = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)
SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
CODE = re.compile(
    r"(?:skvus\.(?:(?:metrics|front|classifiers|search)\.)?)?([A-Za-z_][\w.]*)(?:\(.*\))?",
    re.DOTALL,
)
MODULES = ("skvus", "skvus.datasets", "skvus.plotting")
NAME = re.compile(r"\b([A-Z]\w+)\b")  # public classes among other words of a type
# Where others document a function or a class: for the reader to follow, nothing is fetched.
ELSEWHERE = {
    "sklearn": "https://scikit-learn.org/stable/modules/generated/{}.html",
    "scipy": "https://docs.scipy.org/doc/scipy/reference/generated/{}.html",
}

PAGE = """\
{title}
{line}

.. currentmodule:: {module}

.. auto{kind}:: {name}
{members}
.. minigallery:: {module}.{name}
   :add-heading: Examples with ``{name}``
   :heading-level: -
"""


def public_names():
    """Names of the tables, in their order, with the dots below ``skvus``."""
    return ROW.findall((DOCS / "api.md").read_text(encoding="utf-8"))


def own_members(cls):
    """Methods and properties of a class that it does not have from another package."""

    def is_ours(member):
        function = getattr(member, "fget", member)
        function = getattr(function, "__func__", function)
        return "skvus" in (getattr(function, "__module__", None) or "")

    return [
        name
        for name, member in inspect.getmembers_static(cls)
        if not name.startswith("_") and is_ours(member) and inspect.getdoc(member)
    ]


def page_of(name):
    """The page of a public name, in reStructuredText."""
    module, _, short = f"skvus.{name}".rpartition(".")
    thing = getattr(importlib.import_module(module), short)
    is_class = inspect.isclass(thing)
    members = own_members(thing) if is_class else []
    return PAGE.format(
        title=short,
        line="=" * len(short),
        module=module,
        name=short,
        kind="class" if is_class else "function",
        members=f"   :members: {', '.join(members)}\n" if members else "",
    )


def write_pages(app):
    """Write those that are not there as they should be, and remove what is no name any more."""
    folder = DOCS / "reference"
    folder.mkdir(exist_ok=True)
    pages = {folder / f"skvus.{name}.rst": page_of(name) for name in public_names()}
    for path in set(folder.glob("*.rst")) - set(pages):
        path.unlink()
    for path, text in pages.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def read(app, page, source):
    """Link the names of the tables to their pages, and put these into the navigation."""
    if page != "api":
        return

    def section(match):
        heading, body = match[1].replace("`", ""), match[2]
        lines = [f"{name} <reference/skvus.{name}>" for name in ROW.findall(body)]
        body = ROW.sub(r"| [`\1`](reference/skvus.\1.rst) |", body)
        return f"## {match[1]}\n{body}{toctree(lines, f':caption: {heading}')}\n"

    source[0] = SECTION.sub(section, source[0])


class LinkNames(SphinxPostTransform):
    """Public names, and their methods, lead to their pages: in code within a line, in types."""

    default_priority = 20

    def run(self):
        """Look at a page, but not at its headings and at what is a link already."""
        for code in list(self.document.findall(nodes.literal)):
            name = CODE.fullmatch(code.astext())
            if name and not isinstance(code.parent, (nodes.title, nodes.reference)):
                link = self.link(name[1], code.deepcopy())
                code.replace_self(link)
        for kind in list(self.document.findall(nodes.classifier)):
            parts = NAME.split(kind.astext())
            kind[:] = [
                self.link(part, nodes.Text(part)) if i % 2 else nodes.Text(part)
                for i, part in enumerate(parts)
            ]

    def link(self, name, shown):
        """A link to the page of a name, or only what is shown if that is here or nowhere."""
        objects = self.env.domains.python_domain.objects
        names = [f"{module}.{name}" for module in MODULES if f"{module}.{name}" in objects]
        page = self.env.current_document.docname
        if not names or objects[names[0]].docname == page:
            return shown
        target = objects[names[0]]
        builder, anchor = self.app.builder, target.node_id
        return make_refnode(builder, page, target.docname, anchor, [shown], names[0])


def lead_elsewhere(_app, _env, node, shown):
    """A link to a name of another package, as "See also" has them; None for others."""
    name = node.get("reftarget", "")
    package, *parts = name.split(".")
    if package not in ELSEWHERE or len(parts) != 2:
        return None
    return nodes.reference("", "", shown, refuri=ELSEWHERE[package].format(name))


def setup(app):
    """Write the pages before any is read."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", read)
    app.connect("missing-reference", lead_elsewhere)
    app.add_post_transform(LinkNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
