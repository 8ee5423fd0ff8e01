"""Options that several commands have, declared once, so that they read the same everywhere.

A *bundle* is a frozen dataclass of options. A command takes it as one parameter and
:func:`bundled` puts its options in that place on the command line::

    @bundled
    def best(identifier: Identifier, search: SearchOptions) -> None: ...
"""

import functools
import inspect
import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from bgai.errors import InputError
from bgai.ui.given import identifier_given

if TYPE_CHECKING:
    from bgai.equity.match_equity import MatchEquityTable
    from bgai.notation.situation import Situation
    from bgai.players.engines import Engine
    from bgai.rules.cube import HouseRules
    from bgai.rules.match import MatchScore, Terms
    from bgai.search.rollout_run import RolloutSettings
    from bgai.sessions.dice import DiceSource
    from bgai.ui.rollouts import Spread
    from bgai.ui.terminal.screen import Screen

Command = Callable[..., None]


def bundled(command: Command) -> Command:
    """The command with every parameter that is a bundle spread out into its options."""
    hints = get_type_hints(command, include_extras=True)
    bundles: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        kind = bundles.get(parameter.name)
        if kind is None:
            hinted = parameter.replace(annotation=hints[parameter.name])
            parameters.append(hinted.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        own = get_type_hints(kind, include_extras=True)
        parameters += [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=each.default,
                annotation=own[each.name],
            )
            for each in fields(kind)
        ]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        for name, kind in bundles.items():
            own = {each.name: given.pop(each.name) for each in fields(kind)}
            given[name] = kind(**own)
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


# --- positions judged ---------------------------------------------------------------------------

IDENTIFIER_WORDS = "XGID, position ID, position:match ID or OGID; a text with one; an .xgp file."
OneIdentifier = Annotated[
    str, typer.Argument(metavar="ID", help=IDENTIFIER_WORDS, callback=identifier_given)
]
Identifier = Annotated[
    str | None,
    typer.Argument(metavar="[ID]", help=IDENTIFIER_WORDS, callback=identifier_given),
]
DiceText = Annotated[
    str | None,
    typer.Argument(metavar="[DICE]", help="The dice, such as 31; an ID may carry its own."),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="SQLite file of analyses; default in the user's data."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Batch = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Read an ID (and DICE) a line, - for standard input."),
]
MetFile = Annotated[
    str | None, typer.Option(help="Match equity table in GNU Backgammon's XML form.")
]


@dataclass(frozen=True)
class EngineOptions:
    """Which engine judges."""

    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            "-e",
            metavar="NAME[@PLIES]",
            help="A network's name or folder, or a level of `bgai play`; default the best network.",
        ),
    ] = None
    plies: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="How far it looks ahead; 0 is the network alone."),
    ] = None

    def made(self, plies: int, **more: Any) -> "Engine":
        """The engine; ``plies`` where nothing says how deep. Raises ``InputError``."""
        from bgai.players.engines import BEST, engine

        if self.plies is None:
            return engine(self.engine, plies=plies, **more)
        if self.engine is not None and "@" in self.engine:
            raise InputError("give either --plies or --engine with @")
        name = self.engine and f"{self.engine}@{self.plies}"
        return engine(name or f"{BEST}@{self.plies}", **more)


@dataclass(frozen=True)
class SearchOptions(EngineOptions):
    """The same with how it works."""

    filters: Annotated[
        str, typer.Option(help="Which plays are looked at deeper: narrow, normal, wide, all.")
    ] = "normal"
    threads: Annotated[int, typer.Option(min=1, help="Threads of the search.")] = 1
    device: Annotated[str, typer.Option(help="cpu, or a torch device such as cuda.")] = "cpu"

    def made(self, plies: int, **more: Any) -> "Engine":
        return super().made(
            plies, filters=self.filters, threads=self.threads, device=self.device, **more
        )


