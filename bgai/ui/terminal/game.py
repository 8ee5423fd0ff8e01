"""A person plays a session against a program in the terminal.

The loop asks the person for what the rules allow at that moment, lets the program decide, and
saves after every act, so that a game stopped in any way goes on exactly where it was.
"""

from collections.abc import Callable
from pathlib import Path

from bgai.errors import InputError
from bgai.players.engines import BEST, engine
from bgai.players.opinions import opinion
from bgai.players.player import Player, decide
from bgai.program import apart
from bgai.rules.acts import Act, ActKind, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.dice import parse_roll
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result
from bgai.rules.play import Play
from bgai.sessions.dice import ManualDice, Pair, SeededDice
from bgai.sessions.session import Session
from bgai.sessions.session_file import SESSIONS
from bgai.ui.terminal import view
from bgai.ui.terminal.keys import (
    Typed,
    dice_typed,
    numbered_plays,
    play_typed,
    read_command,
    read_line,
)
from bgai.ui.terminal.opinions import hint_lines
from bgai.ui.terminal.screen import Screen
from bgai.ui.terminal.table import KeptTable, Leave
from bgai.ui.terminal.view import View
from bgai.ui.terminal.words import YOU

__all__ = ["Leave", "TerminalTable"]

_ALWAYS = ("undo", "board", "ids", "save", "quit", "help")


class _Changed(Exception):
    """A command given while dice were asked for has changed the state."""


