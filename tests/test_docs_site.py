"""The site, without building it: what it is made of is complete and needs no network."""

import ast
import re
import runpy
import sys
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from numpydoc.docscrape import get_doc_object

import skvus

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
STEMS = sorted(path.stem for path in (ROOT / "examples").glob("plot_*.py"))
PACKAGES = (
    skvus.metrics,
    skvus.front,
    skvus.classifiers,
    skvus.search,
    skvus.datasets,
    skvus.plotting,
)
check_site = runpy.run_path(str(DOCS / "check_site.py"))


@pytest.fixture(scope="module")
def site():
    """Modules of docs/_site that need no more than Sphinx."""
    sys.path.insert(0, str(DOCS / "_site"))
    try:
        import pages
        import reference

        yield {"pages": pages, "reference": reference}
    finally:
        sys.path.remove(str(DOCS / "_site"))


@pytest.fixture(scope="module")
def formulas(site):
    pytest.importorskip("latex2mathml", reason="the extra docs is not installed")
    import formulas

    return formulas


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation_once(site):
    listed = [page for name in site["pages"].CONTENTS for page in site["pages"].entries(name)]
    assert sorted([*listed, "index"]) == [path.stem for path in PAGES]


def test_every_page_has_one_title():
    for path in PAGES:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        is_included = path.stem in {"changelog", "contributing"}
        assert len(re.findall(r"^# .", text, re.MULTILINE)) == (0 if is_included else 1), path


