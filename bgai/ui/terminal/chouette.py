"""A chouette at one terminal: people take turns at the keyboard, programs play between them."""

from collections.abc import Callable
from pathlib import Path

from bgai.errors import InputError
from bgai.notation.diagram import format_diagram
from bgai.notation.identifiers import format_gnu_id
from bgai.notation.play_text import format_play
from bgai.notation.situation import Seat as Side
from bgai.notation.xgid import format_xgid
from bgai.players.opinions import opinion
from bgai.players.situation import game_situation
from bgai.program import apart
from bgai.rules.acts import Answer, CubeAct, MakePlay, Resign
from bgai.rules.game import Game
from bgai.rules.play import Play
from bgai.sessions.chouette import CHOUETTES, Chouette
from bgai.sessions.chouette_game import BOX, TEAM, Ask, ChouetteAct, ChouetteGame, Hold, Waiting
from bgai.sessions.chouette_referee import consulted, decide
from bgai.sessions.dice import ManualDice, Pair, SeededDice
from bgai.ui.terminal import chouette_words as words
from bgai.ui.terminal.chouette_choices import (
    ALWAYS,
    WORDS,
    available_words,
    cubes_named,
    help_lines,
    pending_cubes,
    prompt_text,
)
from bgai.ui.terminal.keys import (
    Typed,
    dice_typed,
    level_typed,
    numbered_plays,
    play_typed,
    read_command,
    read_line,
)
from bgai.ui.terminal.opinions import opinion_lines
from bgai.ui.terminal.screen import Screen
from bgai.ui.terminal.table import KeptTable, Leave

_NEWS = 10
_ROWS = 10
_LISTED = 18


