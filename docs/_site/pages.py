"""Pages are plain Markdown, readable where they lie; here they become those of a site.

Lists of links to pages become its navigation, lists of links to examples their thumbnails,
links to files outside of ``docs`` lead to their pages, pictures have a twin on a dark ground.
"""

import re
from functools import cache
from pathlib import Path

from docutils import nodes

DOCS = Path(__file__).parents[1]
# Where a line of their lists and tables begins with a link to a page, that is next on the site.
CONTENTS = ("index", "user_guide", "theory", "reproducing")
ELSEWHERE = {
    "../CHANGELOG.md": "changelog.md",
    "../CITATION.cff": "citing.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../README.md": "index.md",
    "../examples": "gallery.md",
}
LINK = re.compile(r"\]\(([^)#\s]+)")
EXAMPLE = re.compile(r"\.\./examples/(plot_\w+)\.py")
ENTRY = re.compile(r"^(?:- |\d+\. |\| )\[([^\]]+)\]\(((?:\.\./)?\w+\.md)\)", re.MULTILINE)
LISTED_EXAMPLES = re.compile(
    r"^## (.+)\n\n(?:- \[[^\]]+\]\(\.\./examples/plot_\w+\.py\).*\n(?:  .*\n)*)+", re.MULTILINE
)


def on_the_site(target):
    """Where a link of a page leads on the site."""
    if example := EXAMPLE.fullmatch(target):
        return f"auto_examples/{example[1]}.rst"
    return ELSEWHERE.get(target.removesuffix("/"), target)


@cache
def text_of(page):
    """The source of a page."""
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def entries(page):
    """Title of each page, without suffix, that a page of contents lists, but not the index."""
    text = text_of(page)
    titles = {}
    for title, target in ENTRY.findall(text):
        target = on_the_site(target).removesuffix(".md")
        titles.setdefault(target, title.replace("`", "").rstrip("?"))
    above = entries("index") if page != "index" else {}
    return {target: title for target, title in titles.items() if target not in above}


def toctree(lines, *options):
    """A table of contents for the navigation, not to be seen in the page."""
    return "\n".join(["", "```{toctree}", ":hidden:", *options, "", *lines, "```", ""])


@cache
def examples():
    """Names of the examples in the order of the gallery's page."""
    return EXAMPLE.findall(text_of("gallery"))


def by_gallery(path):
    """Key to sort thumbnails by."""
    stem = Path(path).stem
    return (examples().index(stem) if stem in examples() else len(examples())), stem


def thumbnails(match):
    """Thumbnails instead of a list of links to examples, and their pages in the navigation."""
    stems = EXAMPLE.findall(match[0])
    paths = [f"   ../examples/{stem}.py" for stem in stems]
    gallery = [f"## {match[1]}", "", "```{eval-rst}", ".. minigallery::", "", *paths, "```", ""]
    pages = [f"auto_examples/{stem}" for stem in stems]
    return "\n".join(gallery) + toctree(pages, f":caption: {match[1]}")


def read(app, page, source):
    """Turn the source of a page into that of the site."""
    text = source[0]
    if page in CONTENTS:
        text += toctree([f"{title} <{target}>" for target, title in entries(page).items()])
    if page == "gallery":
        text = LISTED_EXAMPLES.sub(thumbnails, text)
    if not page.startswith("auto_examples/"):
        text = LINK.sub(lambda match: f"]({on_the_site(match[1])}", text)
    source[0] = text


def add_dark_pictures(app, tree):
    """Where there is ``x-dark.svg`` beside ``x.svg``, show the one that suits the page."""
    for image in list(tree.findall(nodes.image)):
        uri = Path(image["uri"])
        twin = uri.with_name(f"{uri.stem}-dark{uri.suffix}")
        if (DOCS / twin).is_file():
            image["classes"].append("only-light")
            dark = image.deepcopy()
            dark.update_basic_atts({"classes": []})
            dark["uri"], dark["classes"] = twin.as_posix(), ["only-dark"]
            image.parent.insert(image.parent.index(image) + 1, dark)


def restore_initials(app, tree):
    """A reference of one line that begins with an initial was taken for item S of a list."""
    for note in tree.findall(nodes.footnote):
        for listed in list(note.findall(nodes.enumerated_list)):
            initial = "I" if "roman" in listed["enumtype"] else chr(64 + listed.get("start", 1))
            paragraph = listed[0][0]
            paragraph.insert(0, nodes.Text(f"{initial}. "))
            listed.replace_self(paragraph)


def setup(app):
    """Listen to what is read."""
    app.connect("source-read", read)
    app.connect("doctree-read", restore_initials)
    app.connect("doctree-read", add_dark_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
