"""Dice games at the terminal, people and programs mixed, a game after another.

Every roll and act is saved at once, so that a game stopped in any way goes on where it was.
"""

from collections.abc import Callable
from pathlib import Path

from bgai.dicegames.chance_game import Phase
from bgai.dicegames.review import review
from bgai.dicegames.series import (
    CHOICES,
    SERIES,
    START_DICE,
    Acted,
    Event,
    GameRecord,
    Rolled,
    Series,
)
from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.terminal import dice_words
from bgai.ui.terminal.keys import Typed, read_command
from bgai.ui.terminal.screen import Screen
from bgai.ui.terminal.table import KeptTable
from bgai.ui.terminal.words import YOU, says

HELP: dict[str, str] = {
    "roll": "roll the dice (or just Enter)",
    "choices": "list everything you can do now",
    "hint": "what the best player would do, and the win chances",
    "undo": "take back your last choice (the same dice come again)",
    "dice": "correct the dice just entered, such as dice 136",
    "next": "begin the next game (or just Enter)",
    "review": "what each choice of this game gave away",
    "sheet": "games won so far, and stakes",
    "rules": "the rules of the game",
    "board": "show the board again",
    "save": "save now; save FILE keeps the game in that file from now on",
    "quit": "stop; the game is saved and bgai dice play --resume goes on with it",
    "help": "this list",
}
_SHORT = {"q": "quit", "h": "hint", "?": "help"}
_ALWAYS = ("undo", "review", "sheet", "rules", "board", "save", "quit", "help")
_NEWS = 14
_PLAIN = str.maketrans({"□": "o", "·": ".", "±": "~"})

Plain = Callable[[str], bool]


