"""Evaluators made without training: a random one, a hand-made one, and noise for weak levels.

The hand-made evaluator counts what a beginner's book counts: pips, shots, points made, the
home boards, primes and the checkers behind them, checkers on the bar. Its weights were set by
hand from general knowledge of the game and no data was fitted. All are plain numpy over whole
batches and functions of the position alone: the same position always gets the same chances.
"""

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.evaluator import Chances, Evaluator
from bgai.evaluation.possible import held_to_rules
from bgai.rules.position import (
    BAR,
    CHECKERS,
    OFF,
    SLOTS,
    Positions,
    has_contact,
    pip_counts,
)

Floats = NDArray[np.float64]

# Of 36 rolls, those that hit a blot so many pips away when nothing stands between.
_SHOTS = np.array([0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3] + [0] * 3 + [1] + [0] * 9) / 36
_PIPS_A_ROLL = 49 / 6
_TO_BEAR_OFF = 3.0  # pips, about, that the first checker takes once all are home

# Worth of a made point (two or more checkers) in logits of the winning chance: home points,
# bar point and outer points, then anchors on the other side.
_HOME_WORTH = [0.02, 0.08, 0.14, 0.20, 0.26, 0.22]
_OUTER_WORTH = [0.20, 0.12, 0.06, 0.05, 0.05, 0.04, 0.05, 0.06, 0.09, 0.10, 0.10, 0.18]
_ANCHOR_WORTH = [0.14, 0.30, 0.28, 0.18, 0.12, 0.08]
_POINT_WORTH = np.array([0, *_HOME_WORTH, *_OUTER_WORTH, *_ANCHOR_WORTH, 0])


def _miss_table() -> Floats:
    """``[q, p]``: log of the chance that a checker on slot q doesn't hit a blot on point p.

    Both numbered by the hitter; 0 where q is not behind p.
    """
    table = np.zeros((SLOTS, SLOTS))
    for hitter in range(1, SLOTS):
        for target in range(1, hitter):
            table[hitter, target] = np.log1p(-_SHOTS[hitter - target])
    return table


_LOG_MISS = _miss_table()


def _normal_cdf(z: Floats) -> Floats:
    """The normal distribution function, by the logistic approximation (error below 0.01)."""
    return 1 / (1 + np.exp(np.clip(-1.702 * z, -30, 30)))


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


class HandmadeEvaluator:
    """Race-and-blots chances from hand-set weights; ``(n, 2, 26)`` in, ``(n, 5)`` out."""

    def evaluate(self, positions: Positions) -> Chances:
        """Chances of the player on roll; exact where the rules decide them."""
        chances = np.empty((len(positions), 5), dtype=np.float32)
        contact = has_contact(positions)
        for rows, win, gammons in (
            (contact, _contact_win, _contact_gammons),
            (~contact, _race_win, _race_gammons),
        ):
            if rows.any():
                chosen = positions if rows.all() else positions[rows]
                chances[rows] = _chances(chosen, win(chosen), gammons(chosen))
        return held_to_rules(chances, positions)


def _chances(positions: Positions, win: Floats, gammons: Floats) -> Floats:
    """Chances from the winning chance and each side's chance of losing a gammon if it loses."""
    backgammons = gammons * _backgammon_share(positions)
    lose = 1 - win
    sides = (win * gammons[:, 1], win * backgammons[:, 1])
    return np.stack([win, *sides, lose * gammons[:, 0], lose * backgammons[:, 0]], axis=-1)


def _effective_pips(positions: Positions) -> Floats:
    """Pips with an allowance for what a bear-off wastes, ``(n, 2)``."""
    pips = pip_counts(positions).astype(np.float64)
    stacks = positions.astype(np.float64)
    waste = 2 * np.maximum(stacks[..., 1] - 1, 0) + np.maximum(stacks[..., 2] - 1, 0)
    waste += np.maximum(stacks[..., 3] - 3, 0) + (stacks[..., 4:7] == 0).sum(axis=-1)
    left = CHECKERS - stacks[..., OFF]
    # However few the pips, a roll that is no double bears off two checkers at most.
    return np.maximum(pips + waste, 0.46 * _PIPS_A_ROLL * left)


