"""Check a built site: ``python docs/check_site.py docs/_build/html``.

Every link within the site leads to a file, and to a place in it where it names one; nothing is
loaded from elsewhere; every example has its page and its thumbnail in the gallery.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

EXAMPLES = Path(__file__).parents[1] / "examples"
# What a page cannot be shown without, as opposed to where a link leads.
LOADED = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "object": ("data",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "embed": ("src",),
}
# Words of relations, not files to load.
NOT_LOADED = {"canonical", "next", "prev", "index", "search", "genindex", "author", "copyright"}
OUTSIDE = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")


class Page(HTMLParser):
    """What a page links to, what it loads, and the names of its places."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places, self.style = [], [], {""}, ""
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Note what the attributes say."""
        given = {name: value or "" for name, value in attributes}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        self.style += given.get("style", "") + "\n"
        self.in_style = tag == "style"
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and set(given.get("rel", "").split()) & NOT_LOADED:
            return
        for name in LOADED.get(tag, ()):
            if name in given:
                urls = given[name].split(",") if name == "srcset" else [given[name]]
                self.loaded += [url.split()[0] for url in urls if url.strip()]

    def handle_endtag(self, tag):
        """Leave a style sheet."""
        self.in_style = self.in_style and tag != "style"

    def handle_data(self, data):
        """Read a style sheet."""
        if self.in_style:
            self.style += data


def is_elsewhere(url):
    """Whether a URL leads out of the site; pictures inside of the page do not."""
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def problems_of_links(root, pages):
    """One line for each link within the site that leads nowhere."""
    for path, page in pages.items():
        for url in [*page.links, *page.loaded]:
            if is_elsewhere(url) or url.startswith("data:"):
                continue
            parts = urlsplit(url)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{path.relative_to(root)}: no file for {url}"
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{path.relative_to(root)}: no such place: {url}"


def problems_of_loading(root, pages):
    """One line for each thing that is loaded from elsewhere."""
    for path, page in pages.items():
        outside = [url for url in page.loaded if is_elsewhere(url)]
        for url in outside + OUTSIDE.findall(page.style):
            yield f"{path.relative_to(root)}: loads {url}"
    for path in root.rglob("*.css"):
        for url in OUTSIDE.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(root)}: loads {url}"


def problems_of_gallery(root, pages, stems):
    """One line for each example without a page, or without a thumbnail that leads there."""
    gallery = pages.get(root / "gallery.html")
    for stem in stems:
        if root / f"auto_examples/{stem}.html" not in pages:
            yield f"examples/{stem}.py: no page"
        links = gallery.links if gallery else []
        pictures = gallery.loaded if gallery else []
        if not any(link.split("#")[0] == f"auto_examples/{stem}.html" for link in links):
            yield f"gallery.html: no link to {stem}"
        if not any(f"sphx_glr_{stem}_thumb." in picture for picture in pictures):
            yield f"gallery.html: no thumbnail of {stem}"


def problems(root, stems):
    """All that is wrong with the site in a folder."""
    root = Path(root).resolve()
    paths = [path for path in root.rglob("*.html") if root / "_static" not in path.parents]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    if not pages:
        return [f"{root}: no pages"]
    return [
        *problems_of_links(root, pages),
        *problems_of_loading(root, pages),
        *problems_of_gallery(root, pages, stems),
    ]


if __name__ == "__main__":
    found = problems(sys.argv[1], sorted(path.stem for path in EXAMPLES.glob("plot_*.py")))
    print(*found, f"{len(found)} problems", sep="\n")
    sys.exit(bool(found))