class DiceTable(KeptTable):
    """A series of games at one terminal."""

    command = "bgai dice play"

    def __init__(
        self, series: Series, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        super().__init__(screen, path, path_is_ours=path_is_ours)
        self.series = series
        self.kit = series.kit
        self.people = {n for n, seat in enumerate(series.seats) if seat.player is None}
        self.programs = {
            n: self.kit.player(seat.player)
            for n, seat in enumerate(series.seats)
            if seat.player is not None
        }
        self.news: list[str] = []

    def warm_up(self) -> None:
        self.kit.prepare()

    def _write(self, path: Path) -> None:
        SERIES.write(path, self.series)

    @property
    def manual(self) -> bool:
        """Whether the dice are rolled at a real table."""
        return self.series.seed is None

    def run(self) -> None:
        """Play until the series is over. Raises ``Leave`` or ``InputEnded`` when it isn't."""
        self._save()
        self.news += self.kit.notes()
        if self.series.state is not None and not self.series.record.events:
            self._tell(dice_words.begins(self.series))
        while not self.series.is_over:
            self._step()
        self._draw()
        self._show(*dice_words.sheet_of(self.series))
        if not self.manual:
            self._show(f"The dice came from seed {self.series.seed}.")
        where = "" if self.path_is_ours else f" {self.path}"
        self._show(f"bgai dice review{where} tells what each choice gave away.")

    def _step(self) -> None:
        if self.series.game_over:
            self._between()
        elif self.series.starters:
            self._roll_for_start()
        elif self.kit.game.phase(self.series.state) is Phase.ROLL:
            self._to_roll()
        else:
            self._to_act()

    # --- what is seen ----------------------------------------------------------------------------

    def _show(self, *lines: str) -> None:
        if self.screen.ascii_only:
            lines = tuple(line.translate(_PLAIN) for line in lines)
        self.screen.show(*lines)

    def _say(self, *lines: str) -> bool:
        self._show(*lines)
        return False

    def _tell(self, line: str) -> None:
        """News, seen with the board that is drawn next; at once where only programs play."""
        if self.people:
            self.news.append(line)
        else:
            self._show(line)

    def _draw(self) -> None:
        self.screen.clear()
        series = self.series
        of = f" of {series.terms.games}" if series.terms.games else ""
        won = "".join(
            f"  -  {name} {won}" + (f" ({points:+d})" if series.terms.stake else "")
            for name, won, points in series.sheet()
        )
        played = won if series.winners() else ""
        self._show(f"{self.kit.title}  -  game {len(series.records)}{of}{played}")
        news = self.news if len(self.news) <= _NEWS else ["...", *self.news[1 - _NEWS :]]
        self._show(*self.announced, *news)
        self.announced, self.news = [], []
        if series.state is not None:
            self._show("", *self._board())

    def _board(self) -> list[str]:
        return self.kit.board(self.series.state).split("\n")

    # --- what happens ----------------------------------------------------------------------------

    def _do(self, event: Event, remark: str = "") -> None:
        kit, before = self.kit, self.series.state
        name = kit.names[kit.game.seat(before)]
        self.series.do(event)
        self._save()
        after = self.series.state
        if isinstance(event, Acted):
            self._tell(f"{name}: {kit.act_text(before, event.act)}{remark}")
        else:
            self._tell(f"{says(name, 'roll')} {kit.roll_text(before, event.roll)}")
        if note := kit.turn_note(before, after):
            self._tell(f"  {note}")
        if self.series.game_over:
            winner = kit.names[self.series.winners()[-1]]
            self._tell(f"{says(winner, 'win')} the game.")

    def _roll_for_start(self) -> None:
        rolling = self.series.starters
        if not self.manual:
            self._start_dice(self.series.dice_of(START_DICE, len(rolling)))
            return
        names = ", ".join(self.kit.names[seat] for seat in rolling)
        example = "".join(self.kit.faces[n % 6] for n in range(len(rolling)))
        prompt = f"A die each for the start, of {names} in this order, e.g. {example}: "
        self._ask(
            prompt,
            lambda text: self._start_dice(self.kit.read_start(text, len(rolling))),
            ("dice", *_ALWAYS),
        )

    def _start_dice(self, dice: tuple[int, ...]) -> bool:
        self.series.roll_start(dice)
        self._save()
        for line in dice_words.start_lines(self.series, self.series.record.rounds)[-1:]:
            self._tell(line)
        if self.series.state is not None:
            self._tell(dice_words.begins(self.series))
        return True

    def _to_roll(self) -> None:
        state, kit = self.series.state, self.kit
        seat = kit.game.seat(state)
        name = kit.names[seat]
        if self.manual:
            available = ("hint", "dice", *_ALWAYS)
            self._ask(f"Dice of {name} (help for more): ", self._typed_roll, available)
        elif seat in self.people:
            whose = "" if name == YOU else f"{name}: "
            prompt = f"{whose}Enter to roll (help for more): "
            self._ask(prompt, self._plain_roll, ("roll", "hint", *_ALWAYS))
        else:
            self._do(Rolled(self.series.next_roll()))

    def _typed_roll(self, text: str) -> bool:
        self._do(Rolled(self.kit.read_roll(self.series.state, text)))
        return True

    def _plain_roll(self, text: str) -> bool:
        if text:
            raise InputError(f"'{text}' is nothing to do now: Enter rolls, help lists the rest")
        self._do(Rolled(self.series.next_roll()))
        return True

    def _to_act(self) -> None:
        state, kit = self.series.state, self.kit
        seat = kit.game.seat(state)
        acts = kit.game.acts(state)
        if len(acts) == 1:
            self._do(Acted(acts[0]), "  (there is nothing else)")
        elif seat in self.people:
            whose = "" if kit.names[seat] == YOU else f"{kit.names[seat]}: "
            prompt = f"{whose}{kit.question(state)} "
            dice = ("dice",) if self.manual else ()
            self._ask(prompt, self._typed_act, ("choices", "hint", *dice, *_ALWAYS))
        else:
            with self.screen.busy(f"{kit.names[seat]} is thinking ..."):
                rng = self.series.chance(CHOICES)
                act = apart(self.programs[seat].choose, state, rng)
            self._do(Acted(act))

    def _typed_act(self, text: str) -> bool:
        if not text:
            raise InputError("type what you do; choices lists it, help all commands")
        state = self.series.state
        act = self.kit.read_act(state, text)
        warning = self.kit.warning(state, act)
        if warning:
            answer = self.screen.ask(f"{warning} Leave it all the same? [y/N] ")
            if not answer.strip().lower().startswith("y"):
                return False
        self._do(Acted(act))
        return True

    def _between(self) -> None:
        """After a game, when another may follow."""
        if not self.people:
            if self.series.terms.games is None:
                self.series.close()
                return
            self._next_game("")
            return
        left = "Enter for the next game" if self.series.terms.games else "Enter for another game"
        prompt = f"{left} (or review, undo, sheet, quit, help): "
        self._ask(prompt, self._next_game, ("next", *_ALWAYS))

    def _next_game(self, text: str) -> bool:
        if text:
            raise InputError(f"'{text}' is nothing to do now: Enter begins a game, quit ends")
        self.series.next_game()
        self._save()
        if self.series.state is not None:
            self._tell(dice_words.begins(self.series))
        return True

    # --- commands --------------------------------------------------------------------------------

    def _ask(self, prompt: str, plain: Plain, available: tuple[str, ...]) -> None:
        """Show the board and ask until something has changed."""
        self._draw()
        while not self._obeyed(prompt, plain, available):
            pass

    def _obeyed(self, prompt: str, plain: Plain, available: tuple[str, ...]) -> bool:
        line = self.screen.ask(prompt)
        try:
            typed = self._read(line, available)
            if typed.word in ("roll", "next"):
                return plain(typed.rest)
            return self._command(typed, available) if typed.word else plain(typed.rest)
        except InputError as error:
            return self._say(f"  {error}")

    def _read(self, line: str, available: tuple[str, ...]) -> Typed:
        """A command, or no word and what to do: choices win over words cut short."""
        text = line.strip()
        first = text.split(maxsplit=1)[0] if text else ""
        if first in _SHORT:
            return Typed(_SHORT[first], "")
        if not text or first[0].isdigit() or (first.lower() not in HELP and self._is_meant(text)):
            return Typed("", text)
        try:
            return read_command(line, available, HELP)
        except InputError:
            if first.lower() in HELP:
                raise
            return Typed("", text)

    def _is_meant(self, text: str) -> bool:
        """Whether a text is a choice, or dice where they are asked for."""
        kit, state = self.kit, self.series.state
        try:
            if state is None:
                kit.read_start(text, len(self.series.starters))
            elif kit.game.phase(state) is Phase.ACT:
                kit.read_act(state, text)
            elif self.manual and kit.game.phase(state) is Phase.ROLL:
                kit.read_roll(state, text)
            else:
                return False
        except InputError:
            return False
        return True

    def _command(self, typed: Typed, available: tuple[str, ...]) -> bool:
        commands: dict[str, Callable[[], bool]] = {
            "choices": lambda: self._say(*self._choices()),
            "hint": self._hint,
            "undo": self._undo,
            "dice": lambda: self._correct_dice(typed.rest),
            "review": self._review,
            "sheet": lambda: self._say(*dice_words.sheet_of(self.series)),
            "rules": lambda: self._say(self.kit.rules_text().rstrip()),
            "board": lambda: self._say(*self._board()),
            "save": lambda: self._save_as(typed.rest),
            "quit": self._quit,
            "help": lambda: self._say(*(f"  {word:<8} {HELP[word]}" for word in available)),
        }
        return commands[typed.word]()

    def _choices(self) -> list[str]:
        state = self.series.state
        return [f"  {self.kit.act_text(state, act)}" for act in self.kit.game.acts(state)]

    def _hint(self) -> bool:
        with self.screen.busy("thinking ..."):
            lines = apart(dice_words.hint_lines, self.kit, self.series.state)
        return self._say(*lines)

    def _review(self) -> bool:
        number, record = self._last_played()
        with self.screen.busy("judging every choice ..."):
            choices = apart(review, self.series, record)
        return self._say(*dice_words.review_lines(self.series, number, choices))

    def _last_played(self) -> tuple[int, GameRecord]:
        """The game that is on, or the one before it where nothing has happened yet."""
        for number, record in reversed(list(enumerate(self.series.records, 1))):
            if record.events:
                return number, record
        raise InputError("nothing has been played yet")

    def _undo(self) -> bool:
        if not self.series.undo(self.people):
            raise InputError("there is no choice of yours to take back in this game")
        self._save()
        self.news = ["The last choice is taken back."]
        return True

    def _correct_dice(self, text: str) -> bool:
        if not self.series.take_back_roll():
            raise InputError("no dice were entered just now")
        self._save()
        self.news = ["The dice are taken back."]
        if text and self.series.state is not None:
            try:
                self._typed_roll(text)
            except InputError as error:
                self.news.append(f"{error}.")
        return True

    def _quit(self) -> bool:
        if self.series.game_over and self.series.terms.games is None:
            self.series.close()
            self._save()
            return True
        return super()._quit()
