"""`bgai ratings`: a rating list from contests kept by `bgai duel --save`."""

from pathlib import Path
from typing import Annotated

import typer

from bgai.ui.options import AsJson


def register(app: typer.Typer) -> None:
    """Add ``bgai ratings`` to the program."""

    @app.command()
    def ratings(
        files: Annotated[list[Path], typer.Argument(help="Files that bgai duel --save made.")],
        as_json: AsJson = False,
    ) -> None:
        """Rate the players of several contests: Elo of matches, points a game of money play.

        The contests are all of matches to the same length, or all of money play. Results without
        luck are taken where they are known.
        """
        from bgai.analysis.arena_file import ArenaFile, read_contest
        from bgai.analysis.ratings import WIDE, Meeting, rate
        from bgai.answers import RatedPlayer, RatingsAnswer
        from bgai.errors import InputError

        lengths, meetings = set(), []
        for path in files:
            contest = read_contest(path)
            with ArenaFile(path, contest) as kept:
                found = kept.result()
            if found is None:
                raise InputError(f"{path}: no pair is finished yet")
            lengths.add(contest.terms.length or 0)
            estimate = found.adjusted or found.result
            meetings.append(Meeting(*contest.players, *estimate, found.bouts))
        if len(lengths) > 1:
            raise InputError(f"contests of different lengths: {sorted(lengths)} (0 is money play)")
        length = lengths.pop()
        listed = rate(meetings, matches=length > 0)
        answer = RatingsAnswer(
            unit="Elo" if length else "points",
            length=length,
            players=[
                RatedPlayer(
                    name=each.name,
                    rating=each.rating,
                    error=each.error,
                    low=each.rating - WIDE * each.error,
                    high=each.rating + WIDE * each.error,
                    bouts=each.bouts,
                )
                for each in listed
            ],
        )
        typer.echo(answer.to_json() if as_json else _text(answer))


def _text(answer: "object") -> str:
    from bgai.answers import RatingsAnswer

    assert isinstance(answer, RatingsAnswer)
    digits = 0 if answer.unit == "Elo" else 3
    what = f"matches to {answer.length}" if answer.length else "money games"
    lines = [f"{answer.unit} from {what}, with 95% intervals; the mean of all is 0"]
    width = max(len(each.name) for each in answer.players)
    for each in answer.players:
        lines.append(
            f"  {each.name:<{width}}  {each.rating:+8.{digits}f}  "
            f"({each.low:+.{digits}f} to {each.high:+.{digits}f})  {each.bouts}"
        )
    return "\n".join(lines)