def test_the_gallery_lists_every_example_once_by_its_title(site):
    listed = re.findall(
        r"^- \[(.+)\]\(\.\./examples/(plot_\w+)\.py\)$", text_of("gallery.md"), re.M
    )
    assert sorted(stem for _, stem in listed) == STEMS
    assert sorted(site["pages"].examples(), key=site["pages"].by_gallery) == [
        stem for _, stem in listed
    ]
    for title, stem in listed:
        tree = ast.parse((ROOT / f"examples/{stem}.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree).splitlines()[0] == title


def test_links_out_of_the_folder_have_pages(site):
    """What stays a link to a file would be a download."""
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for target in site["pages"].LINK.findall(text):
            target = site["pages"].on_the_site(target)
            assert not target.startswith("../"), (path, target)


def test_lists_become_navigation_and_thumbnails(site):
    listed = "- [A?](../examples/plot_a.py)\n- [B](../examples/plot_b.py)\n"
    source = [f"# Gallery\n\n## First\n\n{listed}\nText.\n"]
    site["pages"].read(None, "gallery", source)
    assert "## First\n\n```{eval-rst}" in source[0]
    assert "../examples/plot_a.py\n   ../examples/plot_b.py\n```" in source[0]
    assert ":caption: First\n\nauto_examples/plot_a\nauto_examples/plot_b\n```" in source[0]
    assert source[0].endswith("\nText.\n")
    source = ["See [this](../CHANGELOG.md#x), [that](../examples/plot_a.py), [c](api.md)."]
    site["pages"].read(None, "guide_fronts", source)
    assert source == [
        "See [this](changelog.md#x), [that](auto_examples/plot_a.rst), [c](api.md)."
    ]


@pytest.mark.parametrize("reference", ["S. Holm, 1979.", "A. Name, 1900.", "I. Name, 1900."])
def test_initials_are_no_items_of_a_list(site, reference):
    source = f"See [1]_.\n\n.. [1] {reference}\n"
    tree = publish_doctree(source)
    site["pages"].restore_initials(None, tree)
    (note,) = tree.findall(nodes.footnote)
    assert reference in [child.astext() for child in note if child.tagname == "paragraph"]


def test_every_public_name_has_a_page_with_its_own_members(site):
    names = site["reference"].public_names()
    assert len(names) == sum(len(package.__all__) for package in PACKAGES)
    for name in names:
        page = site["reference"].page_of(name)
        assert f":: {name.split('.')[-1]}\n" in page
    members = re.search(r":members: (.*)\n", site["reference"].page_of("ROCFront"))[1].split(
        ", "
    )
    assert {"from_predictions", "select", "explore", "n_classes"} <= set(members)
    members = site["reference"].own_members(skvus.ParetoROCSearch)
    assert {"fit", "report", "set_operating_point", "gini_std_"} <= set(members)
    assert "get_params" not in members
    assert "as_integer_ratio" not in site["reference"].own_members(skvus.OrderingResult)


def test_names_of_the_api_page_lead_to_their_pages(site):
    source = [text_of("api.md")]
    site["reference"].read(None, "api", source)
    for name in site["reference"].public_names():
        assert f"| [`{name}`](reference/skvus.{name}.rst) |" in source[0]
        assert f"\n{name} <reference/skvus.{name}>\n" in source[0]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_see_also_names_what_there_is(package):
    public = {name for package in PACKAGES for name in package.__all__}
    for name in package.__all__:
        others = [
            other for group, _ in get_doc_object(getattr(package, name))["See Also"]
            for other, _ in group
        ]  # fmt: skip
        assert others, name
        for other in others:
            if not other.startswith(("sklearn.", "scipy.")):
                parts = [part for part in other.split(".") if part in public]
                assert parts, (name, other)
                assert parts != [name], f"{name} points to itself"


def test_words_of_the_glossary_are_used():
    others = "\n".join(
        path.read_text(encoding="utf-8").lower()
        for path in PAGES
        if path.stem not in {"glossary", "changelog", "contributing"}
    )
    terms = re.findall(r"^### (.+)$", text_of("glossary.md"), re.MULTILINE)
    assert len(terms) == len(set(terms)) > 30
    for term in terms:
        for word in term.lower().split(" and "):
            assert re.search(rf"\b{re.escape(word)}", others), word


def test_names_of_other_packages_lead_to_their_pages(site):
    def link(name):
        node = nodes.Element(reftarget=name)
        return site["reference"].lead_elsewhere(None, None, node, nodes.literal(name, name))

    found = link("sklearn.metrics.roc_auc_score")
    assert found["refuri"].endswith("/generated/sklearn.metrics.roc_auc_score.html")
    assert found.astext() == "sklearn.metrics.roc_auc_score"
    assert link("scipy.stats.kendalltau")["refuri"].startswith("https://docs.scipy.org/")
    assert link("sklearn") is link("numpy.random.Generator") is link("Nothing") is None


def test_nothing_is_named_that_would_be_fetched(site):
    for path in [DOCS / "conf.py", *DOCS.glob("_site/*.py"), *DOCS.glob("_static/*.css")]:
        text = path.read_text(encoding="utf-8")
        for followed in site["reference"].ELSEWHERE.values():  # by readers
            text = text.replace(followed, "")
        assert "http" not in text, path
    for path in DOCS.glob("_static/*.svg"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'(?:href|src)="(?!#|data:)|@import|url\((?!#)', text), path


def test_citations_have_the_version_of_the_package():
    written = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1]
    assert written == skvus.__version__
    assert f"version = {{{skvus.__version__}}}" in text_of("citing.md")


def test_citations_of_papers_agree():
    cff = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    bibtex = text_of("citing.md").replace("{", "").replace("}", "")
    bibtex = " ".join(bibtex.split())
    references = cff[cff.index("references:") :]
    titles = re.findall(r'title: "(.+)"', re.sub("collection-title", "in", references))
    assert len(titles) == len(re.findall(r"^    year: ", references, re.MULTILINE)) == 5
    assert all(title in bibtex for title in titles)
    for year in re.findall(r"^    year: (\d+)", references, re.MULTILINE):
        assert f"year = {year}" in re.sub(" +", " ", bibtex)
    for doi in re.findall(r'doi: "?([\d./a-z]+)', references):
        assert doi in bibtex


def test_the_command_that_builds_is_the_same_everywhere():
    command = "python -m sphinx -W --keep-going -b html docs docs/_build/html"
    for name in ("docs/conf.py", "CONTRIBUTING.md", ".ci/run"):
        assert command in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_picture_of_the_front_page_is_what_is_computed():
    """And the lines of code beside it lead there."""
    answer = runpy.run_path(str(DOCS / "make_answer.py"))
    found = answer["compute"]()
    for name in ("answer.svg", "answer-dark.svg"):
        assert f"<dc:description>{answer['describe'](found)}<" in text_of(f"_static/{name}")
    page = text_of("index.md")
    variables = {"skvus": skvus, "y": found["y"], "proba": found["proba"]}
    *_, last = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1].strip().splitlines()
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], variables)
    costs = eval(last.split("#")[0], variables)
    decided = found["classes"][(found["proba"] @ costs).argmin(axis=1)]
    is_barbera = found["y"] == "Barbera"
    assert 0 < (decided[is_barbera] == "Barolo").mean() <= answer["LIMIT"]
    assert f"and {answer['texts'](found)[2][3].removeprefix('the price: ')}" in page


