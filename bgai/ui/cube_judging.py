"""What `bgai cube` and `bgai score-table` share: scores and rules from options, answers, words."""

from dataclasses import dataclass, replace
from typing import Any

from bgai.equity.cube_action import CubeAccess, CubeDecision
from bgai.errors import InputError
from bgai.notation.situation import Offer, Situation
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore
from bgai.search.cube_verdict import CubeVerdict, RollOutlook

_OWNERS = {"me": CubeOwner.ON_ROLL, "opponent": CubeOwner.OPPONENT, "centre": CubeOwner.CENTRED}


@dataclass(frozen=True)
class Overrides:
    """What options say beside an identifier; None leaves what the identifier says.

    ``away`` is "money" or "A,B", the points the player on roll and the opponent need.
    ``owner`` is me, opponent or centre. ``beavers`` is the number of immediate redoubles.
    """

    away: str | None = None
    crawford: bool = False
    cube: int | None = None
    owner: str | None = None
    jacoby: bool | None = None
    beavers: int | None = None
    max_cube: int | None = None

    def applied(self, situation: Situation) -> Situation:
        """The situation before its roll, as the options want it. Raises ``InputError``."""
        score = situation.score
        if self.away is not None:
            score = _score(self.away, self.crawford)
        elif self.crawford:
            raise InputError("--crawford needs --away")
        cube = situation.cube
        if self.cube is not None or self.owner is not None:
            cube = self._cube(cube)
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
        return replace(
            situation,
            cube=cube,
            score=score,
            rules=rules,
            roll=None,
            offer=Offer.NONE,
            session=session,
        )

    def _cube(self, cube: Cube) -> Cube:
        if self.owner is not None and self.owner not in _OWNERS:
            raise InputError(f"--owner {self.owner}: there are {', '.join(_OWNERS)}")
        value = cube.value if self.cube is None else self.cube
        if self.owner is not None:
            return Cube(value, _OWNERS[self.owner])
        return Cube(value, cube.owner)


def _score(away: str, crawford: bool) -> MatchScore | None:
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


def stakes_words(situation: Situation) -> str:
    """``money, Jacoby, beavers; cube 1, centred`` or the score."""
    rules, score, cube = situation.rules, situation.score, situation.cube
    owner = {0: "centred", 1: "of the player on roll", -1: "of the opponent"}[int(cube.owner)]
    if score is None:
        words = ["money"]
        if rules.jacoby:
            words.append("Jacoby")
        if rules.beaver_turns:
            words.append("beavers" if rules.beaver_turns == 1 else "beavers and raccoons")
    else:
        words = [f"{score.away_on_roll}-away, {score.away_opponent}-away"]
        if score.crawford:
            words.append("Crawford game")
        elif score.is_post_crawford:
            words.append("post-Crawford")
    if rules.max_cube is not None:
        words.append(f"cube at most {rules.max_cube}")
    return f"{', '.join(words)}; cube {cube.value}, {owner}"


def short_action(decision: CubeDecision) -> str:
    """Two to four letters: ND, D/T, D/P, D/B, TG, and - where nobody can turn the cube."""
    if decision.access is not CubeAccess.AVAILABLE:
        return "-"
    codes = ["-", "ND", "ND/B", "D/T", "D/P", "D/B", "TG/T", "TG"]
    return codes[int(decision.action)]


def decision_fields(decision: CubeDecision) -> dict[str, Any]:
    """Everything a JSON answer says about a decision; equities of the doubler."""
    fields: dict[str, Any] = {
        "nd": rounded(decision.no_double),
        "dt": rounded(decision.double_take),
        "dp": rounded(decision.double_pass),
        "action": decision.text,
        "double": decision.action.doubles,
        "equity": rounded(decision.equity),
        "cubeless": rounded(decision.cubeless),
        "exact": decision.exact,
        "costs": {act: rounded(cost) for act, cost in decision.costs.items()},
    }
    if decision.beaver is not None:
        fields["db"] = rounded(decision.beaver)
    points = decision.points
    fields["points"] = {
        "double": rounded(points.double),
        "take": rounded(points.take),
        "cash": rounded(points.cash),
        "too_good": rounded(points.too_good),
    }
    if decision.match_chances is not None:
        fields["match_chances"] = dict(
            zip(("nd", "dt", "dp"), map(rounded, decision.match_chances), strict=True)
        )
    return fields


def verdict_fields(verdict: CubeVerdict) -> dict[str, Any]:
    """The same with chances and, where asked for, the market."""
    fields = decision_fields(verdict.decision)
    fields["chances"] = [rounded(float(chance)) for chance in verdict.chances]
    fields["plies"] = verdict.plies
    if verdict.rolls:
        fields["market_losers"] = verdict.market_losers
    return fields


def roll_fields(situation: Situation, outlook: RollOutlook) -> dict[str, Any]:
    """One roll of the market chart."""
    fields: dict[str, Any] = {
        "roll": str(outlook.roll),
        "play": play_words(situation, outlook),
        "nd": rounded(outlook.no_double),
        "dt": rounded(outlook.double_take),
        "loses_market": outlook.loses_market,
    }
    doubled = play_words(situation, outlook, doubled=True)
    if doubled != fields["play"]:
        fields["play_doubled"] = doubled
    return fields


def play_words(situation: Situation, outlook: RollOutlook, *, doubled: bool = False) -> str:
    """The best play of a roll as people write it; "no play" where none is legal."""
    from bgai.notation.play_text import format_play
    from bgai.rules.legal_plays import has_legal_play
    from bgai.rules.play import recover_play

    after = outlook.after
    if doubled and outlook.after_double is not None:
        after = outlook.after_double
    if not has_legal_play(situation.position, after[None]):
        return "no play"
    return format_play(recover_play(situation.position, after, outlook.roll))


def rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), 5)
