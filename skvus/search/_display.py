"""A search in a notebook: scikit-learn's diagram, and what was found."""

from sklearn import get_config
from sklearn.utils import estimator_html_repr

from skvus.front._display import front_html


class SearchDisplay:
    """How a search is shown; a part of `ParetoROCSearch`.

    As everywhere in scikit-learn, there is HTML unless ``set_config(display="text")``.
    """

    @property
    def _repr_html_(self):
        # whether there is HTML at all is what hasattr must tell
        if get_config()["display"] != "diagram":
            raise AttributeError("_repr_html_ is there if the option 'display' is 'diagram'.")
        return self._html

    def _repr_mimebundle_(self, **kwargs):
        bundle = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            bundle["text/html"] = self._html()
        return bundle

    def _html(self):
        diagram = estimator_html_repr(self)
        if not hasattr(self, "front_"):
            return diagram
        if hasattr(self, "best_index_"):
            index = self.best_index_
            caption = f"Chosen: member {index:,}"
        else:
            index = self.front_.select()
            caption = f"None was chosen yet. Member {index:,}, the farthest from random"
        return diagram + front_html(self.front_, index, caption)
