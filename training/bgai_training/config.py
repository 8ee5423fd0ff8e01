"""Recipes: everything that determines a training run, as dataclasses and TOML."""

import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from bgai.errors import FileError, InputError
from bgai_training.families import Family
from bgai_training.recipe_values import check_values
from bgai_training.starts import COMMON_RARE, RARE_KINDS

Widths = tuple[int, int, int]


def _check_names(setting: str, names: tuple[str, ...], known: Iterable[str]) -> None:
    for name in names:
        if name not in list(known):
            raise InputError(f"{setting}: '{name}' is none of {', '.join(known)}")


@dataclass(frozen=True)
class SelfPlay:
    """How games are made.

    ``varied`` of them start after random plies, ``rare`` of them in rare positions of ``kinds``
    (see ``starts``), the others at the start.
    """

    games_at_once: int = 1024
    varied: float = 0.2
    rare: float = 0.1
    kinds: tuple[str, ...] = COMMON_RARE
    most_random_plies: int = 40
    longest_game: int = 256

    def __post_init__(self) -> None:
        _check_names("kinds", self.kinds, RARE_KINDS)


@dataclass(frozen=True)
class Pruning:
    """The small network that drops hopeless replies: width, replies kept, equity window."""

    hidden: int = 128
    keep: int = 3
    window: float = 0.2


@dataclass(frozen=True)
class TdStage:
    """TD(lambda) on whole games. Rates are for hidden layers; the first layer's are double."""

    games: int
    contact: Widths = (256, 32, 32)
    race: Widths = (64, 32, 32)
    batch: int = 512
    rate: float = 2e-3
    hold: float = 0.5  # share of the stage at the full rate before it falls to zero
    reuse: float = 1.0
    decay: tuple[tuple[float, float], ...] = ((0.0, 0.95), (0.35, 0.7), (1.0, 0.1))
    average: float = 0.999
    unpruned: float = 0.1  # share of the stage before pruner and race network are trusted
    race_every: int = 4  # one game in so many is played on once contact is broken


@dataclass(frozen=True)
class FamilyLabels:
    """Another source of labels: games that start in rare positions of ``kinds``.

    ``labels`` positions of ``families`` are kept each cycle, the others thrown away. Their
    ``decay`` is near 1 for families whose values, not plays, are wrong: only what is carried
    back from the end of the games mends those. A fit adds the newest ``pool`` of them to the
    ordinary labels, to those of the race network where they are races. ``name`` is that of
    their files.
    """

    name: str
    labels: int
    kinds: tuple[str, ...] = ("back game",)
    families: tuple[str, ...] = (Family.BACK_GAME,)
    decay: float = 1.0
    pool: int = 500_000
    games_at_once: int = 512

    def __post_init__(self) -> None:
        _check_names("kinds", self.kinds, RARE_KINDS)
        _check_names("families", self.families, Family)


@dataclass(frozen=True)
class FitStage:
    """Cycles of fitted value iteration: label positions by exact one-roll values, fit."""

    cycles: int
    labels: int
    contact: Widths = (256, 128, 64)
    race: Widths = (64, 32, 32)
    passes: int = 20
    keep_shards: int = 12  # newest shards the student is fitted on
    shard: int = 100_000
    batch: int = 512
    rate: float = 8e-3
    warm_rate: float = 4e-3
    warm_up: float = 0.02
    weight_decay: float = 0.03
    equity_weight: float = 3.0
    decay: float = 0.75  # how much of a later position's surprise an earlier one's label gets
    explore: float = 0.35  # share of the plies that are not the best but a near one
    explore_window: float = 0.12
    race_every: int = 4  # contact steps to one race step
    special: tuple[FamilyLabels, ...] = ()


@dataclass(frozen=True)
class RaceStage:
    """Cycles for the race network alone: open races labelled one roll ahead, fitted.

    Two thirds of the ``positions`` come from the ``labels`` so far, of these kinds; the others
    are close ones put together from their sides.
    """

    cycles: int
    positions: int = 400_000
    labels: tuple[str, ...] = ("race",)
    passes: int = 12
    batch: int = 512
    rate: float = 1e-3
    equity_weight: float = 3.0


Stage = TdStage | FitStage | RaceStage


@dataclass(frozen=True)
class Recipe:
    """A whole run: the stages in order."""

    name: str
    seed: int = 1
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    pruning: Pruning = field(default_factory=Pruning)
    stages: tuple[Stage, ...] = ()


_STAGES: dict[str, type[Stage]] = {"td": TdStage, "fit": FitStage, "race": RaceStage}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _build(kind: type[Any], table: dict[str, Any], where: str) -> Any:
    known = {f.name for f in fields(kind)}
    for name in table:
        if name not in known:
            raise InputError(f"{where}: there is no setting '{name}'")
    check_values(kind, table, where)
    try:
        return kind(**{name: _tuples(value) for name, value in table.items()})
    except (TypeError, InputError) as error:
        raise InputError(f"{where}: {error}") from None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def recipe_from_table(table: dict[str, Any], where: str) -> Recipe:
    """A recipe from parsed TOML. Raises ``InputError`` naming the table and the setting."""
    table = dict(table)
    stages = []
    for name in ("selfplay", "pruning"):
        if not isinstance(table.get(name, {}), dict):
            raise InputError(f"{where}: {name} must be a table, [{name}]")
    if not isinstance(table.get("stage", []), list):
        raise InputError(f"{where}: stages are tables, [[stage]]")
    for number, stage in enumerate(table.pop("stage", []), start=1):
        if not isinstance(stage, dict):
            raise InputError(f"{where}: stage {number} must be a table, [[stage]]")
        stage = dict(stage)
        kind = stage.pop("kind", None)
        if not isinstance(kind, str) or kind not in _STAGES:
            names = ", ".join(_STAGES)
            raise InputError(f"{where}: stage {number}: kind must be one of {names}, not {kind!r}")
        place = f"{where}: stage {number}"
        if "special" in stage:
            if not all(isinstance(source, dict) for source in _listed(stage["special"])):
                raise InputError(f"{place}: special labels are tables, [[stage.special]]")
            stage["special"] = [
                _build(FamilyLabels, source, f"{place}: special") for source in stage["special"]
            ]
        stages.append(_build(_STAGES[kind], stage, place))
    if not stages:
        raise InputError(f"{where}: a recipe needs at least one [[stage]]")
    selfplay = _build(SelfPlay, table.pop("selfplay", {}), f"{where}: selfplay")
    pruning = _build(Pruning, table.pop("pruning", {}), f"{where}: pruning")
    table |= {"selfplay": selfplay, "pruning": pruning, "stages": tuple(stages)}
    recipe: Recipe = _build(Recipe, table, where)
    return recipe


def load_recipe(path: Path) -> Recipe:
    """Read a recipe file. Raises ``InputError`` when it is not one."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file: {error}") from None
    except OSError as error:
        raise FileError(path, error) from None
    return recipe_from_table(table, str(path))


def recipe_table(recipe: Recipe) -> dict[str, Any]:
    """The recipe as plain data, the inverse of :func:`recipe_from_table`."""
    table = asdict(recipe)
    stages = table.pop("stages")
    kinds = {kind: name for name, kind in _STAGES.items()}
    table["stage"] = [
        {"kind": kinds[type(stage)], **values}
        for stage, values in zip(recipe.stages, stages, strict=True)
    ]
    return table
