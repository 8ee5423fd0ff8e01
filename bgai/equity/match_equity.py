"""Match equity: the chance to win a match from a score, before the next game.

A table holds ``pre_crawford[a - 1, b - 1]``, the first player's chance when they need ``a``
points and the second ``b`` (a row or column 1 is the Crawford game itself), and the
trailer's chances ``post_crawford[n - 1]`` needing ``n`` against a leader who needs one after
the Crawford game. "First" is the player whose chance is asked; :meth:`MatchEquityTable.swapped`
is the table seen by the other, which differs only for tables made for unequal players.

Scores beyond a table are filled in by a plain model of a game, fitted to the table's own
last rows (:func:`_extend`): it is won or lost by one or by four points.
"""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import FileError, InputError

Table = NDArray[np.float64]

MOST_AWAY = 999
"""Longest match a table is extended to."""
_FIT_ROWS = 6  # a table is extended from its last rows, so many
_STEPS = (1, 4)  # points by which a game is won or lost in the model beyond a table


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """A match equity table; arrays as in the module's docstring.

    ``post_crawford_first`` serves when the first player trails, ``post_crawford_second`` when
    the second does. Raises ``InputError`` where a value isn't a chance, where needing fewer
    points is worth less, or the sizes differ.
    """

    name: str
    pre_crawford: Table
    post_crawford_first: Table
    post_crawford_second: Table
    _extended: dict[int, tuple[Table, Table]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        size = len(self.pre_crawford)
        if size < 2 or self.pre_crawford.shape != (size, size):
            raise InputError(
                f"{self.name}: the pre-Crawford table must be a square of at least 2 x 2, "
                f"not {self.pre_crawford.shape}"
            )
        for post in (self.post_crawford_first, self.post_crawford_second):
            if post.shape != (size,):
                raise InputError(
                    f"{self.name}: {len(post)} post-Crawford chances for {size} points"
                )
            _check_chances(self.name, post)
            _check_falls(f"{self.name}, after Crawford", post[:, None])
        _check_chances(self.name, self.pre_crawford)
        _check_falls(self.name, self.pre_crawford)

    @property
    def size(self) -> int:
        """Points covered by the table itself."""
        return len(self.pre_crawford)

    def before_game(
        self, away_first: ArrayLike, away_second: ArrayLike, *, post_crawford: bool = False
    ) -> Table:
        """The first player's chance to win the match, by points still needed.

        The arguments broadcast. A need of zero or less is a match already won; both won
        gives 1. ``post_crawford`` says that the Crawford game is over: it matters only when
        somebody needs one point. Raises ``InputError`` above ``MOST_AWAY``.
        """
        first, second = np.broadcast_arrays(
            np.asarray(away_first, dtype=np.int64), np.asarray(away_second, dtype=np.int64)
        )
        longest = int(max(first.max(initial=1), second.max(initial=1)))
        pre, post = self._reaching(longest)
        chances = (post if post_crawford else pre)[first.clip(0), second.clip(0)]
        return np.asarray(chances, dtype=np.float64)

    def swapped(self) -> "MatchEquityTable":
        """The table seen by the second player; the same object where nothing differs."""
        return self._swapped or self

    @cached_property
    def _swapped(self) -> "MatchEquityTable | None":
        mirrored = 1 - self.pre_crawford.T
        if np.allclose(mirrored, self.pre_crawford, atol=1e-9) and np.array_equal(
            self.post_crawford_first, self.post_crawford_second
        ):
            return None
        return MatchEquityTable(
            self.name, mirrored, self.post_crawford_second, self.post_crawford_first
        )

    def _reaching(self, longest: int) -> tuple[Table, Table]:
        """Chances by need, ``[a, b]`` from 0, before and after Crawford, up to ``longest``."""
        if longest > MOST_AWAY:
            raise InputError(f"a score of {longest} points away; the most is {MOST_AWAY}")
        size = self.size
        while size < longest:
            size *= 2
        size = min(size, max(MOST_AWAY, self.size))
        if size not in self._extended:
            self._extended[size] = _extend(self, size)
        return self._extended[size]


def _check_chances(name: str, chances: Table) -> None:
    wrong = ~((chances >= 0) & (chances <= 1))
    if wrong.any():
        where = " ".join(str(int(i) + 1) for i in np.argwhere(wrong)[0])
        raise InputError(f"{name}: the entry {where} is {chances[wrong][0]}, not a chance")


def _check_falls(name: str, chances: Table) -> None:
    """Chances fall with the need of the first (rows) and rise with that of the second."""
    for axis, rises in ((0, np.diff(chances, axis=0) > 0), (1, np.diff(chances, axis=1) < 0)):
        if rises.any():
            row, column = (int(i) + 1 for i in np.argwhere(rises)[0])
            after = (row + 1, column) if axis == 0 else (row, column + 1)
            raise InputError(
                f"{name}: the entries {row} {column} and {after[0]} {after[1]} are in the wrong "
                "order: to need fewer points is worth more"
            )


def _extend(table: MatchEquityTable, size: int) -> tuple[Table, Table]:
    """Chances by need ``[0..size, 0..size]``, before and after the Crawford game.

    After Crawford the trailer's chance falls by a constant factor for every two points. The
    Crawford game beyond the table is won by the trailer by one or two points with the
    chances that fit the table's last rows; other games as in the module's docstring.
    """
    trailing_first = _extend_post(table.post_crawford_first, size)
    trailing_second = _extend_post(table.post_crawford_second, size)
    pre = np.full((size + 1, size + 1), np.nan)
    pre[:, 0] = 0.0
    pre[0, :] = 1.0
    known = table.size
    pre[1 : known + 1, 1 : known + 1] = table.pre_crawford
    if size > known:
        pre[:, 1] = _extend_crawford(pre[:, 1], trailing_first, known)
        pre[1, :] = 1 - _extend_crawford(1 - pre[1, :], trailing_second, known)
        _extend_games(pre, known)
        # A table rounded to a few digits can make the fit turn back somewhere.
        pre = np.maximum.accumulate(np.minimum.accumulate(pre, axis=0), axis=1)
    post = pre.copy()
    post[1:, 1] = trailing_first[1:]
    post[1, 1:] = 1 - trailing_second[1:]
    return pre, post


def _extend_post(post: Table, size: int) -> Table:
    """Trailer's chances by need from 0, continued by one factor for every two points.

    The factor is that of the last entries. Odd and even needs share it: with a factor each they
    would drift apart, until needing more were worth more.
    """
    known = len(post)
    chances = np.concatenate([[1.0], post, np.zeros(max(size - known, 0))])
    factor = 0.4
    if known > 3 and post[-4] > 0 and post[-2] > 0:
        factor = float(np.sqrt(post[-1] / post[-3] * post[-2] / post[-4]))
    for need in range(known + 1, size + 1):
        chances[need] = chances[need - 2] * factor
    return chances


def _extend_crawford(chances: Table, post: Table, known: int) -> Table:
    """Trailer's chances in the Crawford game by need, continued beyond ``known``."""
    needs = np.arange(max(3, known - 2 * _FIT_ROWS), known + 1)
    wins = np.stack([post[needs - 1], post[needs - 2]], axis=1)
    weights = np.linalg.lstsq(wins, chances[needs], rcond=None)[0]
    longer = chances.copy()
    for need in range(known + 1, len(chances)):
        longer[need] = weights @ (post[need - 1], post[need - 2])
    return longer


def _extend_games(pre: Table, known: int) -> None:
    """Fill ``pre`` beyond ``known`` (its rows and columns 0 and 1 are complete) in place."""

    def after(first: int, second: int) -> tuple[float, float]:
        one, four = (
            (pre[max(first - step, 0), second] + pre[first, max(second - step, 0)]) / 2
            for step in _STEPS
        )
        return one, four

    near = range(max(2, known - _FIT_ROWS + 1), known + 1)
    ends = np.array([(*after(a, b), pre[a, b]) for a in near for b in near])
    spread = ends[:, 1] - ends[:, 0]
    scale = float(spread @ spread)
    four_points = float(np.clip(spread @ (ends[:, 2] - ends[:, 0]) / scale, 0, 1)) if scale else 0.5
    size = len(pre) - 1
    for total in range(known + 3, 2 * size + 1):
        first = np.arange(max(2, total - size), min(size, total - 2) + 1)
        second = total - first
        beyond = np.maximum(first, second) > known
        first, second = first[beyond], second[beyond]
        one, four = (
            (pre[np.maximum(first - step, 0), second] + pre[first, np.maximum(second - step, 0)])
            / 2
            for step in _STEPS
        )
        pre[first, second] = (1 - four_points) * one + four_points * four


@lru_cache(maxsize=1)
def kazaross_xg2() -> MatchEquityTable:
    """Neil Kazaross' table for eXtreme Gammon 2, 25 points: the default."""
    text = (resources.files("bgai.equity") / "data" / "kazaross-xg2.json").read_text("utf-8")
    entries = json.loads(text)
    post = np.array(entries["post_crawford"], dtype=np.float64)
    return MatchEquityTable(
        entries["name"], np.array(entries["pre_crawford"], dtype=np.float64), post, post
    )


def read_met(path: Path | str) -> MatchEquityTable:
    """Read a table in GNU Backgammon's XML form (explicit rows), or raise ``InputError``.

    A table for unequal players (``player="0"`` and ``player="1"``) keeps player 0 first.
    """
    path = Path(path)
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except OSError as error:
        raise FileError(path, error) from None
    except ElementTree.ParseError as error:
        raise InputError(f"{path}: not XML: {error}") from None
    pre_element = root.find("pre-crawford-table")
    if root.tag != "met" or pre_element is None:
        raise InputError(f"{path}: not a match equity table (no met/pre-crawford-table)")
    rows = _rows(path, pre_element)
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise InputError(f"{path}: the pre-Crawford table is not a square of {size} rows")
    posts: dict[str, Table] = {}
    for element in root.findall("post-crawford-table"):
        post_rows = _rows(path, element)
        player = element.get("player", "both")
        if not post_rows or len(post_rows[0]) < 2:
            raise InputError(f"{path}: the post-Crawford table of player {player} is empty")
        post = np.array(post_rows[0][:size], dtype=np.float64)
        posts[player] = _extend_post(post, size)[1:]  # some tables leave out the last entry
    both = posts.get("both")
    first, second = posts.get("0", both), posts.get("1", both)
    if first is None or second is None:
        raise InputError(f"{path}: the post-Crawford table of a player is missing")
    name = root.findtext("info/name") or path.stem
    return MatchEquityTable(name.strip(), np.array(rows, dtype=np.float64), first, second)


def _rows(path: Path, element: ElementTree.Element) -> list[list[float]]:
    kind = element.get("type", "explicit")
    if kind != "explicit":
        raise InputError(
            f"{path}: the {element.tag} is given by parameters of type '{kind}'; "
            "only explicit tables can be read"
        )
    rows = []
    for number, row in enumerate(element.findall("row"), 1):
        try:
            rows.append([float(entry.text or "") for entry in row.findall("me")])
        except ValueError as error:
            raise InputError(f"{path}: {element.tag} row {number}: {error}") from None
    return rows
