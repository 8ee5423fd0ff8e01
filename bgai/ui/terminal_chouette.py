"""A chouette at one terminal: people take turns at the keyboard, programs play between them."""

from collections.abc import Callable
from pathlib import Path

from bgai.errors import InputError
from bgai.notation.diagram import format_diagram
from bgai.notation.identifiers import format_gnu_id, format_xgid
from bgai.notation.play_text import format_play, parse_play
from bgai.notation.situation import Seat as Side
from bgai.rules.acts import Answer, CubeAct, MakePlay, Resign
from bgai.rules.game import Game
from bgai.rules.outcome import Result
from bgai.rules.play import Play, recover_play
from bgai.table.chouette import Chouette, save_chouette
from bgai.table.chouette_game import BOX, TEAM, Ask, ChouetteAct, ChouetteGame, Hold, Waiting
from bgai.table.chouette_referee import consulted, decide
from bgai.table.dice import ManualDice, Pair, SeededDice
from bgai.table.levels import make_bot
from bgai.table.opinions import opinion
from bgai.table.situation import game_situation
from bgai.ui import chouette_words as words
from bgai.ui.terminal import Leave
from bgai.ui.terminal_input import HELP, Typed, read_line
from bgai.ui.terminal_opinions import opinion_lines
from bgai.ui.terminal_screen import Screen
from bgai.ui.terminal_words import says

WORDS = {
    **HELP,
    "double": "double your cube; the box: double, double all or double NAME NAME",
    "hold": "don't double this turn (or just Enter)",
    "opinions": "what the programs on your side think, with numbers",
    "sheet": "the score sheet",
}
_ALWAYS = ("sheet", "board", "ids", "save", "quit", "help")
_NEWS = 10
_ROWS = 10
_LISTED = 18


