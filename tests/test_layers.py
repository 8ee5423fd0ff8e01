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
    "api": 4,  # the front door, a module of its own
    "ui": 5,
}
TRAINING_FLOOR = 3  # training uses floors 0 to 3 and nothing below uses training
# Modules straight under bgai: they may import only one another and may be imported by all.
GROUND = {path.stem for path in (ROOT / "bgai").glob("*.py")} - {"__init__", "__main__", "api"}
# Dice games stand beside the tower; only the user interface imports them.
ALONE = "dicegames"


def _modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


class _Running(ast.NodeTransformer):
    """A tree without what only a type checker reads."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)


def _imports(path: Path, *, types: bool = True) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every module the file imports, inside functions too.

    Without ``types`` those under ``if TYPE_CHECKING``, which never happen, are left out.
    """
    package = list(path.relative_to(ROOT).parent.parts)
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree if types else _Running().visit(tree)):
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
    home = importer.parts[1]
    if len(importer.parts) == 2 and home != "api.py":
        # bgai/__main__.py starts the command line, bgai/__init__.py opens the front door; the
        # other ground modules import no floor.
        return (home, part) in (("__main__.py", "ui"), ("__init__.py", "api"))
    home = home.removesuffix(".py")
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
    assert packages == {*FLOORS, ALONE} - {"api"}


@pytest.mark.parametrize("package", ["bgai", "training/bgai_training"])
def test_imports_keep_to_the_floors(package: str) -> None:
    assert [found for path in _modules(package) for found in _violations(path)] == []


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("bgai/rules/a.py", "bgai.errors.InputError", True),
        ("bgai/rules/a.py", "bgai.notation.xgid", False),
        ("bgai/rules/a.py", "bgai.rules.dice", True),
        ("bgai/evaluation/a.py", "bgai.equity.stakes", True),
        ("bgai/search/a.py", "bgai.players.player", False),
        ("bgai/analysis/a.py", "bgai.ui.cli", False),
        ("bgai/ui/commands/a.py", "bgai.dicegames.pig", True),
        ("bgai/dicegames/a.py", "bgai.rules.dice", False),
        ("bgai/players/a.py", "bgai.dicegames.pig", False),
        ("bgai/errors.py", "bgai.rules.dice", False),
        ("bgai/answers.py", "bgai.api", False),
        ("bgai/__init__.py", "bgai.api", True),
        ("bgai/__init__.py", "bgai.rules.dice", False),
        ("bgai/api.py", "bgai.analysis.judging", True),
        ("bgai/api.py", "bgai.ui.cli", False),
        ("bgai/ui/commands/a.py", "bgai.api.best", True),
        ("bgai/analysis/a.py", "bgai.api.best", False),
        ("bgai/sessions/a.py", "bgai_training.config", False),
        ("training/bgai_training/a.py", "bgai.analysis.decision_error", True),
        ("training/bgai_training/a.py", "bgai.ui.cli", False),
        ("training/bgai_training/a.py", "bgai_training.config", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, allowed: bool) -> None:
    assert _allowed(Path(importer), imported) is allowed


def test_nothing_in_the_page_imports_a_command() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in _modules("bgai/ui/web")
        for line, name in _imports(path)
        if name.startswith("bgai.ui.commands")
    ]
    assert found == []


def _graph(roots: list[Path]) -> dict[str, set[str]]:
    """The modules that each module imports, inside functions too; not those for types alone."""
    names = {_module_name(path): path for root in roots for path in root.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        imported = set()
        for _, target in _imports(path, types=False):
            while target and target not in names:
                target = target.rpartition(".")[0]
            imported |= {target} - {name, ""}
        graph[name] = imported
    return graph


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "training" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach one another."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


def test_no_imports_go_in_circles() -> None:
    assert _circles(_graph([ROOT / "bgai", ROOT / "training" / "bgai_training"])) == []


def test_a_circle_is_found() -> None:
    assert _circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


def _bound(path: Path) -> set[str]:
    """The names that a module defines itself; imported ones are not among them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def _detours(roots: list[Path], importers: list[Path]) -> list[str]:
    """Imports of a name from a module that has it from another one."""
    names = {_module_name(path): path for root in roots for path in root.rglob("*.py")}
    bound = {name: _bound(path) for name, path in names.items()}
    return [
        f"{path.relative_to(ROOT)}:{line} imports {target}"
        for path in importers
        for line, target in _imports(path)
        if target not in names
        and (home := target.rpartition(".")[0]) in names
        and target.rpartition(".")[2] not in bound[home]
        and home != "bgai.api"  # the front door hands on
    ]


def test_everything_is_imported_from_where_it_is_defined() -> None:
    folders = ("bgai", "training", "scripts", "tests", "examples")
    importers = [path for folder in folders for path in _modules(folder)]
    assert _detours([ROOT / "bgai", ROOT / "training" / "bgai_training"], importers) == []


def test_a_detour_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    package = tmp_path / "bgai"
    package.mkdir()
    (package / "home.py").write_text("class Roll: ...\n")
    (package / "detour.py").write_text("from bgai.home import Roll\n")
    (package / "user.py").write_text("from bgai.detour import Roll\n")
    assert _detours([package], _modules("bgai")) == ["bgai/user.py:1 imports bgai.detour.Roll"]


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
