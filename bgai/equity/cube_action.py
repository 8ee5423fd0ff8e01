"""Cube verdicts: what to do with the cube, in words, and what each wrong act costs.

Equities are the doubler's, in units of the cube before the double. Everything that decides
is batch-first on arrays (:func:`best_actions`); :class:`CubeDecision` is one decision for
people.
"""

import math
from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.equity.cubeful import CubeEquities, CubePoints, cube_points
from bgai.equity.stakes import CANNOT_DOUBLE, Stakes
from bgai.rules.cube import CubeOwner

Floats = NDArray[np.float64]

OPTIONAL_MARGIN = 0.0005
"""Doubling and waiting within this are called optional: they print the same three decimals."""


class Response(IntEnum):
    """What the player doubled does."""

    PASS = 0
    TAKE = 1
    BEAVER = 2


class CubeAction(IntEnum):
    """Best acts of both players; the words for a cube of one's own say "redouble"."""

    UNAVAILABLE = 0
    NO_DOUBLE_TAKE = 1
    NO_DOUBLE_BEAVER = 2
    DOUBLE_TAKE = 3
    DOUBLE_PASS = 4
    DOUBLE_BEAVER = 5
    TOO_GOOD_TAKE = 6
    TOO_GOOD_PASS = 7

    @property
    def doubles(self) -> bool:
        """Whether the player on roll should double."""
        return self in (CubeAction.DOUBLE_TAKE, CubeAction.DOUBLE_PASS, CubeAction.DOUBLE_BEAVER)


_WORDS = {
    CubeAction.NO_DOUBLE_TAKE: "No {double}, take",
    CubeAction.NO_DOUBLE_BEAVER: "No {double}, beaver",
    CubeAction.DOUBLE_TAKE: "{Double}, take",
    CubeAction.DOUBLE_PASS: "{Double}, pass",
    CubeAction.DOUBLE_BEAVER: "{Double}, beaver",
    CubeAction.TOO_GOOD_TAKE: "Too good to {double}, take",
    CubeAction.TOO_GOOD_PASS: "Too good to {double}, pass",
}


class CubeAccess(Enum):
    """Whether the player on roll may double, or why not; the value says it in words."""

    AVAILABLE = "cube available"
    CRAWFORD = "Crawford game"
    NOT_OWNED = "the opponent owns the cube"
    DEAD = "dead cube"
    AT_MAXIMUM = "the cube is at its maximum"


def cube_access(stakes: Stakes) -> CubeAccess:
    """Whether and why (not) the player on roll may double."""
    if stakes.after_take[0, 0] != CANNOT_DOUBLE:
        return CubeAccess.AVAILABLE
    if stakes.score is not None and stakes.score.crawford:
        return CubeAccess.CRAWFORD
    if stakes.cube.owner == CubeOwner.OPPONENT:
        return CubeAccess.NOT_OWNED
    if stakes.score is not None and stakes.cube.value >= stakes.score.away_on_roll:
        return CubeAccess.DEAD
    return CubeAccess.AT_MAXIMUM


def may_beaver(stakes: Stakes, turns: int = 1) -> bool:
    """Whether the ``turns``-th immediate redouble after a double is allowed (2: a raccoon)."""
    if stakes.score is not None or stakes.after_take[0, 0] == CANNOT_DOUBLE:
        return False
    highest = stakes.rules.max_cube
    value = stakes.cube.value * 2 ** (1 + turns)
    return stakes.rules.beaver_turns >= turns and (highest is None or value <= highest)


def best_responses(double_take: ArrayLike, *, beavers: bool = False) -> NDArray[np.int64]:
    """Best :class:`Response` to a double: pass at 1 or more, beaver below 0 where allowed."""
    taken = np.asarray(double_take, dtype=np.float64)
    response = np.where(taken > 1, Response.PASS, Response.TAKE)
    if beavers:
        response = np.where(taken < 0, Response.BEAVER, response)
    return np.asarray(response, dtype=np.int64)


def doubled_equities(double_take: ArrayLike, *, beavers: bool = False) -> Floats:
    """The doubler's equity after doubling and the best response."""
    taken = np.asarray(double_take, dtype=np.float64)
    if beavers:
        taken = np.where(taken < 0, 2 * taken, taken)
    return np.minimum(taken, 1.0)