@dataclass(frozen=True)
class TrialsOptions:
    """How something is rolled out."""

    trials: Annotated[
        int | None, typer.Option(min=1, help="Games of a rollout; rounded up to sets of 36.")
    ] = None
    truncate: Annotated[
        int | None, typer.Option(min=1, help="Judge each rolled-out game after so many turns.")
    ] = None
    leaf: Annotated[
        int | None, typer.Option(min=0, max=2, help="Plies at which such a game is judged.")
    ] = None
    variance: Annotated[
        str | None,
        typer.Option(help="Luck subtracted: none, 0-ply (default), 1-ply (cubeless alone)."),
    ] = None
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of a rollout's dice (default 1).")
    ] = None
    stop_error: Annotated[
        float | None, typer.Option(help="Stop at this standard error of every equity.")
    ] = None
    confidence: Annotated[
        float | None, typer.Option(help="Stop when the decision is so sure, such as 0.99.")
    ] = None
    save: Annotated[
        Path | None,
        typer.Option(help="Keep a rollout's trials here; an interrupted one goes on."),
    ] = None
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes for the games instead of threads.")
    ] = None
    scheduler: Annotated[
        str | None, typer.Option(help="Play on the Dask cluster at this address.")
    ] = None

    def settings(self, trials: int, device: str = "cpu") -> "RolloutSettings":
        """The settings; ``trials`` where nothing says how many. Raises ``InputError``."""
        from bgai.search.rollout_run import RolloutSettings, variance_named

        return RolloutSettings(
            trials=self.trials or trials,
            truncate=self.truncate,
            variance_reduction=variance_named(self.variance or "0-ply"),
            seed=1 if self.seed is None else self.seed,
            stop_error=self.stop_error,
            stop_confidence=self.confidence,
            batch=1 if device == "cpu" else 36,
        )

    def spread(self, device: str = "cpu") -> "Spread | None":
        """Other processes for the games, if they are asked for. Raises ``InputError``."""
        from bgai.ui.rollouts import Spread

        if self.workers is None and self.scheduler is None:
            return None
        if device != "cpu":
            raise InputError("give either --device or --workers and --scheduler")
        return Spread(self.workers or 1, self.scheduler)

    def refuse_without_rollout(self) -> None:
        """Raise ``InputError`` where an option is given that only a rollout has."""
        for each in fields(self):
            if getattr(self, each.name) not in (None, False):
                raise InputError(f"--{each.name.replace('_', '-')} goes with --rollout")


@dataclass(frozen=True)
class PlayTrialsOptions(TrialsOptions):
    """The same for plays."""

    cubeless: Annotated[
        bool, typer.Option("--cubeless", help="Leave the cube of a rollout where it is.")
    ] = False
    plays: Annotated[
        str | None,
        typer.Option(help='Roll these plays out instead of the best, as in "8/5 6/5, 13/9".'),
    ] = None

    @property
    def chosen(self) -> tuple[str, ...]:
        """The plays as text."""
        return () if self.plays is None else tuple(self.plays.split(","))


_OWNERS = {"me": "ON_ROLL", "opponent": "OPPONENT", "centre": "CENTRED"}


@dataclass(frozen=True)
class CubeOptions:
    """A cube that replaces the identifier's."""

    cube: Annotated[int | None, typer.Option("--cube", help="Value of the cube.")] = None
    owner: Annotated[
        str | None, typer.Option(help="Who owns the cube: me, opponent or centre.")
    ] = None

    def applied(self, situation: "Situation") -> "Situation":
        """The situation with that cube. Raises ``InputError``."""
        from bgai.rules.cube import Cube, CubeOwner

        if self.owner is not None and self.owner not in _OWNERS:
            raise InputError(f"--owner {self.owner}: there are {', '.join(_OWNERS)}")
        cube = situation.cube
        value = cube.value if self.cube is None else self.cube
        owner = cube.owner if self.owner is None else CubeOwner[_OWNERS[self.owner]]
        return replace(situation, cube=Cube(value, owner))


@dataclass(frozen=True)
class StakesOptions(CubeOptions):
    """Cube, score and rules that replace the identifier's; None leaves what it says."""

    away: Annotated[
        str | None, typer.Option(help="Points you and the opponent need, such as 3,5; or money.")
    ] = None
    crawford: Annotated[bool, typer.Option("--crawford", help="The Crawford game.")] = False
    jacoby: Annotated[
        bool | None, typer.Option("--jacoby/--no-jacoby", help="Jacoby rule, money play.")
    ] = None
    beavers: Annotated[
        int | None, typer.Option(min=0, help="Immediate redoubles: 0 none, 1 beavers, 2 raccoons.")
    ] = None
    max_cube: Annotated[int | None, typer.Option(help="Highest value of the cube.")] = None

    def applied(self, situation: "Situation") -> "Situation":
        """The situation before its roll, as the options want it. Raises ``InputError``."""
        from bgai.notation.situation import Offer
        from bgai.rules.cube import HouseRules

        score = situation.score
        if self.away is not None:
            score = _score(self.away, self.crawford)
        elif self.crawford:
            raise InputError("--crawford needs --away")
        rules = situation.rules
        if situation.score is not None and score is None:
            rules = HouseRules(max_cube=rules.max_cube)
        rules = HouseRules(
            jacoby=rules.jacoby if self.jacoby is None else self.jacoby,
            beaver_turns=rules.beaver_turns if self.beavers is None else self.beavers,
            automatic_doubles=rules.automatic_doubles,
            max_cube=rules.max_cube if self.max_cube is None else self.max_cube,
        )
        session = (0, 0) if score is not None else situation.session
        bare = super().applied(replace(situation, roll=None, offer=Offer.NONE))
        return replace(bare, score=score, rules=rules, session=session)


