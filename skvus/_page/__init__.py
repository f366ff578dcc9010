"""The explorer page: one HTML file that holds its data, its style and its script."""

from skvus._page._render import encoded, render_page

__all__ = ["encoded", "render_page"]
