"""Values of recipes: what no run can use is refused by name."""

from pathlib import Path

import pytest
from bgai_training.config import load_recipe, recipe_from_table
from bgai_training.recipe_files import packaged_recipes
from hypothesis import given
from hypothesis import strategies as st

from bgai.errors import InputError

STAGE = '[[stage]]\nkind = "td"\ngames = 100\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('name = "x"\n[[stage]]\nkind = "td"\ngames = -5', "stage 1: games must be a whole number"),
        ('name = "x"\n[[stage]]\nkind = "td"\ngames = 1e30', "games must be a whole .*, not 1e"),
        ('name = "x"\n[[stage]]\nkind = "td"\ngames = true', "games must be a whole number"),
        ('name = "../../x"\n' + STAGE, r"name must be letters.*not '\.\./\.\./x'"),
        ('name = "/tmp/x"\n' + STAGE, "name must be"),
        ('name = ".."\n' + STAGE, "name must be"),
        ('name = ""\n' + STAGE, "name must be"),
        ("name = 5\n" + STAGE, "name must be"),
        ('name = "x"\nseed = -1\n' + STAGE, "seed must be"),
        ('name = "x"\n' + STAGE + "rate = nan", "rate must be a number from 0 to 1"),
        ('name = "x"\n' + STAGE + "rate = 1e30", "rate must be"),
        ('name = "x"\n' + STAGE + "contact = [1, 2]", "contact must be three widths"),
        ('name = "x"\n' + STAGE + "contact = [1, 2, 99999999]", "contact must be"),
        ('name = "x"\n' + STAGE + "decay = [[1.0, 0.5], [0.0, 0.5]]", "decay must be pairs"),
        ('name = "x"\n' + STAGE + "decay = 0.5", "decay must be pairs"),
        ('name = "x"\nselfplay = 5\n' + STAGE, "selfplay must be a table"),
        ('name = "x"\nstage = 5\n', r"stages are tables, \[\[stage\]\]"),
        ('name = "x"\nstage = [5]\n', "stage 1 must be a table"),
        ('name = "x"\n[[stage]]\nkind = ["td"]\n', "kind must be one of"),
        ('name = "x"\n[selfplay]\nvaried = 2.0\n' + STAGE, "selfplay: varied must be"),
    ],
)
def test_bad_values_are_named(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=told) as caught:
        load_recipe(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("path", packaged_recipes().values(), ids=lambda path: path.stem)
def test_the_recipes_of_the_package_pass(path: Path) -> None:
    assert load_recipe(path).stages


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
SETTINGS = ("games", "contact", "race", "batch", "rate", "decay", "kind", "cycles", "nothing")


@given(
    st.dictionaries(st.sampled_from(("name", "seed", "selfplay", "pruning")), ANY),
    st.dictionaries(st.sampled_from(SETTINGS), ANY) | ANY,
)
def test_any_table_is_read_or_refused(table: dict[str, object], stage: object) -> None:
    try:
        recipe_from_table({**table, "stage": [stage]}, "recipe")
    except InputError as error:
        assert str(error).startswith("recipe: ")  # noqa: PT017