def _score(away: str, crawford: bool) -> "MatchScore | None":
    from bgai.rules.match import MatchScore

    if away == "money":
        if crawford:
            raise InputError("there is no Crawford game in money play")
        return None
    try:
        mine, theirs = (int(part) for part in away.replace("-", ",").split(","))
    except ValueError:
        raise InputError(f"--away {away}: give 'money' or two numbers such as 3,5") from None
    if min(mine, theirs) < 1:
        raise InputError(f"--away {away}: points away are 1 or more")
    length = max(mine, theirs)
    return MatchScore(length, length - mine, length - theirs, crawford)


def met_of(path: str | None) -> "MatchEquityTable | None":
    """The match equity table of a file. Raises ``InputError``."""
    if path is None:
        return None
    from bgai.equity.match_equity import read_met

    return read_met(path)


# --- games played -------------------------------------------------------------------------------

MaxCube = Annotated[int | None, typer.Option(min=1, help="Highest value of the cube.")]


@dataclass(frozen=True)
class RulesOptions:
    """House rules."""

    jacoby: Annotated[bool, typer.Option(help="Money: gammons count only after a double.")] = True
    beavers: Annotated[
        int,
        typer.Option(min=0, help="Money: redoubles at once: 0 none, 1 beavers, 2 raccoons too."),
    ] = 1
    automatic: Annotated[
        int, typer.Option(min=0, help="Money: how often equal opening dice double the cube.")
    ] = 0
    max_cube: MaxCube = None

    @property
    def rules(self) -> "HouseRules":
        """The rules. Raises ``InputError``."""
        from bgai.rules.cube import HouseRules

        return HouseRules(self.jacoby, self.beavers, self.automatic, self.max_cube)


Games = Annotated[int | None, typer.Option(min=1, help="Money: stop after so many games.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the dice (default: a new one).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Plain characters only.")]


@dataclass(frozen=True)
class TermsOptions(RulesOptions):
    """What is played: a match, or money with its end."""

    match: Annotated[
        int | None, typer.Option("--match", min=1, help="Match to so many points.")
    ] = None
    games: Games = None
    margin: Annotated[
        int | None, typer.Option(min=1, help="Money: stop when one is so many points ahead.")
    ] = None

    @property
    def terms(self) -> "Terms":
        """The terms. Raises ``InputError``."""
        from bgai.rules.match import Terms

        return Terms(self.match, self.rules, self.games, self.margin)


class DiceBy(StrEnum):
    """Who rolls the dice."""

    PROGRAM = "program"
    MANUAL = "manual"


@dataclass(frozen=True)
class DiceOptions:
    """Where the dice come from."""

    dice: Annotated[DiceBy, typer.Option(help="manual: you enter the dice of a real board.")] = (
        DiceBy.PROGRAM
    )
    seed: Seed = None

    def source(self) -> "DiceSource":
        """The dice. Raises ``InputError``."""
        from bgai.sessions.dice import ManualDice, SeededDice

        if self.dice is DiceBy.MANUAL:
            if self.seed is not None:
                raise InputError("--seed has no meaning with --dice manual")
            return ManualDice()
        return SeededDice(secrets.randbelow(10**9) if self.seed is None else self.seed)


@dataclass(frozen=True)
class KeptOptions:
    """Where a game is kept and how it is drawn."""

    file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="The file to keep the game in or go on from."),
    ] = None
    ascii_only: Ascii = False

    def screen(self) -> "Screen":
        """The screen to play on."""
        from bgai.ui.terminal.screen import Screen

        return Screen(ascii_only=self.ascii_only)

    def to_resume(self, kind: str | None = None) -> Path:
        """The file of the game to go on with: the one named, else the last unfinished one (of a
        format, by its name). Raises ``InputError`` before a claim leaves a lock beside it."""
        from bgai.sessions.saves import unfinished_path

        if self.file is None:
            return unfinished_path(kind)
        if not self.file.exists():
            raise InputError(f"{self.file}: No such file")
        return self.file
