"""`bgai duel`: many games or matches between two players."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.errors import InputError
from bgai.program import INTERRUPTED, apart
from bgai.ui.options import AsJson, bundled

if TYPE_CHECKING:
    from bgai.analysis.arena import Contest
    from bgai.analysis.duel import DuelResult
    from bgai.search.lookahead import Lookahead

NO_JUDGE = "none"
BEST = "the best network"

_PLAYER = (
    "A level, or a network's name or folder; NAME@N looks N plies ahead, NAME@roller more. Or "
    "another program: gnubg@N, sage@N, ubgi:COMMAND."
)


@dataclass(frozen=True)
class ArenaOptions:
    """What is played for with the cube, how long is thought, what is kept, who does the work."""

    match: Annotated[int | None, typer.Option(min=1, help="Matches to so many points.")] = None
    money: Annotated[bool, typer.Option("--money", help="Money games with the cube.")] = False
    jacoby: Annotated[
        bool, typer.Option("--jacoby/--no-jacoby", help="Money: gammons count after a double.")
    ] = True
    beavers: Annotated[int, typer.Option(min=0, help="Money: beavers and raccoons allowed.")] = 1
    seconds: Annotated[
        float | None,
        typer.Option("--time", help="Seconds a decision: each looks as deep as they let it."),
    ] = None
    review: Annotated[
        bool, typer.Option("--review/--no-review", help="Have the judge judge every decision.")
    ] = True
    save: Annotated[
        Path | None, typer.Option(help="Keep the games here; the same command goes on from them.")
    ] = None
    records: Annotated[
        Path | None, typer.Option(help="Folder to write the games to, as .mat files.")
    ] = None
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that play.")] = None
    scheduler: Annotated[
        str | None, typer.Option(help="Play on the Dask cluster at this address.")
    ] = None

    @property
    def are_given(self) -> bool:
        """Whether the plain duel of networks is not enough."""
        chosen = (self.match, self.seconds, self.save, self.records, self.workers, self.scheduler)
        return self.money or any(each is not None for each in chosen)

    def contest(self, first: str, second: str, seed: int, judge: str | None) -> "Contest":
        """The contest they describe. Raises ``InputError``."""
        from bgai.analysis.arena import Contest
        from bgai.players.engines import engine
        from bgai.rules.cube import HouseRules
        from bgai.rules.match import Terms

        if self.match is not None and self.money:
            raise InputError("give either --match or --money")
        if self.seconds is not None and not 0 < self.seconds <= 3600:
            raise InputError(f"--time {self.seconds}: seconds, more than 0 and at most 3600")
        if self.match is not None:
            terms = Terms(self.match)
        elif self.money:
            terms = Terms(rules=HouseRules(self.jacoby, self.beavers), games=1)
        else:
            terms = Terms(rules=HouseRules(jacoby=False, beaver_turns=0, max_cube=1), games=1)
        settings = None if judge == NO_JUDGE else engine(judge, plies=1).settings
        reviewed = self.review and settings is not None
        return Contest((first, second), terms, seed, self.seconds, settings, reviewed)


def register(app: typer.Typer) -> None:
    """Add ``bgai duel`` to the program."""

    @app.command()
    @bundled
    def duel(
        first: Annotated[str, typer.Argument(help=_PLAYER)],
        second: Annotated[str, typer.Argument(help=_PLAYER)],
        arena: ArenaOptions,
        games: Annotated[
            int, typer.Option(help="Games, or matches, in all; an even number.")
        ] = 1000,
        seed: Annotated[int, typer.Option(min=0, help="The same seed rolls the same dice.")] = 0,
        judge: Annotated[
            str | None,
            typer.Option(
                help="Player whose evaluation takes the luck out and judges the decisions, by "
                "default the best network; 'none' for none."
            ),
        ] = None,
        threads: Annotated[int, typer.Option(min=1, help="Threads of a plain duel's judge.")] = 1,
        as_json: AsJson = False,
    ) -> None:
        """Play games or matches between two players, every dice sequence from both sides.

        Cubeless money games by default. A network without @N plays at 0-ply, and judges at 1-ply.
        """
        from bgai.players.opponents import is_program

        if arena.are_given or is_program(first) or is_program(second):
            from bgai.ui.contests import play_contest

            contest = apart(arena.contest, first, second, seed, judge)
            play_contest(contest, games, arena, as_json=as_json)
            return
        result = _plain_duel(first, second, games, seed, judge, threads)
        show = _as_json if as_json else _as_text
        typer.echo(show(first, second, seed, judge or BEST, result))
        if result.games < games:
            raise typer.Exit(INTERRUPTED)


def _plain_duel(
    first: str, second: str, games: int, seed: int, judge: str | None, threads: int
) -> "DuelResult":
    """Cubeless money games of two searches, thousands side by side."""
    from tqdm import tqdm

    from bgai.analysis.duel import duel as play_duel
    from bgai.players.engines import engine

    def lookahead(name: str | None, seed: int = 0) -> "Lookahead":
        return engine(name, plies=0, seed=seed, threads=threads).lookahead

    # Two bots of one random level must not make the same mistakes.
    players = apart(lookahead, first), apart(lookahead, second, 1)
    luck = None if judge == NO_JUDGE else apart(lookahead, judge)
    with tqdm(total=games, unit="game", leave=False, disable=None) as bar:
        return play_duel(
            *players, games, judge=luck, seed=seed, threads=threads, progress=bar.update
        )


def _as_json(first: str, second: str, seed: int, judge: str, result: "DuelResult") -> str:
    from dataclasses import asdict

    from bgai.answers import DuelAnswer

    named: dict[str, Any] = {"first": first, "second": second, "seed": seed, "judge": judge}
    return DuelAnswer(**named, **asdict(result)).to_json()


def _as_text(first: str, second: str, seed: int, judge: str, result: "DuelResult") -> str:
    lines = [
        f"{first} against {second}: {result.games} games, each dice sequence from both sides, "
        f"seed {seed}",
        f"  points a game   {result.points:+.3f} ± {result.standard_error:.3f}",
    ]
    if result.adjusted is not None:
        adjusted = f"{result.adjusted:+.4f} ± {result.adjusted_error:.4f}"
        lines.append(f"  luck-adjusted   {adjusted} (judge {judge})")
    for name, sign in ((first, 1), (second, -1)):
        won = [result.results[sign * level] / result.games for level in (1, 2, 3)]
        lines.append(
            f"  won by {name}: {sum(won):.1%} of the games, "
            f"{won[1]:.1%} with a gammon, {won[2]:.1%} with a backgammon"
        )
    if result.results[0]:
        lines.append(f"  {result.results[0]} games never ended and count as draws")
    return "\n".join(lines)
