"""Table mode at the terminal: two people at a real board tell what happens there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bgai.errors import InputError
from bgai.notation.diagram import format_diagram
from bgai.notation.play_text import AmbiguousPlayError, format_play, parse_moves, parse_play
from bgai.notation.situation import Seat as Side
from bgai.players.situation import game_situation
from bgai.rules.acts import Answer, CubeAct, OpeningDice, Resign
from bgai.rules.dice import parse_roll
from bgai.rules.game import Game, Phase
from bgai.rules.play import PlayError, apply_play, recover_play
from bgai.rules.position import Positions, swap_sides
from bgai.sessions.table_mode import Cocked, Incident, IncidentKind, Made, Rolled, Sign
from bgai.sessions.table_session import TABLES, TableSession
from bgai.ui.terminal import words
from bgai.ui.terminal.keys import Typed, dice_typed, level_typed, read_command
from bgai.ui.terminal.screen import Screen
from bgai.ui.terminal.table import KeptTable

WORDS = {
    "cocked": "the dice lie wrong: both are rolled again",
    "double": "the player on turn offers the cube",
    "take": "accept the cube",
    "pass": "give up the game at the value before the double",
    "beaver": "redouble at once and keep the cube",
    "raccoon": "redouble at once after a beaver",
    "pick": "the dice are picked up: the turn is over (or just Enter)",
    "early": "early 64: the opponent rolled before the dice were picked up",
    "accept": "accept the faulty play as made, or the resignation",
    "demand": "a legal play must be made instead",
    "refuse": "refuse the resignation",
    "resign": "the player on turn offers to resign: resign single, gammon or backgammon",
    "plays": "list the legal plays",
    "incidents": "what happened so far that the strict rules don't know",
    "undo": "strike the last line (a slip in typing)",
    "next": "start the next game (or just Enter)",
    "end": "end a money session",
    "board": "draw the board again",
    "save": "save FILE keeps the record in that file from now on",
    "quit": "stop; the record is saved and bgai play --resume goes on with it",
    "help": "this list",
}
_ALWAYS = ("incidents", "undo", "board", "save", "quit", "help")


def incident_text(incident: Incident, names: Sequence[str]) -> str:
    """One sentence about an incident."""
    who = "The opening dice" if incident.seat is None else names[incident.seat]
    roll, fault = incident.roll, incident.fault
    match incident.kind:
        case IncidentKind.COCKED:
            dice = who if incident.seat is None else f"{who}'s dice"
            return f"{dice} lay wrong and were rolled again."
        case IncidentKind.VOID:
            return f"{who} rolled {roll} too early: void."
        case IncidentKind.STANDS:
            return f"{who} rolled {roll} too early; it stands, {incident.why}."
        case IncidentKind.ACCEPTED:
            return f"{who}'s {fault} play of {roll} counts as made: {incident.why}."
    return f"{who}'s play of {roll} was {fault}: a legal one was demanded."


class RealBoard(KeptTable):
    """One session in table mode, kept in the file ``path``."""

    def __init__(
        self, session: TableSession, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        super().__init__(screen, path, path_is_ours=path_is_ours)
        self.session = session
        self.told = len(session.incidents)

    @property
    def names(self) -> tuple[str, str]:
        return self.session.names

    def run(self) -> None:
        """Note what happens until the session is over. Raises ``Leave`` when it isn't."""
        self._save()
        while not self.session.is_over:
            self._draw()
            prompt = self._prompt()
            while not self._obeyed(self.screen.ask(prompt)):
                pass
            self._save()
        self._draw()
        end = words.end_text(self.session.terms, self.session.standing, self.names)
        self.screen.show(end, *self._incident_lines())

    def _write(self, path: Path) -> None:
        TABLES.write(path, self.session)

    # --- the screen --------------------------------------------------------------------------

    def _board_lines(self) -> list[str]:
        table, game = self.session.table, self.session.game
        shown = game
        if table.made is not None:
            shown = replace(game, position=swap_sides(table.made))
        diagram = format_diagram(
            game_situation(shown),
            view=Side.BOTTOM,
            names={Side.BOTTOM: self.names[0], Side.TOP: self.names[1]},
            ascii_only=self.screen.ascii_only,
            ids=False,
            decision="game over" if game.is_over else None,
        )
        number = self.session.game_number
        return [words.heading(self.session.terms, game, number, self.names), diagram, ""]

    def _draw(self) -> None:
        lines = self._board_lines()
        incidents = self.session.incidents
        self.told = min(self.told, len(incidents))
        lines += [f"Noted: {incident_text(i, self.names)}" for _, i in incidents[self.told :]]
        self.told = len(incidents)
        game = self.session.game
        if game.is_over:
            lines.append(words.outcome_text(game, self.names))
            score = words.score_text(self.session.terms, self.session.standing, self.names)
            lines.append(f"{score}.")
        self.screen.clear()
        self.screen.show(*lines, *self.announced)
        self.announced = []

    def _prompt(self) -> str:
        table, game = self.session.table, self.session.game
        mover, other = self.names[game.turn], self.names[1 - game.turn]
        if game.is_over:
            return "Enter for the next game (or end, undo, save, quit, help): "
        if table.waits_for_claim:
            then = "" if table.early else f", or {other}'s dice or double, which accept it"
            return f"{mover}'s play is {table.fault}. {other}: accept or demand{then} (help): "
        match game.phase:
            case Phase.OPENING:
                return f"Opening dice, {self.names[0]}'s then {self.names[1]}'s, or cocked (help): "
            case Phase.TURN:
                double = "" if game.why_no_double() else ", double"
                return f"{mover}'s dice, e.g. 31, or cocked{double} (help): "
            case Phase.PLAY:
                return self._play_prompt(mover)
            case Phase.DOUBLED:
                assert game.actor is not None
                choices = ", ".join(kind.value for kind in game.legal_kinds())
                offered = f"the cube at {game.offered_value}"
                return f"{self.names[game.actor]} is offered {offered}: {choices} (help): "
        assert game.offer is not None
        worth = words.points_text(game.points_for(game.offer))
        return f"{mover} resigns {worth}. {other}: accept or refuse (help): "

    def _play_prompt(self, mover: str) -> str:
        table, game = self.session.table, self.session.game
        if table.made is not None:
            return f"{mover}: Enter picks up the dice; or the play as it is now, or early (help): "
        if game.must_pass:
            return f"{mover} can't move {game.roll}: Enter picks up the dice (help): "
        demanded = "a legal play" if table.demanded else "the play as made"
        return f"{mover} has {game.roll}: {demanded}, e.g. 8/5 6/5 (help): "

    # --- what is typed -----------------------------------------------------------------------

    def _available(self) -> tuple[str, ...]:
        table, game = self.session.table, self.session.game
        if game.is_over:
            money = () if game.standing.is_match else ("end",)
            return ("next", *money, *_ALWAYS)
        if table.waits_for_claim:
            return ("accept", "demand", "cocked", "double", "plays", *_ALWAYS)
        resign = ("resign",) if game.resignation_levels else ()
        match game.phase:
            case Phase.OPENING:
                return ("cocked", *_ALWAYS)
            case Phase.TURN:
                double = () if game.why_no_double() else ("double",)
                return ("cocked", *double, *resign, *_ALWAYS)
            case Phase.PLAY:
                return ("pick", "early", "plays", *resign, *_ALWAYS)
        return (*(kind.value for kind in game.legal_kinds()), *_ALWAYS)

    def _obeyed(self, line: str) -> bool:
        """Carry out a line; whether the state changed. What is wrong with it is said."""
        try:
            typed = read_command(line, self._available(), WORDS, self.session.game)
            return self._command(typed) if typed.word else self._plain(typed.rest)
        except InputError as error:
            return self._say(f"  {error}")

    def _plain(self, text: str) -> bool:
        table, game = self.session.table, self.session.game
        if game.is_over and not text:
            self.session.next_game()
        elif game.is_over:
            raise InputError(f"you can {', '.join(self._available())}")
        elif table.waits_for_claim:
            self.session.do(Rolled(1 - game.turn, parse_roll(text)))
        elif game.phase is Phase.OPENING:
            self.session.do(OpeningDice(dice_typed(text)))
        elif game.phase is Phase.TURN:
            self.session.do(Rolled(game.turn, parse_roll(text)))
        elif game.phase is Phase.PLAY:
            self._play(text)
        else:
            raise InputError(f"you can {', '.join(self._available())}")
        return True

    def _play(self, text: str) -> None:
        table, game = self.session.table, self.session.game
        if text:
            self.session.do(Made(position_made(text, game)))
        elif table.made is None and not game.must_pass:
            raise InputError("type the play as made; pick picks up the dice without a move")
        else:
            self.session.do(Sign.PICK_UP)

    def _command(self, typed: Typed) -> bool:
        rest, session = typed.rest, self.session
        game = session.game
        commands: dict[str, Callable[[], object]] = {
            "cocked": lambda: session.do(Cocked(self._roller())),
            "pick": lambda: session.do(Sign.PICK_UP),
            "early": lambda: session.do(Rolled(1 - game.turn, parse_roll(rest))),
            "demand": lambda: session.do(Sign.DEMAND_PLAY),
            "accept": self._accept,
            "refuse": lambda: session.do(Answer.REFUSE),
            "resign": lambda: session.do(Resign(level_typed(rest, game))),
            "undo": self._undo,
            "next": session.next_game,
            "end": session.close,
        }
        shown: dict[str, Callable[[], bool]] = {
            "plays": lambda: self._say(*self._plays()),
            "incidents": lambda: self._say(*self._incident_lines()),
            "board": lambda: self._say(*self._board_lines()),
            "save": lambda: self._save_as(rest),
            "help": lambda: self._say(*(f"  {w:<9} {WORDS[w]}" for w in self._available())),
            "quit": self._quit,
        }
        if typed.word in shown:
            return shown[typed.word]()
        if typed.word in commands:
            commands[typed.word]()
        else:
            session.do(CubeAct(typed.word))
        return True

    def _roller(self) -> int | None:
        table, game = self.session.table, self.session.game
        if game.phase is Phase.OPENING:
            return None
        return 1 - game.turn if table.waits_for_claim else game.turn

    def _accept(self) -> None:
        claim = self.session.table.waits_for_claim
        self.session.do(Sign.ACCEPT_PLAY if claim else Answer.ACCEPT)

    def _undo(self) -> None:
        if not self.session.take_back():
            raise InputError("there is nothing to strike in this game")

    def _plays(self) -> list[str]:
        game = self.session.game
        if game.must_pass or game.roll is None:
            return ["There is no legal play."]
        texts = [format_play(recover_play(game.position, p, game.roll)) for p in game.plays]
        return self.screen.columns(texts)

    def _incident_lines(self) -> list[str]:
        lines = [
            f"  game {number}: {incident_text(incident, self.names)}"
            for number, incident in self.session.incidents
        ]
        return lines or ["  No incidents."]


def position_made(text: str, game: Game) -> Positions:
    """The position after a play as typed, legal or not, the opponent on roll.

    A legal play is read as always; anything else move by move as written. Raises
    ``InputError`` where checkers can't have moved like that.
    """
    assert game.roll is not None
    try:
        play = parse_play(text, game.position, game.roll)
    except AmbiguousPlayError:
        raise
    except PlayError:
        play = parse_moves(text)
    return apply_play(game.position, play)
