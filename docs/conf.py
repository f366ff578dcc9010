"""How the site is made: ``python -m sphinx -W --keep-going -b html docs docs/_build/html``."""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_site"))

import skvus  # noqa: E402

project = "skvus"
author = "The skvus developers"
copyright = "the skvus developers, BSD-3-Clause"
version = release = skvus.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx_gallery.gen_gallery",
    "myst_parser",
    "numpydoc",
    # in docs/_site
    "formulas",
    "pages",
    "reference",
]
exclude_patterns = ["_build", "auto_examples/index.rst", "sg_execution_times.rst"]
default_role = "py:obj"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # the sections on parameters say more
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["auto_examples"],
    "filename_pattern": "plot_",
    "within_subsection_order": "FileNameSortKey",
    "minigallery_sort_order": "pages.by_gallery",
    "backreferences_dir": "auto_examples/backreferences",
    "doc_module": ("skvus",),
    "reference_url": {"skvus": None},
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "remove_config_comments": True,
}

templates_path = []
html_theme = "pydata_sphinx_theme"
html_title = "skvus"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "logo": {
        "text": "skvus",
        "image_light": "_static/logo.svg",
        "image_dark": "_static/logo.svg",
    },
    "header_links_before_dropdown": 8,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "gallery": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# pages that have no others below them
html_sidebars = {
    name: []
    for name in (
        *("index", "getting_started", "which_score", "gallery", "benchmarks"),
        *("architecture", "glossary", "changelog", "contributing", "citing"),
    )
}
