"""Recipes that come with the package, found by name from anywhere."""

from itertools import takewhile
from pathlib import Path

from bgai.errors import InputError

_FOLDER = Path(__file__).parent / "recipes"


def packaged_recipes() -> dict[str, Path]:
    """The files of the package's recipes by name."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"))}


def find_recipe(name_or_path: str) -> Path:
    """The file of a packaged recipe's name or of a path. Raises ``InputError``.

    A name is looked up in the package first; ``./quick`` or ``quick.toml`` is a path.
    """
    packaged = packaged_recipes()
    if name_or_path in packaged:
        return packaged[name_or_path]
    path = Path(name_or_path)
    if path.is_file():
        return path
    raise InputError(
        f"'{name_or_path}' is neither a recipe of the package ({', '.join(packaged)}) nor a file"
    )


def recipe_lines() -> list[str]:
    """A line for each packaged recipe: its name and the comment its file begins with."""
    return [f"{name:10}{_comment(path)}" for name, path in packaged_recipes().items()]


def _comment(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line.lstrip("# ") for line in takewhile(lambda line: line[:1] == "#", lines))