def _race_win(positions: Positions) -> Floats:
    pips = _effective_pips(positions)
    lead = pips[:, 1] - pips[:, 0] + _PIPS_A_ROLL / 2  # being on roll is half a roll
    return _normal_cdf(lead / np.sqrt(2.3 * pips.sum(axis=-1) + 6))


def _race_gammons(positions: Positions) -> Floats:
    """Chance, if the other side wins, that this side hasn't borne off a checker, ``(n, 2)``."""
    slots = np.arange(SLOTS)
    needed = positions @ np.maximum(slots - 6, 0) + _TO_BEAR_OFF
    ahead = _effective_pips(positions)[:, ::-1] - needed
    ahead += np.array([0.5, -0.5]) * _PIPS_A_ROLL
    saved = _normal_cdf(ahead / np.sqrt(2.3 * (needed + 20)))
    # All home and one on the ace point: any roll bears a checker off.
    saved[:, 0] = np.where(
        (needed[:, 0] == _TO_BEAR_OFF) & (positions[:, 0, 1] > 0), 1, saved[:, 0]
    )
    return (1 - saved) * (positions[..., OFF] == 0)


def _contact_win(positions: Positions) -> Floats:
    """Winning chance from the difference of what both sides have, the side on roll first."""
    pips = pip_counts(positions).astype(np.float64)
    lead = pips[:, 1] - pips[:, 0] + _PIPS_A_ROLL
    worth = _structure(positions)
    hit, cost = _shots(positions)
    # The side on roll shoots now; its own blots can still be covered or moved.
    danger = 0.9 * hit[:, 1] * cost[:, 1] - 0.3 * hit[:, 0] * cost[:, 0]
    return _sigmoid(0.018 * lead + worth[:, 0] - worth[:, 1] + danger)


def _structure(positions: Positions) -> Floats:
    """Worth in logits of each side's points, prime, distribution and checkers back, ``(n, 2)``."""
    stacks = positions.astype(np.float64)
    made = positions >= 2
    made[..., [OFF, BAR]] = False
    prime = _longest_prime(made)
    trapped = _behind_prime(positions, made)
    board = made[..., 1:7].sum(axis=-1)[:, ::-1]  # the other side's home points
    bar = stacks[..., BAR]
    worth = made @ _POINT_WORTH
    worth += 0.06 * np.maximum(prime - 2, 0) ** 2
    worth -= bar * (0.10 + 0.12 * board)
    worth -= 0.10 * trapped
    worth += 0.07 * (positions[..., 7:12] == 1).sum(axis=-1)  # builders
    worth += 0.06 * (positions[..., 18:23] == 1).sum(axis=-1)  # on the way to an anchor
    worth -= 0.07 * np.maximum(stacks[..., 1:25] - 3, 0).sum(axis=-1)  # stacks
    worth -= stacks[..., 1:4] @ np.array([0.07, 0.05, 0.03])  # out of play
    worth -= 0.05 * np.maximum(stacks[..., 19:25].sum(axis=-1) - 2, 0)
    return worth


def _longest_prime(made: NDArray[np.bool_]) -> Floats:
    """Longest run of made points among 2-11, ``(n, 2)``."""
    longest = np.zeros(made.shape[:-1])
    run = np.zeros(made.shape[:-1])
    for point in range(2, 12):
        run = (run + 1) * made[..., point]
        np.maximum(longest, run, out=longest)
    return longest


def _behind_prime(positions: Positions, made: NDArray[np.bool_]) -> Floats:
    """For each side: own checkers behind the other's blocks, weighted by the blocks, ``(n, 2)``."""
    # Point p of one side is 25 - p of the other. blocks[p]: the other's points in p-6 .. p-1.
    theirs = made[:, ::-1, ::-1].astype(np.float64)
    total = np.cumsum(theirs, axis=-1)
    blocks = np.zeros_like(total)
    blocks[..., 7:] = total[..., 6:-1] - total[..., :-7]
    return (positions[..., 14:] * np.maximum(blocks[..., 14:] - 2, 0)).sum(axis=-1)