class TerminalTable(KeptTable):
    """One session at one terminal; ``person`` is the seat of the one who types.

    ``opponent`` replaces the program that the other seat names.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        path: Path,
        *,
        person: int = 0,
        opponent: Player | None = None,
        path_is_ours: bool = False,
    ) -> None:
        super().__init__(screen, path, path_is_ours=path_is_ours)
        self.session = session
        self.person = person
        self.view = View(session, screen, person)
        self.bot = opponent or session.seats[1 - person].bot
        self.adviser = engine(BEST).bot
        self.notes: list[str] = []
        self.drawn: Game | None = None
        self.listed: list[tuple[Play, MakePlay]] = []
        if isinstance(session.dice, ManualDice):
            session.dice.ask = self._ask_dice

    @property
    def manual(self) -> bool:
        """Whether the dice are rolled on a real board."""
        return isinstance(self.session.dice, ManualDice)

    def run(self) -> None:
        """Play until the session is over. Raises ``Leave`` or ``InputEnded`` when it isn't."""
        self._save()
        while not self.session.is_over:
            try:
                self._step()
            except _Changed:
                continue
        if self.drawn != self.session.game:
            self._draw()
        self.screen.show(self.view.end())
        dice = self.session.dice
        if isinstance(dice, SeededDice):
            self.screen.show(f"The dice came from seed {dice.seed}.")

    def _step(self) -> None:
        game = self.session.game
        if game.is_over:
            self._ask(game)
        elif game.actor is None:
            self._roll()
        elif game.actor == self.person:
            self._person_to_act(game)
        else:
            with self.screen.busy(f"{self.session.seats[game.actor].name} is thinking ..."):
                act = apart(decide, self.bot, game)
            self._roll() if act is None else self._do(act)

    def _write(self, path: Path) -> None:
        SESSIONS.write(path, self.session)

    def _roll(self) -> None:
        self.session.roll()
        self._save()

    def _do(self, act: Act) -> None:
        self.session.do(act)
        self._save()

    def _draw(self) -> None:
        self.view.draw([play for play, _ in self.listed], self.notes + self.announced)
        self.notes, self.announced = [], []
        self.drawn = self.session.game

    # --- the person decides ------------------------------------------------------------------

    def _person_to_act(self, game: Game) -> None:
        if game.must_pass:
            self._do(MakePlay(game.plays[0]))
        elif game.phase is Phase.TURN and game.why_no_double() is not None and not self.manual:
            self._roll()
        else:
            self._ask(game)

    def _number_plays(self, game: Game) -> None:
        self.listed = numbered_plays(game) if game.phase is Phase.PLAY else []

    def _available(self, game: Game) -> tuple[str, ...]:
        if game.is_over:
            return ("next", *_ALWAYS)
        kinds = [kind.value for kind in game.legal_kinds() if kind is not ActKind.PLAY]
        more = ["plays"] if game.phase is Phase.PLAY else []
        if self.manual:
            kinds = [kind for kind in kinds if kind != "roll"]
            more += ["dice"] if game.phase is Phase.PLAY else []
        return (*kinds, *more, "hint", *_ALWAYS)

    def _ask(self, game: Game) -> None:
        """Show the board and ask until something has changed."""
        self._number_plays(game)
        self._draw()
        prompt = self._prompt(game)
        while not self._obeyed(self.screen.ask(prompt), game):
            pass

    def _prompt(self, game: Game) -> str:
        return view.prompt(game, len(self.listed), self.manual)

    def _obeyed(self, line: str, game: Game) -> bool:
        """Carry out a line; whether the state changed. What is wrong with it is said."""
        try:
            typed = read_command(line, self._available(game), game=game)
            return self._command(typed, game) if typed.word else self._plain(typed.rest, game)
        except InputError as error:
            return self._say(f"  {error}")

    def _plain(self, text: str, game: Game) -> bool:
        """A line that is no command: Enter, dice, a number of the list, a play."""
        if game.is_over and not text:
            return self._next_game()
        match game.phase:
            case Phase.TURN if self.manual:
                self._do(RollDice(parse_roll(text)))
            case Phase.TURN if not text:
                self._roll()
            case Phase.PLAY:
                self._do(play_typed(text, game, self.listed))
            case _:
                raise InputError(f"you can {', '.join(self._available(game))}")
        return True

    def _command(self, typed: Typed, game: Game) -> bool:
        rest = typed.rest
        commands: dict[str, Callable[[], bool]] = {
            "roll": lambda: self._plain("", game),
            "next": self._next_game,
            "undo": self._undo,
            "dice": lambda: self._correct_dice(rest),
            "quit": self._quit,
            "board": lambda: self._say(*self.view.board()),
            "plays": lambda: self._say(*self.view.list_plays([play for play, _ in self.listed])),
            "help": lambda: self._say(*view.help_lines(game, self._available(game))),
            "ids": lambda: self._say(*self.view.ids()),
            "save": lambda: self._save_as(rest),
            "hint": lambda: self._hint(game),
        }
        if typed.word in commands:
            return commands[typed.word]()
        if typed.word == "resign":
            self._do(Resign(self._level(rest, game)))
        elif typed.word in ("accept", "refuse"):
            self._do(Answer(typed.word))
        else:
            self._do(CubeAct(typed.word))
        return True

    def _hint(self, game: Game) -> bool:
        with self.screen.busy("thinking ..."):
            said = apart(opinion, self.adviser, game)
        numbers = [act.after.tobytes() for _, act in self.listed]
        return self._say(*hint_lines(said, game, numbers))

    def _level(self, text: str, game: Game) -> Result:
        levels = game.resignation_levels
        names = [level.name.lower() for level in levels]
        question = f"Resign what: {', '.join(names)}? (Enter to play on) "
        wanted = (text or self.screen.ask(question)).strip().lower()
        if not wanted:
            raise InputError("nothing is resigned")
        for level, name in zip(levels, names, strict=True):
            if name.startswith(wanted) or wanted == str(int(level)):
                return level
        raise InputError(f"'{wanted}' can't be resigned now, only: {', '.join(names)}")

    def _undo(self) -> bool:
        if not self.session.undo(self.person):
            raise InputError("there is no decision of yours to take back in this game")
        self.notes = ["Your last decision is taken back."]
        self._save()
        return True

    def _quit(self) -> bool:
        if self.session.game.is_over and self.session.terms.length is None:
            self.session.close()
            self._save()
            return True
        return super()._quit()

    def _next_game(self) -> bool:
        self.session.next_game()
        self._save()
        return True

    # --- dice entered by hand ----------------------------------------------------------------

    def _ask_dice(self, seat: int | None) -> Pair:
        """What the dice show; ``seat`` None for the opening roll. Commands work here too."""
        game = self.session.game
        self.listed = []
        self._draw()
        if seat is None and self.session.starter is not None:
            prompt = "Opening dice, e.g. 52 (the higher one starts as agreed): "
        elif seat is None:
            first, second = ("yours" if n == YOU else f"that of {n}" for n in self.view.names)
            prompt = f"Opening dice, {first} then {second}, e.g. 52: "
        else:
            prompt = f"Dice of {self.view.names[seat]}, e.g. 31: "
        while True:
            line = self.screen.ask(prompt)
            try:
                typed = read_line(line, _ALWAYS)
                if not typed.word:
                    return dice_typed(typed.rest)
                if typed.word not in _ALWAYS:
                    raise InputError(f"enter the dice, or {', '.join(_ALWAYS)}")
                if self._command(typed, game):
                    raise _Changed
            except InputError as error:
                self._say(f"  {error}")

    def _correct_dice(self, text: str) -> bool:
        dice = dice_typed(text) if text else None
        if not self.session.take_back_roll():
            raise InputError("no dice were entered just now")
        if dice is not None:
            opening = self.session.game.phase is Phase.OPENING
            self.session.do(OpeningDice(dice) if opening else RollDice(parse_roll(text)))
        self._save()
        return True