class ChouetteTable(KeptTable):
    """One chouette at one terminal, kept in the file ``path``."""

    def __init__(
        self, chouette: Chouette, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        super().__init__(screen, path, path_is_ours=path_is_ours)
        self.chouette = chouette
        self.names = [seat.name for seat in chouette.seats]
        self.bots = {
            number: seat.bot for number, seat in enumerate(chouette.seats) if seat.level is not None
        }
        self.has_people = len(self.bots) < len(chouette.seats)
        self.news = words.news_of(chouette, _NEWS)
        self.listed: list[tuple[Play, MakePlay]] = []
        if isinstance(chouette.dice, ManualDice):
            chouette.dice.ask = self._ask_dice

    def run(self) -> None:
        """Play until the chouette is over. Raises ``Leave`` or ``InputEnded`` when it isn't."""
        self._save()
        while not self.chouette.is_over:
            self._step()
        self._draw(BOX)
        self.screen.show("The chouette is over.", *words.sheet_lines(self.chouette, _ROWS))
        if isinstance(self.chouette.dice, SeededDice):
            self.screen.show(f"The dice came from seed {self.chouette.dice.seed}.")

    def _step(self) -> None:
        waiting = self.chouette.game.waiting
        if waiting is None:
            self._between_games()
        elif waiting.seat is None or waiting.seat in self.bots:
            self._program(waiting)
        else:
            self._person(waiting, waiting.seat)

    def _program(self, waiting: Waiting) -> None:
        act = None
        if waiting.seat is not None:
            with self.screen.busy(f"{self.names[waiting.seat]} is thinking ..."):
                act = apart(decide, self.bots, self.chouette.game)
        self._roll() if act is None else self._do(act)

    def _roll(self) -> None:
        before = self.chouette.game
        act = self.chouette.roll()
        self._tell(before, act)

    def _do(self, act: ChouetteAct) -> None:
        before = self.chouette.game
        self.chouette.do(act)
        self._tell(before, act)

    def _tell(self, before: ChouetteGame, act: ChouetteAct) -> None:
        said = words.happened(before, act, self.chouette.game, self.names)
        words.add_news(self.news, before, act, said)
        self._save()

    def _write(self, path: Path) -> None:
        CHOUETTES.write(path, self.chouette)

    # --- the screen --------------------------------------------------------------------------

    def _board_lines(self, side: int, game: Game | None = None) -> list[str]:
        """Heading, cubes and board, that side at the bottom."""
        state = self.chouette.game
        game = game or state.board
        box, player = words.side_names(state, self.names)
        names = {BOX: f"{box} (box)", TEAM: f"{player} (team)"}
        at = {side: Side.BOTTOM, 1 - side: Side.TOP}
        diagram = format_diagram(
            game_situation(game, bottom=side),
            view=Side.BOTTOM,
            names={at[seat]: name for seat, name in names.items()},
            ascii_only=self.screen.ascii_only,
            ids=False,
            numbered_for=Side.BOTTOM,
            decision="game over" if game.is_over else None,
        )
        return [words.heading(self.chouette), diagram, *words.cube_lines(state, self.names), ""]

    def _draw(self, side: int, game: Game | None = None) -> None:
        lines = self._board_lines(side, game)
        news = self.news if len(self.news) <= _NEWS else ["...", *self.news[-_NEWS:]]
        news += self.announced
        self.news, self.announced = [], []
        self.screen.clear()
        self.screen.show(*lines, *news)

    # --- a person decides ----------------------------------------------------------------------

    def _side(self, seat: int) -> int:
        return BOX if seat == self.chouette.game.box else TEAM

    def _person(self, waiting: Waiting, seat: int) -> None:
        game = waiting.game
        if waiting.ask is Ask.ROLL:
            self._roll()
            return
        if waiting.ask is Ask.PLAY and game.must_pass:
            self._do(ChouetteAct(MakePlay(game.plays[0])))
            return
        self.listed = numbered_plays(game) if waiting.ask is Ask.PLAY else []
        self._draw(self._side(seat), game)
        if 1 < len(self.listed) <= _LISTED:
            self.screen.show(*self._plays())
        elif self.listed and len(self.listed) > 1:
            self.screen.show(f"{len(self.listed)} legal plays; 'plays' lists them.")
        prompt = prompt_text(self.chouette.game, waiting, seat, self.names, self.listed)
        while not self._obeyed(self.screen.ask(prompt), waiting, seat):
            pass

    def _plays(self) -> list[str]:
        return self.screen.columns([format_play(play) for play, _ in self.listed])

    def _obeyed(self, line: str, waiting: Waiting, seat: int) -> bool:
        """Carry out a line; whether the state changed. What is wrong with it is said."""
        try:
            typed = read_command(line, available_words(waiting), WORDS)
            if not typed.word:
                return self._plain(typed.rest, waiting, seat)
            return self._command(typed, waiting, seat)
        except InputError as error:
            return self._say(f"  {error}")

    def _plain(self, text: str, waiting: Waiting, seat: int) -> bool:
        if waiting.ask is Ask.DOUBLE and not text:
            return self._double(seat, [])
        if waiting.ask is not Ask.PLAY:
            raise InputError(f"you can {', '.join(available_words(waiting))}")
        self._do(ChouetteAct(play_typed(text, waiting.game, self.listed)))
        return True

    def _command(self, typed: Typed, waiting: Waiting, seat: int) -> bool:
        rest = typed.rest
        commands: dict[str, Callable[[], bool]] = {
            "double": lambda: self._double(
                seat, cubes_named(rest, self.chouette.game, seat, self.names)
            ),
            "hold": lambda: self._double(seat, []),
            "opinions": lambda: self._opinions(waiting, seat),
            "plays": lambda: self._say(*self._plays()),
            "resign": lambda: self._resign(rest, waiting, seat),
            **self._general(rest, waiting.game, self._side(seat), available_words(waiting)),
        }
        if typed.word in commands:
            return commands[typed.word]()
        answer = Answer(typed.word) if typed.word in set(Answer) else CubeAct(typed.word)
        self._do(ChouetteAct(answer, waiting.cube))
        return True

    def _general(
        self, rest: str, game: Game, side: int, available: tuple[str, ...]
    ) -> dict[str, Callable[[], bool]]:
        situation = game_situation(game, bottom=side)
        return {
            "sheet": lambda: self._say(*words.sheet_lines(self.chouette)),
            "board": lambda: self._say(*self._board_lines(side, game)),
            "ids": lambda: self._say(format_xgid(situation), f"GNU ID {format_gnu_id(situation)}"),
            "save": lambda: self._save_as(rest),
            "quit": self._quit,
            "help": lambda: self._say(*help_lines(available)),
        }

    def _double(self, seat: int, chosen: list[int]) -> bool:
        """Double the cubes chosen and hold the others this seat was asked about."""
        for cube in pending_cubes(self.chouette.game, seat):
            if cube in chosen:
                self._do(ChouetteAct(CubeAct.DOUBLE, cube))
            else:
                self._do(ChouetteAct(Hold.HOLD, cube))
        return True

    def _opinions(self, waiting: Waiting, seat: int) -> bool:
        partners = [s for s in consulted(self.chouette.game, seat) if s in self.bots]
        with self.screen.busy("they are thinking ..."):
            said = [opinion(self.bots[s], waiting.game, self.names[s]) for s in partners]
        return self._say(*opinion_lines(said, waiting.game))

    def _resign(self, text: str, waiting: Waiting, seat: int) -> bool:
        """Offer to resign: the box to everybody, a member at their own cube."""
        level = level_typed(text, waiting.game)
        game = self.chouette.game
        side = self._side(seat)
        cubes = [cube for cube in game.open_cubes if game.speaker(cube, side) == seat]
        for cube in cubes:
            while self.chouette.game.waiting and self.chouette.game.waiting.ask is Ask.RESIGNATION:
                self._step()  # the one before is answered first
            each = self.chouette.game.games[cube]
            if level in each.resignation_levels:
                self._do(ChouetteAct(Resign(level), cube))
        return True

    # --- between games, dice by hand ---------------------------------------------------------

    def _between_games(self) -> None:
        if not self.has_people:
            self.chouette.next_game()
            return
        self._draw(BOX)
        self.screen.show("", *words.sheet_lines(self.chouette, _ROWS))
        prompt = f"{words.rotation_text(self.chouette)} Enter to go on, or end, quit, save: "
        while True:
            line = self.screen.ask(prompt).strip().lower()
            if not line:
                self.chouette.next_game()
            elif line == "end":
                self.chouette.close()
            elif line == "quit":
                raise Leave
            elif line.split()[0] in ("save", "sheet"):
                rest = line.partition(" ")[2]
                self._save_as(rest) if line.startswith("save") else self._say(
                    *words.sheet_lines(self.chouette)
                )
                continue
            else:
                self._say("  Enter starts the next game; end closes the chouette; quit leaves it")
                continue
            self._save()
            return

    def _ask_dice(self, seat: int | None) -> Pair:
        """What the dice of a real board show; ``seat`` None for the opening roll."""
        state = self.chouette.game
        self._draw(TEAM)
        if seat is None:
            box, player = words.side_names(state, self.names)
            prompt = f"Opening dice, that of {box} then that of {player}, e.g. 52: "
        else:
            prompt = f"Dice of {self.names[seat]}, e.g. 31: "
        while True:
            line = self.screen.ask(prompt)
            try:
                typed = read_line(line, ALWAYS, WORDS)
                if not typed.word:
                    return dice_typed(typed.rest)
                general = self._general(typed.rest, state.board, TEAM, ALWAYS)
                if typed.word not in general:
                    raise InputError(f"enter the dice, or {', '.join(ALWAYS)}")
                general[typed.word]()
            except InputError as error:
                self._say(f"  {error}")