def _shots(positions: Positions) -> tuple[Floats, Floats]:
    """Of each side's blots: the chance that one is hit, and what a hit costs in logits."""
    hitters = positions[:, ::-1] > 0
    log_miss = hitters.astype(np.float64) @ _LOG_MISS  # by the hitter's numbering
    blots = positions == 1
    blots[..., [OFF, BAR]] = False
    own_view = log_miss[..., ::-1]  # point p of the owner is 25 - p of the hitter
    exposed = blots * (1 - np.exp(own_view))
    hit = 1 - np.exp(np.minimum(blots * own_view, 0).sum(axis=-1))
    travelled = 25 - np.arange(SLOTS)
    weight = np.maximum(exposed.sum(axis=-1), 1e-9)
    loss = (exposed @ travelled) / weight
    board = (positions[:, ::-1, 1:7] >= 2).sum(axis=-1)
    return hit, 0.25 + 0.018 * loss + 0.20 * board


def _contact_gammons(positions: Positions) -> Floats:
    """Chance, if the other side wins, that this side loses a gammon, ``(n, 2)``."""
    stacks = positions.astype(np.float64)
    back = stacks[..., 19:].sum(axis=-1)
    outside = stacks[..., 7:19].sum(axis=-1)
    board = (positions[..., 1:7] >= 2).sum(axis=-1)[:, ::-1]
    winner_off = stacks[..., OFF][:, ::-1]
    pips = pip_counts(positions).astype(np.float64)
    x = -3.0 + 0.012 * (pips - 100) + 0.22 * back + 0.03 * outside
    x += 0.20 * board + 0.35 * stacks[..., BAR] + 0.10 * winner_off
    return _sigmoid(x) * (positions[..., OFF] == 0)


def _backgammon_share(positions: Positions) -> Floats:
    """Share of each side's gammons lost that are backgammons, ``(n, 2)``."""
    back = positions[..., 19:].sum(axis=-1).astype(np.float64)
    winner_off = positions[..., OFF].astype(np.float64)[:, ::-1]
    share = _sigmoid(-4.2 + 0.35 * back + 0.22 * winner_off)
    return share * ((back > 0) | has_contact(positions)[:, None])


def _position_noise(positions: Positions, seed: int) -> Floats:
    """A number in [0, 1) for each position, fixed by the position and the seed, ``(n,)``."""
    weights = np.random.default_rng(seed).integers(
        1, 1 << 63, size=2 * SLOTS, dtype=np.uint64, endpoint=False
    )
    mixed = positions.reshape(len(positions), 2 * SLOTS).astype(np.uint64) @ (
        weights | np.uint64(1)
    )
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


class RandomEvaluator:
    """Chances without sense: a winning chance drawn for each position from the seed.

    Drawn by the position, not in the order of the calls, so an interrupted game goes on as it
    would have. Gammons are a quarter of the wins.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def evaluate(self, positions: Positions) -> Chances:
        """Chances of the player on roll; exact where the rules decide them."""
        win = _position_noise(positions, self.seed)
        chances = np.stack([win, win / 4, win / 100, (1 - win) / 4, (1 - win) / 100], axis=-1)
        return held_to_rules(chances.astype(np.float32), positions)


class NoisyEvaluator:
    """Another evaluator with errors of judgement: how weaker levels are made.

    The winning chance is shifted, in logits, by normal noise of standard deviation ``noise``
    fixed by position and seed; gammons keep their share of the wins and losses.
    """

    def __init__(self, evaluator: Evaluator, noise: float, seed: int = 0) -> None:
        self.evaluator = evaluator
        self.noise = noise
        self.seed = seed

    def evaluate(self, positions: Positions) -> Chances:
        """Chances of the player on roll; exact where the rules decide them."""
        chances = self.evaluator.evaluate(positions).astype(np.float64)
        first = _position_noise(positions, self.seed)
        second = _position_noise(positions, self.seed + 0x5DEECE66D)
        normal = np.sqrt(-2 * np.log1p(-first)) * np.cos(2 * np.pi * second)
        win = np.clip(chances[:, 0], 1e-6, 1 - 1e-6)
        shifted = _sigmoid(np.log(win / (1 - win)) + self.noise * normal)
        noisy = chances.copy()
        noisy[:, 0] = shifted
        noisy[:, 1:3] *= (shifted / win)[:, None]
        noisy[:, 3:5] *= ((1 - shifted) / (1 - win))[:, None]
        return held_to_rules(noisy.astype(np.float32), positions)
