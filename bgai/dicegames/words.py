"""The words ``key=value`` that states of the dice games are written in, declared game by game.

``bgai dice advise --help`` prints these tables, and the words of every state are checked against
them. Nothing heavy is imported here.
"""

from dataclasses import dataclass

HELP_WIDTH = 19


@dataclass(frozen=True)
class StateWords:
    """The words of one game: examples and what they mean, the word that is always there first.

    Words in one example go together. ``separator`` stands between the seats in the first word;
    without one it is the number of seats.
    """

    rows: tuple[tuple[str, str], ...]
    separator: str | None

    @property
    def known(self) -> tuple[str, ...]:
        """Every word."""
        return tuple(part.partition("=")[0] for row, _ in self.rows for part in row.split())

    def help_lines(self) -> list[str]:
        """A line a word, two where the example is long."""
        lines = []
        for example, meaning in self.rows:
            if len(example) < HELP_WIDTH:
                lines.append(f"{example:{HELP_WIDTH}}{meaning}")
            else:
                lines += [example, " " * HELP_WIDTH + meaning]
        return lines


CENTENNIAL = StateWords(
    (
        ("steps=4,7", "numbers made by each seat, 0 to 22 of the 23"),
        ("seat=1", "who rolls (default 1)"),
        ("roll=136", "the dice to announce on (else a roll is next)"),
        ("left=7,8 asked=2", "overlooked numbers, offered to seat 2"),
    ),
    ",",
)
EVEREST = StateWords(
    (
        ("boxes=222222222222/212222222221", "open boxes (0-2) of 1 to 12, by seat"),
        ("seat=1", "who rolls (default 1)"),
        ("roll=136", "the dice to use (else a roll is next)"),
        ("left=13 asked=2", "unused dice, offered to seat 2"),
    ),
    "/",
)
GREAT_RACES = StateWords(
    (
        (
            "marks=0,0,0,0,0,0,0,0,0,0,0/1,0,0,2,0,3,0,0,0,0,0",
            "spaces marked in the races of 2 to 12, by seat",
        ),
        ("seat=1", "who rolls (default 1)"),
        ("roll=1346", "the dice to pair (else a roll is next)"),
    ),
    "/",
)
SHIP_CAPTAIN = StateWords(
    (
        ("seats=2", "how many play"),
        ("first=1", "who began the round (default 1)"),
        ("seat=1", "whose turn it is (default: first)"),
        ("best=9 leader=1", "highest score so far (0, 2-12) and who holds it, or leader=tied"),
        ("rolls=1 dice=24566", "rolls made in this turn (1 or 2) and the five dice"),
    ),
    None,
)
CUBILETE = StateWords(
    (
        ("scores=0,0", "points of each seat, 0 to 9"),
        ("first=1", "who began the round (default 1)"),
        ("seat=1", "whose turn it is (default: first)"),
        ("best=tens holders=1", "best hand so far (nines, tens, jacks, queens) and who holds it"),
        ("rolls=1 dice=AAKQ9", "rolls made in this turn, the five dice (A K Q J T 9 or 1-6)"),
        ("kept=AA", "dice kept after the first roll of two (option kept-stay)"),
        ("most=3", "rolls allowed in a turn of this round (option same-rolls)"),
    ),
    ",",
)

STATE_WORDS = {
    "centennial": CENTENNIAL,
    "everest": EVEREST,
    "great-races": GREAT_RACES,
    "ship-captain-crew": SHIP_CAPTAIN,
    "cubilete": CUBILETE,
}
"""The words by the game's name."""
