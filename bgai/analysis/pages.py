"""HTML pages that need nothing else, from the templates beside this module."""

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader

    return Environment(loader=PackageLoader("bgai.analysis"), autoescape=True)


def render(name: str, **values: Any) -> str:
    """The page of a template; texts in ``values`` are escaped, ``Markup`` is not."""
    return str(_environment().get_template(name).render(**values))
