"""The floors of the tower: a module imports its own floor and floors below it, nothing else."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

FLOORS = {
    "rules": 0,
    "notation": 1,
    "evaluation": 1,
    "equity": 1,
    "search": 2,
    "players": 3,
    "sessions": 3,
    "analysis": 3,
    "ui": 4,
}
TRAINING_FLOOR = 3  # training uses floors 0 to 3 and nothing below uses training
# Modules straight under bgai: they may import only one another and may be imported by all.
GROUND = {path.stem for path in (ROOT / "bgai").glob("*.py")} - {"__init__", "__main__"}
# Dice games stand beside the tower; only the user interface imports them.
ALONE = "dicegames"


def _modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every module the file imports, inside functions too."""
    package = list(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join(above + ([node.module] if node.module else []))
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def _allowed(importer: Path, imported: str) -> bool:
    parts = imported.split(".")
    if parts[0] == "bgai_training":
        return importer.parts[0] == "training"
    if parts[0] != "bgai" or len(parts) == 1:
        return True
    part = parts[1]
    if part in GROUND or part == "__version__":
        return True
    if importer.parts[0] == "training":
        return FLOORS.get(part, 99) <= TRAINING_FLOOR
    if len(importer.parts) == 2:
        # bgai/__main__.py starts the command line; the other ground modules import no floor.
        return importer.name == "__main__.py" and part == "ui"
    home = importer.parts[1]
    if ALONE in (home, part):
        return home == part or home == "ui"
    return FLOORS.get(part, 99) <= FLOORS[home]


def _violations(path: Path) -> list[str]:
    relative = path.relative_to(ROOT)
    return [
        f"{relative}:{line} imports {name}"
        for line, name in _imports(path)
        if not _allowed(relative, name)
    ]


def test_every_package_has_a_floor() -> None:
    packages = {path.parent.name for path in (ROOT / "bgai").glob("*/__init__.py")}
    assert packages == {*FLOORS, ALONE}


@pytest.mark.parametrize("package", ["bgai", "training/bgai_training"])
def test_imports_keep_to_the_floors(package: str) -> None:
    assert [found for path in _modules(package) for found in _violations(path)] == []


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("bgai/rules/a.py", "bgai.errors.InputError", True),
        ("bgai/rules/a.py", "bgai.notation.xgid", False),
        ("bgai/rules/a.py", "bgai.rules.dice", True),
        ("bgai/evaluation/a.py", "bgai.equity.money", True),
        ("bgai/search/a.py", "bgai.players.player", False),
        ("bgai/analysis/a.py", "bgai.ui.cli", False),
        ("bgai/ui/commands/a.py", "bgai.dicegames.pig", True),
        ("bgai/dicegames/a.py", "bgai.rules.dice", False),
        ("bgai/players/a.py", "bgai.dicegames.pig", False),
        ("bgai/errors.py", "bgai.rules.dice", False),
        ("bgai/sessions/a.py", "bgai_training.config", False),
        ("training/bgai_training/a.py", "bgai.analysis.decision_error", True),
        ("training/bgai_training/a.py", "bgai.ui.cli", False),
        ("training/bgai_training/a.py", "bgai_training.config", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, allowed: bool) -> None:
    assert _allowed(Path(importer), imported) is allowed


def test_relative_imports_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "bgai" / "rules" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text("def f():\n    from ..ui import cli\n    from .dice import Roll\n")
    assert list(_imports(path)) == [(2, "bgai.ui.cli"), (3, "bgai.rules.dice.Roll")]


@pytest.mark.parametrize(
    "modules",
    [
        "bgai.rules, bgai.rules.position, bgai.rules.dice, bgai.rules.legal_plays, bgai.rules.cube",
        "bgai.ui.cli",
    ],
)
def test_importing_loads_neither_torch_nor_numba(modules: str) -> None:
    code = (
        f"import sys, {modules}\n"
        "heavy = {'torch', 'numba', 'llvmlite'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {sorted(heavy)}' if heavy else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