def best_actions(
    equities: CubeEquities, *, beavers: bool = False, free_double: bool = False
) -> NDArray[np.int64]:
    """Best :class:`CubeAction` of each row of the three equities (``double_take`` may be NaN).

    ``free_double``: the doubler loses nothing more by doubling (the match is lost with this game
    anyway), so that equal equities mean a double.
    """
    waiting = np.asarray(equities.no_double, dtype=np.float64)
    taken = np.asarray(equities.double_take, dtype=np.float64)
    response = best_responses(taken, beavers=beavers)
    gain = doubled_equities(taken, beavers=beavers) - waiting
    doubles = gain >= -1e-9 if free_double else gain > 0
    if_doubled = np.array(
        [CubeAction.DOUBLE_PASS, CubeAction.DOUBLE_TAKE, CubeAction.DOUBLE_BEAVER]
    )[response]
    if_waiting = np.array(
        [CubeAction.TOO_GOOD_PASS, CubeAction.NO_DOUBLE_TAKE, CubeAction.NO_DOUBLE_BEAVER]
    )[response]
    if_waiting = np.where(
        (response == Response.TAKE) & (waiting > 1), CubeAction.TOO_GOOD_TAKE, if_waiting
    )
    actions = np.where(doubles, if_doubled, if_waiting)
    return np.where(np.isnan(taken), CubeAction.UNAVAILABLE, actions).astype(np.int64)


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """One cube decision of the player on roll.

    The three equities are in units of the present cube (None where it can't be turned);
    ``match_chances`` are the same as match-winning chances, in a match. ``cubeless`` is
    ``stakes.cubeless_equity``. ``points`` are the position's cube points.
    ``exact`` says that the equities come from an exact table, ``free_double`` that the doubler
    loses nothing more by doubling (see :class:`Stakes`).
    """

    action: CubeAction
    access: CubeAccess
    redouble: bool
    no_double: float
    double_take: float | None
    double_pass: float | None
    beaver: float | None
    cubeless: float
    points: CubePoints
    match_chances: tuple[float, float | None, float | None] | None = None
    exact: bool = False
    free_double: bool = False

    @property
    def is_optional(self) -> bool:
        """Whether doubling and waiting are worth the same to three decimals.

        Never where doubling is free (``free_double``): waiting may cost the win that it gives.
        """
        doubled = self.doubled
        return (
            doubled is not None
            and not self.free_double
            and abs(doubled - self.no_double) < OPTIONAL_MARGIN
        )

    @property
    def doubled(self) -> float | None:
        """Equity after doubling and the best response; None where the cube can't be turned."""
        if self.double_take is None:
            return None
        return float(doubled_equities(self.double_take, beavers=self.beaver is not None))

    @property
    def equity(self) -> float:
        """Equity with the best act."""
        doubled = self.doubled
        if doubled is None or not self.action.doubles:
            return self.no_double
        return doubled

    @property
    def word(self) -> str:
        """What turning this cube is called: "double", or "redouble" for a cube of one's own."""
        return "redouble" if self.redouble else "double"

    @property
    def names(self) -> dict[str, str]:
        """What the three equities and that after a beaver are called, such as "Double, take"."""
        word = self.word.capitalize()
        answers = ("take", "pass", "beaver")
        return {"no_double": f"No {self.word}"} | {
            f"double_{answer}": f"{word}, {answer}" for answer in answers
        }

    @property
    def too_late(self) -> bool:
        """Whether the opponent should pass a double now: the market is lost already."""
        return self.double_take is not None and self.double_take > 1

    @property
    def text(self) -> str:
        """The verdict in words, such as "Redouble, pass"."""
        word = self.word
        if self.action == CubeAction.UNAVAILABLE:
            return f"No {word} ({self.access.value})"
        text = _WORDS[self.action].format(double=word, Double=word.capitalize())
        if self.is_optional:
            answer = text.rsplit(", ", 1)[-1]
            return f"Optional {word}, {answer}"
        return text

    @property
    def costs(self) -> dict[str, float]:
        """Equity each act gives up against the best one, to the player who makes it.

        ``double`` and ``no_double`` are the doubler's acts; ``take``, ``pass`` and, where
        allowed, ``beaver`` the other's, if doubled. In units of the cube before the double.
        """
        if self.double_take is None or self.doubled is None:
            return {}
        best = max(self.doubled, self.no_double)
        answers = {"take": self.double_take, "pass": 1.0}
        if self.beaver is not None:
            answers["beaver"] = self.beaver
        least = min(answers.values())
        return {
            "no_double": best - self.no_double,
            "double": best - self.doubled,
            **{act: worth - least for act, worth in answers.items()},
        }


def cube_decision(
    equities: tuple[float, float, float],
    stakes: Stakes,
    chances: NDArray[np.floating],
    efficiency: Floats,
    *,
    exact: bool = False,
) -> CubeDecision:
    """One decision from its three equities (from the model, a search, a table, a rollout).

    ``equities`` as in :class:`CubeEquities`; ``chances`` ``(5,)`` and ``efficiency`` ``(3,)``
    give the cubeless equity and the cube points.
    """
    no_double, taken, _ = equities
    beavers = may_beaver(stakes)
    row = CubeEquities(*(np.array([equity]) for equity in equities))
    action = best_actions(row, beavers=beavers, free_double=bool(stakes.free_double[0]))[0]
    available = not math.isnan(taken)
    return CubeDecision(
        action=CubeAction(int(action)),
        access=cube_access(stakes),
        redouble=stakes.cube.owner == CubeOwner.ON_ROLL,
        no_double=no_double,
        double_take=taken if available else None,
        double_pass=1.0 if available else None,
        beaver=2 * taken if available and beavers else None,
        cubeless=float(stakes.cubeless_equity(chances)),
        points=cube_points(chances, stakes, efficiency),
        match_chances=_match_chances(equities, stakes) if stakes.score else None,
        exact=exact,
        free_double=bool(stakes.free_double[0]),
    )


def _match_chances(
    equities: tuple[float, float, float], stakes: Stakes
) -> tuple[float, float | None, float | None]:
    wait, taken, passed = stakes.match_chance(np.array(equities)).tolist()
    if math.isnan(taken):
        return wait, None, None
    return wait, taken, passed


class BeaverAnswer(IntEnum):
    """What a doubler who has been beavered does."""

    PASS = 0
    ACCEPT = 1
    RACCOON = 2


def best_beaver_answer(double_take: float, *, raccoons: bool = False) -> BeaverAnswer:
    """The doubler's best answer to a beaver, from the equity of the plain double and take.

    Passing loses twice the cube before the double; accepting doubles the equity of the take;
    a raccoon doubles it again.
    """
    if raccoons and double_take > 0:
        return BeaverAnswer.RACCOON
    return BeaverAnswer.ACCEPT if 2 * double_take >= -2 else BeaverAnswer.PASS
