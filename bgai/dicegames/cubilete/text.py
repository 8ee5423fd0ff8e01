"""Cubilete for people: text, players, figures."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import Roll, StateError
from bgai.dicegames.cubilete.round import FOR_POINTS
from bgai.dicegames.cubilete.rules import (
    DICE,
    POINTS,
    ROLLS,
    TARGET,
    Cubilete,
    CubileteState,
    Hand,
    Ties,
    hand_of,
    keeps_of,
)
from bgai.dicegames.cubilete.solver import EXACT_SEATS, CubileteSolver
from bgai.dicegames.cubilete.turn import (
    Turn,
    greatest_exactly,
    play_turn,
    tables,
)
from bgai.dicegames.kit import (
    Fields,
    Kit,
    number_in,
    whole_number,
)
from bgai.dicegames.state_words import both_or_neither, turn_in
from bgai.dicegames.words import CUBILETE

FACES = "AKQJT9"
"""Ace, king, queen, jack, ten, nine: faces 1 to 6."""
FACE_NAMES = ("ace", "king", "queen", "jack", "ten", "nine")
HAND_NAMES: Mapping[str, Hand] = {
    "nines": Hand.NINES,
    "tens": Hand.TENS,
    "jacks": Hand.JACKS,
    "queens": Hand.QUEENS,
}


class CubileteKit(Kit[CubileteState, Roll]):
    name = "cubilete"
    title = "Cubilete"
    least_seats, most_seats = 2, None
    slip = 0.003
    compiled = frozenset(("best", "greedy", "random"))
    option_help: ClassVar[Mapping[str, str]] = {
        "ties=": "equal best hands: earlier (stands; default), void or roll-off",
        "kept-stay": "dice are kept for the final hand and can't be rolled again",
        "same-rolls": "later seats may use no more rolls than the round's first did",
    }
    words = CUBILETE

    game: Cubilete
    high_die_starts = False
    faces = FACES

    def made(self, seats: int) -> Cubilete:
        ties = self.options.get("ties", Ties.EARLIER.value)
        if ties not in {tie.value for tie in Ties}:
            raise StateError(f"ties: '{ties}' is not earlier, void or roll-off")
        return Cubilete(
            seats,
            ties=Ties(ties),
            same_rolls="same-rolls" in self.options,
            strict="kept-stay" in self.options,
        )

    @cached_property
    def advisor(self) -> CubileteSolver:
        return CubileteSolver(self.game)

    def read_state(self, fields: Fields) -> CubileteState:
        seats = self.game.seats
        parts = fields["scores"].split(",")
        scores = tuple(whole_number(part, "scores", 0, TARGET - 1) for part in parts)
        first, place = turn_in(fields, seats)
        best, holders = self._standing(fields, first, place)
        most = number_in(fields, "most", 1, ROLLS, ROLLS)
        if most < ROLLS and not (self.game.same_rolls and place):
            raise StateError("most: all three rolls are allowed here")
        state = CubileteState(scores, first, place, best, holders, most=most)
        if not both_or_neither(fields, "rolls", "dice"):
            return state
        rolls = whole_number(fields["rolls"], "rolls", 1, ROLLS)
        if rolls >= most:
            raise StateError(f"rolls: with {rolls} rolled the turn is over")
        state = state._replace(rolls=rolls, dice=read_dice(fields["dice"], "dice", DICE))
        if "kept" not in fields:
            return state
        kept = read_dice(fields["kept"], "kept", None)
        if not self.game.strict or rolls < 2:
            raise StateError("kept: no dice have to stay here")
        if kept not in keeps_of(state.dice):
            raise StateError(f"kept: {faces(kept)} are not among the dice {faces(state.dice)}")
        return state._replace(kept=kept)

    def _standing(self, fields: Fields, first: int, place: int) -> tuple[Hand, tuple[int, ...]]:
        if not both_or_neither(fields, "best", "holders"):
            return Hand.NOTHING, ()
        if fields["best"] not in HAND_NAMES:
            raise StateError(f"best: '{fields['best']}' is not nines, tens, jacks or queens")
        seats = self.game.seats
        parts = fields["holders"].split(",")
        places = [(whole_number(p, "holders", 1, seats) - 1 - first) % seats for p in parts]
        if places != sorted(set(places)):
            raise StateError("holders: each seat once, in the order of their turns")
        if max(places) >= place:
            late = (max(places) + first) % seats
            raise StateError(f"holders: seat {late + 1} has not played this round")
        if len(places) > 1 and self.game.ties is Ties.EARLIER:
            raise StateError("holders: the earlier of equal hands stands alone")
        return HAND_NAMES[fields["best"]], tuple((first + p) % seats for p in places)

    def state_text(self, state: CubileteState) -> str:
        if 0 < len(state.dice) < DICE or (state.rolls and not state.dice) or state.roll_off:
            raise StateError("a state between a choice and its roll is not written")
        words = [f"scores={','.join(map(str, state.scores))}", f"first={state.first + 1}"]
        words.append(f"seat={(state.first + state.place) % self.game.seats + 1}")
        if state.holders:
            name = next(name for name, hand in HAND_NAMES.items() if hand == state.best)
            holders = ",".join(str(seat + 1) for seat in state.holders)
            words.append(f"best={name} holders={holders}")
        if len(state.dice) == DICE:
            words.append(f"rolls={state.rolls} dice={faces(state.dice)}")
        if state.kept:
            words.append(f"kept={faces(state.kept)}")
        if state.most != ROLLS:
            words.append(f"most={state.most}")
        return " ".join(words)

    def board(self, state: CubileteState) -> str:
        pairs = zip(self.names, state.scores, strict=True)
        lines = ["  ".join(f"{name}: {score}" for name, score in pairs)]
        if state.holders:
            held = ", ".join(self.names[seat] for seat in state.holders)
            lines.append(f"best hand {state.best.title}, {held}")
        if state.dice:
            left = state.most - state.rolls
            rolls = f"{left} roll{'' if left == 1 else 's'} left"
            lines.append(f"dice {' '.join(faces(state.dice))}   {counted(state.dice)}, {rolls}")
        return "\n".join(lines)

    def question(self, state: CubileteState) -> str:
        return "Which dice do you keep (such as AAK; none; stop to end the turn)?"

    def act_text(self, state: CubileteState, act: Roll) -> str:
        if len(act) == DICE:
            return "stop"
        return f"keep {faces(act) or 'none'}"

    def read_act(self, state: CubileteState, text: str) -> Roll:
        word = text.strip().lower()
        if word == "stop":
            return state.dice
        act = () if word in ("none", "0") else read_dice("".join(word.split()), "keep", None)
        if state.kept and act in keeps_of(state.dice) and act not in self.game.acts(state):
            raise StateError(f"{faces(state.kept)} were kept and must stay")
        if act not in self.game.acts(state):
            raise StateError(f"'{text}' are not among the dice {faces(state.dice)}")
        return act

    def roll_text(self, state: CubileteState, roll: Roll) -> str:
        if state.roll_off:
            return f"in the roll-off; {self.names[roll[0]]} is highest"
        kept = f" to {faces(state.dice)}" if state.dice else ""
        whole = tuple(sorted(state.dice + roll))
        return f"{faces(roll)}{kept}: {counted(whole)}"

    def turn_note(self, before: CubileteState, after: CubileteState) -> str:
        if after.scores != before.scores:
            pairs = zip(before.scores, after.scores, strict=True)
            scorer = next(seat for seat, (old, new) in enumerate(pairs) if old != new)
            points = after.scores[scorer] - before.scores[scorer]
            total = "-".join(map(str, after.scores))
            return f"{points} for {self.names[scorer]}: {total}."
        if before.place and not after.place and not after.roll_off:
            return "Nobody scores in this round."
        return ""

    def rules(self) -> Mapping[str, Callable[[CubileteState], Roll]]:
        strict = self.game.strict
        limits = range(1, ROLLS + 1)
        greedy = {most: play_turn(FOR_POINTS, most, strict=strict) for most in limits}

        def by(turn_of: Callable[[CubileteState], Turn]) -> Callable[[CubileteState], Roll]:
            return lambda state: turn_of(state).keeps(state.dice, state.rolls, state.kept)

        return {"best": by(self.advisor.turn), "greedy": by(lambda state: greedy[state.most])}

    def play_compiled(
        self, seeds: NDArray[np.uint64], names: Sequence[str], streams: Sequence[int]
    ) -> NDArray[np.int64]:
        from bgai.dicegames.cubilete.game_kernels import BEST, GREEDY, RANDOM, Rules, play_games
        from bgai.dicegames.random_kernels import Seats

        kinds = {"best": BEST, "greedy": GREEDY, "random": RANDOM}
        game, policies = self.game, self.advisor.policies(best="best" in names)
        players = Seats(np.array([kinds[name] for name in names]), np.array(streams))
        ties = list(Ties).index(game.ties)
        rules = Rules(ties, game.same_rolls, game.strict, np.array(POINTS))
        return play_games(seeds, players, rules, policies, tables())

    def compiles(self, names: Sequence[str]) -> bool:
        return len(names) <= EXACT_SEATS and super().compiles(names)

    def prepare(self) -> None:
        self.advisor.prepare()

    def next_first(self, last: CubileteState) -> int:
        return last.first

    def read_roll(self, state: CubileteState, text: str) -> Roll:
        if not state.roll_off:
            dice = DICE - len(state.dice)
            return read_dice("".join(text.split()), "dice", dice)
        seat = whole_number(text.strip(), "the seat that won the roll-off", 1, self.game.seats) - 1
        if seat not in state.holders:
            raise StateError(f"seat {seat + 1} is not in the roll-off")
        return (seat,)

    def reference_values(self) -> list[tuple[str, Fraction | float]]:
        targets: Mapping[str, tuple[int, ...]] = {
            "five aces": (0, 0, 0, 0, 0, 0, 0, 1),
            "five natural kings": (0, 0, 0, 0, 0, 0, 1, 0),
            "kings or aces": (0, 0, 0, 0, 0, 1, 1, 1),
            "kings, not all aces": (0, 0, 0, 0, 0, 1, 1, 0),
            "queens": (0, 0, 0, 0, 1, 0, 0, 0),
            "any five of a kind": (0, 1, 1, 1, 1, 1, 1, 1),
        }
        figures: list[tuple[str, Fraction | float]] = [
            (name, greatest_exactly(worth)) for name, worth in targets.items()
        ]
        figures.append(("any five of a kind, one roll", greatest_exactly((0, *(1,) * 7), 1)))
        figures.append(("greatest expected points", greatest_exactly(POINTS)))
        figures.append(("greatest expected points, one roll", greatest_exactly(POINTS, 1)))
        two = CubileteSolver(Cubilete(2))
        for scores in ((0, 0), (9, 9), (0, 9), (9, 0)):
            leader = two.chances(CubileteState(scores))[0]
            figures.append((f"2 seats, {scores[0]}-{scores[1]}: round leader wins", leader))
        void = CubileteSolver(Cubilete(2, ties=Ties.VOID))
        figures.append(("2 seats, 0-0, ties void", void.chances(CubileteState((0, 0)))[0]))
        return figures


def faces(dice: Roll) -> str:
    """Dice by the letters of their faces."""
    return "".join(FACES[die - 1] for die in dice)


COUNTS = ("no", "one", "two", "three", "four", "five")


def counted(dice: Roll) -> str:
    """What dice amount to, such as ``four queens``; aces count as what there is most of."""
    if len(dice) == DICE and hand_of(dice) is not Hand.NOTHING:
        return f"five {hand_of(dice).title}"
    most = max(dice, key=lambda die: (dice.count(die) * (die > 1), -die))
    count = dice.count(1) + dice.count(most) * (most > 1)
    plural = "" if count == 1 else "s"
    return f"{COUNTS[count]} {FACE_NAMES[most - 1]}{plural}"


def read_dice(text: str, what: str, count: int | None) -> Roll:
    """Dice by letters or numbers, in rising order of the faces."""
    dice = []
    for character in text.upper():
        if character in FACES:
            dice.append(FACES.index(character) + 1)
        elif character in "123456":
            dice.append(int(character))
        else:
            raise StateError(f"{what}: '{character}' is no face; faces are A K Q J T 9 or 1 to 6")
    if count is not None and len(dice) != count:
        raise StateError(f"{what}: {count} dice expected, not {len(dice)}")
    return tuple(sorted(dice))