@pytest.mark.parametrize(
    ("source", "part"),
    [
        (r"\frac{1}{2}", "<mfrac><mrow><mn>1</mn>"),
        (r"|S|", "<mi>&#x0007C;</mi><mi>S</mi><mi>&#x0007C;</mi>"),
        (r"\left|\frac{1}{2}\right|", 'form="prefix">&#x0007C;</mo>'),
        (r"\arg\max_j p_j", "<mo>arg</mo>"),
        (r"\log p_j", '<mi>log</mi><mspace width="0.167em" />'),
        (r"\log(p)", "<mi>log</mi><mo"),
        (r"S = \emptyset", "<mi>&#x02205;</mi>"),
    ],
)
def test_formulas_are_mathml(formulas, source, part):
    assert part in formulas.mathml(nodes.math(source, source), "inline")


def test_commands_that_are_not_known_are_told(formulas, monkeypatch):
    told = []
    monkeypatch.setattr(formulas.logger, "warning", lambda *args, **options: told.append(args))
    formulas.mathml(nodes.math("", r"\nosuch x"), "inline")
    assert "nosuch" in str(told)


def test_all_formulas_of_the_pages_are_understood(formulas):
    for path in PAGES:
        text = re.sub(r"```.*?```|`[^`]+`", "", path.read_text("utf-8"), flags=re.DOTALL)
        for pair in re.findall(r"\$\$(.+?)\$\$|\$([^$]+)\$", text, re.DOTALL):
            assert formulas.mathml(nodes.math("", "".join(pair)), "block").startswith("<math")


def test_all_formulas_of_the_docstrings_are_understood(formulas):
    for path in (ROOT / "skvus").rglob("*.py"):
        text = path.read_text("utf-8")
        blocks = re.findall(r"^    \.\. math::\n\n((?:        .+\n|\n)+)", text, re.MULTILINE)
        for formula in [*re.findall(r":math:`([^`]+)`", text), *blocks]:
            assert formulas.mathml(nodes.math("", formula), "block").startswith("<math"), path


@pytest.fixture
def built(tmp_path):
    """A small site that has nothing wrong with it."""
    (tmp_path / "auto_examples").mkdir()
    (tmp_path / "site.css").write_text('a { background: url("x.svg") }')
    (tmp_path / "sphx_glr_plot_a_thumb.png").touch()
    (tmp_path / "auto_examples/plot_a.html").write_text('<h1 id="top">A</h1>')
    (tmp_path / "gallery.html").write_text(
        '<link rel="stylesheet" href="site.css?digest=1"><link rel="next" href="none.html">'
        '<a href="auto_examples/plot_a.html#top"><img src="sphx_glr_plot_a_thumb.png"></a>'
        '<a href="https://example.org">out</a><img src="data:image/png;base64,AA">'
    )
    return tmp_path


def test_a_good_site_passes(built):
    assert check_site["problems"](built, ["plot_a"]) == []


@pytest.mark.parametrize(
    ("added", "problem"),
    [
        ('<a href="none.html">', "no file for none.html"),
        ('<a href="auto_examples/plot_a.html#none">', "no such place"),
        ('<a href="#none">', "no such place"),
        ('<img src="none.png">', "no file for none.png"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ('<script src="//example.org/x.js"></script>', "loads //example.org/x.js"),
        ('<link rel="preconnect" href="https://example.org">', "loads https://example.org"),
        ('<img srcset="https://example.org/x.png 2x">', "loads https://example.org/x.png"),
        (
            "<style>@import 'https://example.org/x.css';</style>",
            "loads https://example.org/x.css",
        ),
        ('<p style="background: url(//example.org/x.png)">', "loads //example.org/x.png"),
    ],
)
def test_a_bad_page_is_found(built, added, problem):
    page = built / "gallery.html"
    page.write_text(page.read_text() + added)
    (found,) = check_site["problems"](built, ["plot_a"])
    assert found.startswith("gallery.html: ")
    assert problem in found


def test_a_bad_style_sheet_is_found(built):
    (built / "site.css").write_text("@font-face { src: url('https://example.org/x.woff2') }")
    assert check_site["problems"](built, ["plot_a"]) == [
        "site.css: loads https://example.org/x.woff2"
    ]


def test_an_example_that_is_missing_is_found(built):
    found = check_site["problems"](built, ["plot_a", "plot_b"])
    assert found == [
        "examples/plot_b.py: no page",
        "gallery.html: no link to plot_b",
        "gallery.html: no thumbnail of plot_b",
    ]


def test_an_empty_folder_is_no_site(tmp_path):
    assert check_site["problems"](tmp_path, []) == [f"{tmp_path}: no pages"]
