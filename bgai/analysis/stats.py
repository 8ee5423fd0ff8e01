"""Figures of players over many analysed matches: PR over time and by phase."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bgai.analysis.charts import Series, line_chart
from bgai.analysis.pages import render
from bgai.analysis.review import Decision, Figures, GamePhase, Kind, Review, figures, judged_plies
from bgai.analysis.store import match_digest


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match of a player. ``number`` counts that player's matches from 1."""

    number: int
    date: str
    file: str
    opponent: str
    judge: str
    figures: Figures
    luck: float
    result: float | None
    adjusted: float | None


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's matches and figures. ``phases`` are over all of them."""

    name: str
    matches: tuple[MatchLine, ...]
    all: Figures
    plays: Figures
    cube: Figures
    phases: dict[GamePhase, Figures]

    @property
    def luck(self) -> float:
        """Luck in equity over all matches."""
        return sum(line.luck for line in self.matches)

    @property
    def running(self) -> list[float]:
        """PR over all matches up to each one."""
        lost, counted, found = 0.0, 0, []
        for line in self.matches:
            lost += line.figures.lost
            counted += line.figures.counted
            found.append(500 * lost / counted if counted else 0.0)
        return found


def deepest(reviews: Iterable[tuple[str, str, Review]]) -> list[tuple[str, str, Review]]:
    """Each match once: its deepest analysis, of equally deep ones the newest; order as given."""
    best: dict[str, tuple[str, str, Review]] = {}
    for each in reviews:
        digest = match_digest(each[2].record)
        if digest not in best or judged_plies(each[2].decisions) >= judged_plies(
            best[digest][2].decisions
        ):
            best[digest] = each
    return list(best.values())


def player_stats(
    reviews: Iterable[tuple[str, str, Review]], player: str | None = None
) -> list[PlayerStats]:
    """Figures of every player, or of one, by name; ``reviews`` in order of time.

    A match counts once, by its deepest analysis.
    """
    lines: dict[str, list[MatchLine]] = {}
    decisions: dict[str, list[Decision]] = {}
    for date, file, review in deepest(reviews):
        for seat, name in enumerate(review.record.players):
            if player is not None and name != player:
                continue
            about = review.player(seat)
            found = lines.setdefault(name, [])
            found.append(
                MatchLine(
                    number=len(found) + 1,
                    date=date,
                    file=file,
                    opponent=review.record.players[1 - seat],
                    judge=review.judge,
                    figures=about.all,
                    luck=about.luck,
                    result=about.result,
                    adjusted=about.adjusted,
                )
            )
            decisions.setdefault(name, []).extend(
                each for each in review.decisions if each.seat == seat
            )
    return [
        PlayerStats(
            name=name,
            matches=tuple(lines[name]),
            all=figures(decisions[name]),
            plays=figures([each for each in decisions[name] if each.kind is Kind.PLAY]),
            cube=figures([each for each in decisions[name] if each.kind is not Kind.PLAY]),
            phases={
                phase: figures([each for each in decisions[name] if each.phase is phase])
                for phase in GamePhase
            },
        )
        for name in sorted(lines)
    ]


def rating_chart(stats: Iterable[PlayerStats]) -> str:
    """PR of each match as SVG, a line for each player."""
    series = [
        Series(
            each.name,
            [
                (float(line.number), line.figures.rating)
                for line in each.matches
                if line.figures.rating is not None
            ],
        )
        for each in stats
    ]
    return line_chart(series, label="PR of each match", low=0, dots=True)


def stats_html(stats: Sequence[PlayerStats]) -> str:
    """The figures of some players as one HTML page that needs nothing else."""
    from markupsafe import Markup

    return render("stats.html", stats=stats, phases=GamePhase, chart=Markup(rating_chart(stats)))