class ChouetteTable:
    """One chouette at one terminal, kept in the file ``path``."""

    def __init__(
        self, chouette: Chouette, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        self.chouette = chouette
        self.screen = screen
        self.path = path
        self.path_is_ours = path_is_ours
        self.names = [seat.name for seat in chouette.seats]
        self.bots = {
            number: make_bot(seat.level, seat.seed)
            for number, seat in enumerate(chouette.seats)
            if seat.level is not None
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
                act = decide(self.bots, self.chouette.game)
        self._throw() if act is None else self._do(act)

    def _throw(self) -> None:
        before = self.chouette.game
        act = self.chouette.throw()
        self._tell(before, act)

    def _do(self, act: ChouetteAct) -> None:
        before = self.chouette.game
        self.chouette.do(act)
        self._tell(before, act)

    def _tell(self, before: ChouetteGame, act: ChouetteAct) -> None:
        said = words.happened(before, act, self.chouette.game, self.names)
        words.add_news(self.news, before, act, said)
        self._save()

    def _save(self) -> None:
        save_chouette(self.chouette, self.path)

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
        self.news = []
        self.screen.clear()
        self.screen.show(*lines, *news)

    # --- a person decides ----------------------------------------------------------------------

    def _side(self, seat: int) -> int:
        return BOX if seat == self.chouette.game.box else TEAM

    def _person(self, waiting: Waiting, seat: int) -> None:
        game = waiting.game
        if waiting.ask is Ask.THROW:
            self._throw()
            return
        if waiting.ask is Ask.PLAY and game.must_pass:
            self._do(ChouetteAct(MakePlay(game.plays[0])))
            return
        self._number_plays(waiting)
        self._draw(self._side(seat), game)
        if 1 < len(self.listed) <= _LISTED:
            self.screen.show(*self._plays())
        elif self.listed and len(self.listed) > 1:
            self.screen.show(f"{len(self.listed)} legal plays; 'plays' lists them.")
        prompt = self._prompt(waiting, seat)
        while not self._obeyed(self.screen.ask(prompt), waiting, seat):
            pass

    def _number_plays(self, waiting: Waiting) -> None:
        game = waiting.game
        self.listed = []
        if waiting.ask is Ask.PLAY and game.throw is not None:
            made = [(recover_play(game.position, each, game.throw), each) for each in game.plays]
            made.sort(key=lambda pair: pair[0], reverse=True)
            self.listed = [(play, MakePlay(after)) for play, after in made]

    def _plays(self) -> list[str]:
        return self.screen.columns([format_play(play) for play, _ in self.listed])

    def _pending(self, seat: int) -> list[int]:
        """The cubes this seat may turn now."""
        game = self.chouette.game
        return [
            cube
            for cube in game.open_cubes
            if cube not in game.held
            and game.games[cube].why_no_double() is None
            and game.speaker(cube, game.games[cube].turn) == seat
        ]

    def _prompt(self, waiting: Waiting, seat: int) -> str:
        name, game = self.names[seat], waiting.game
        match waiting.ask:
            case Ask.DOUBLE if seat == self.chouette.game.box:
                cubes = ", ".join(self._cube_label(cube) for cube in self._pending(seat))
                return f"{name}: double {cubes}? Enter for none, or double all / NAMES (help): "
            case Ask.DOUBLE:
                return f"{name}: Enter for no double, or double to {2 * game.cube_value} (help): "
            case Ask.ANSWER:
                assert waiting.cube is not None
                who = words.side_names(self.chouette.game, self.names, waiting.cube)
                offer = says(who[1 if seat == self.chouette.game.box else 0], "offer")
                choices = ", ".join(kind.value for kind in game.legal_kinds())
                return f"{name}: {offer} the cube at {game.offered_value}: {choices}? "
            case Ask.RESIGNATION:
                assert game.offer is not None
                return f"{name}: resignation of {game.points_for(game.offer)}: accept or refuse? "
        if len(self.listed) == 1:
            only = format_play(self.listed[0][0])
            return f"{name}: only {only}; Enter to play it (help): "
        return f"{name}: your play of {game.throw}, its number or typed (help): "

    def _cube_label(self, cube: int) -> str:
        game = self.chouette.game
        holders = game.holders[cube]
        who = "the team" if len(holders) > 1 else self.names[holders[0]]
        return f"{who} to {2 * game.games[cube].cube_value}"

    def _available(self, waiting: Waiting) -> tuple[str, ...]:
        game = waiting.game
        first: tuple[str, ...]
        match waiting.ask:
            case Ask.DOUBLE:
                first = ("double", "hold")
            case Ask.PLAY:
                first = ("plays",)
            case _:
                first = tuple(kind.value for kind in game.legal_kinds())
        resign = ("resign",) if game.resignation_levels else ()
        return (*first, *resign, "opinions", *_ALWAYS)

    def _obeyed(self, line: str, waiting: Waiting, seat: int) -> bool:
        """Carry out a line; whether the state changed. What is wrong with it is said."""
        try:
            available = self._available(waiting)
            typed = read_line(line, available, WORDS)
            if not typed.word:
                return self._plain(typed.rest, waiting, seat)
            if typed.word not in available:
                raise InputError(
                    f"{typed.word} is not possible now: you can {', '.join(available)}"
                )
            return self._command(typed, waiting, seat)
        except InputError as error:
            return self._say(f"  {error}")

    def _plain(self, text: str, waiting: Waiting, seat: int) -> bool:
        if waiting.ask is Ask.DOUBLE and not text:
            return self._double(seat, [])
        if waiting.ask is not Ask.PLAY:
            raise InputError(f"you can {', '.join(self._available(waiting))}")
        self._do(ChouetteAct(self._chosen(text, waiting.game)))
        return True

    def _chosen(self, text: str, game: Game) -> MakePlay:
        if not text and len(self.listed) == 1:
            return self.listed[0][1]
        if not text:
            raise InputError("type a play such as 8/5 6/5, or its number ('plays' lists them)")
        if text.isdigit():
            if not 1 <= int(text) <= len(self.listed):
                raise InputError(f"there is no play {text}: the list has 1 to {len(self.listed)}")
            return self.listed[int(text) - 1][1]
        assert game.throw is not None
        wanted = parse_play(text, game.position, game.throw)
        return next(act for play, act in self.listed if play == wanted)

    def _command(self, typed: Typed, waiting: Waiting, seat: int) -> bool:
        rest = typed.rest
        commands: dict[str, Callable[[], bool]] = {
            "double": lambda: self._double(seat, self._wanted(rest, seat)),
            "hold": lambda: self._double(seat, []),
            "opinions": lambda: self._opinions(waiting, seat),
            "plays": lambda: self._say(*self._plays()),
            "resign": lambda: self._resign(rest, waiting, seat),
            **self._general(rest, waiting.game, self._side(seat), self._available(waiting)),
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
            "help": lambda: self._say(*_help_lines(available)),
        }

    def _say(self, *lines: str) -> bool:
        self.screen.show(*lines)
        return False

    def _wanted(self, text: str, seat: int) -> list[int]:
        """The cubes meant by the names after ``double``. Raises ``InputError``."""
        pending = self._pending(seat)
        if seat != self.chouette.game.box or text.lower() in ("", "all"):
            return pending
        holders = self.chouette.game.holders
        byname = {self.names[holders[cube][0]].lower(): cube for cube in pending}
        left, cubes = text.lower().replace(",", " ").strip(), []
        for name in sorted(byname, key=len, reverse=True):
            if f" {name} " in f" {left} ":
                cubes.append(byname[name])
                left = f" {left} ".replace(f" {name} ", " ", 1).strip()
        if left:
            raise InputError(f"'{left}' can't be doubled now, only: {', '.join(byname)}")
        return cubes

    def _double(self, seat: int, chosen: list[int]) -> bool:
        """Double the cubes chosen and hold the others this seat was asked about."""
        for cube in self._pending(seat):
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
        level = self._level(text, waiting.game)
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

    def _level(self, text: str, game: Game) -> Result:
        names = {level.name.lower(): level for level in game.resignation_levels}
        wanted = text.strip().lower()
        for name, level in names.items():
            if wanted and (name.startswith(wanted) or wanted == str(int(level))):
                return level
        raise InputError(f"resign what? Type resign with one of: {', '.join(names)}")

    def _save_as(self, text: str) -> bool:
        path = Path(text).expanduser().absolute() if text else self.path
        try:
            save_chouette(self.chouette, path)
        except OSError as error:
            raise InputError(f"can't save in {path}: {error.strerror}") from None
        if path != self.path and self.path_is_ours:
            self.path.unlink(missing_ok=True)
        if path != self.path:
            self.path, self.path_is_ours = path, False
        return self._say(f"Saved in {path}")

    def _quit(self) -> bool:
        raise Leave

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
        """What the dice of a real board show; ``seat`` None for the opening throw."""
        from bgai.ui.terminal import _pair

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
                typed = read_line(line, _ALWAYS, WORDS)
                if not typed.word:
                    return _pair(typed.rest)
                general = self._general(typed.rest, state.board, TEAM, _ALWAYS)
                if typed.word not in general:
                    raise InputError(f"enter the dice, or {', '.join(_ALWAYS)}")
                general[typed.word]()
            except InputError as error:
                self._say(f"  {error}")


def _help_lines(available: tuple[str, ...]) -> list[str]:
    lines = [f"  {word:<8} {WORDS[word]}" for word in available]
    return [*lines, "A play: its number in the list, or from/to such as 8/5 6/5, bar/20, 6/off."]
