"""bgai as GNU Backgammon's external player: a server that answers its questions.

    set player 0 external localhost:1234        (typed in GNU Backgammon)

GNU Backgammon connects when it first needs a decision, sends a line and waits for one:
``roll``, ``double`` or ``resign normal`` before the dice, a play such as ``8/5 6/5`` after them
(an empty line where none is legal), ``take``, ``drop`` or ``beaver`` when doubled. Each
connection is served until it is closed; several may be open at once.
"""

import socketserver
from collections.abc import Callable
from dataclasses import replace

from bgai.errors import InputError
from bgai.notation.play_text import format_play
from bgai.players.external_board import ExternalBoard, board_game, parse_board
from bgai.players.player import Player, decide
from bgai.rules.acts import Answer, CubeAct, Resign
from bgai.rules.cube import HouseRules
from bgai.rules.game import Game, Phase
from bgai.rules.outcome import Result
from bgai.rules.play import recover_play

LONGEST_LINE = 4096
Log = Callable[[str], None]

_CUBE = {
    CubeAct.DOUBLE: "double",
    CubeAct.TAKE: "take",
    CubeAct.PASS: "drop",
    CubeAct.BEAVER: "beaver",
    CubeAct.RACCOON: "beaver",
}
_LEVELS = {
    Result.SINGLE: "resign normal",
    Result.GAMMON: "resign gammon",
    Result.BACKGAMMON: "resign backgammon",
}


class Conversation:
    """The questions of one connection, answered in order.

    It remembers its last answer: a resignation was refused when the same question comes again,
    and a question about a double right after ``beaver`` is about a raccoon.
    """

    def __init__(self, player: Player, rules: HouseRules) -> None:
        self.player = player
        self.rules = rules
        self._asked = ""
        self._resigned: Result | None = None
        self._redoubles: int | None = None

    def answer(self, line: str) -> str:
        """The answer to one line, without its end. Raises ``InputError``."""
        board = parse_board(line)
        game = board_game(board, self.rules, redoubles=self._redoubles_of(board))
        if line == self._asked:
            game = replace(game, refused=self._resigned)
        else:
            self._resigned = None
        self._asked = line
        return self._decide(game)

    def _redoubles_of(self, board: ExternalBoard) -> int | None:
        """Beavers so far where it was this player's turn to answer before, else None."""
        count = self._redoubles
        self._redoubles = None
        return count + 1 if board.doubled and count is not None else None

    def _decide(self, game: Game) -> str:
        if game.phase is Phase.PLAY:
            if game.must_pass:
                return ""
            assert game.roll is not None
            after = game.plays[0]
            if len(game.plays) > 1:
                after = self.player.choose_play(game).after
            return format_play(recover_play(game.position, after, game.roll))
        act = decide(self.player, game)
        match act:
            case None:
                return "roll"
            case Resign(level):
                self._resigned = level
                return _LEVELS[level]
            case CubeAct() as turned:
                if turned in (CubeAct.BEAVER, CubeAct.RACCOON):
                    self._redoubles = game.redoubles + 1
                return _CUBE[turned]
            case Answer():
                return act.value
            case _:
                raise InputError(f"no answer for {act.kind}")


class ExternalServer(socketserver.ThreadingTCPServer):
    """Serves GNU Backgammon on a port; ``serve_forever`` until ``shutdown``.

    ``make_player`` gives each connection a player of its own. ``log`` gets every question and
    answer.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        make_player: Callable[[], Player],
        rules: HouseRules | None = None,
        log: Log | None = None,
    ) -> None:
        """Port 0 takes any free one, see ``server_address``. Raises ``InputError``."""
        self.make_player = make_player
        self.rules = rules or HouseRules()
        self.log = log or (lambda text: None)
        try:
            super().__init__(address, _Handler)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"can't listen on {address[0]}:{address[1]}: {reason}") from None


class _Handler(socketserver.StreamRequestHandler):
    server: ExternalServer

    def handle(self) -> None:
        server = self.server
        server.log(f"connected: {self.client_address[0]}")
        conversation = Conversation(server.make_player(), server.rules)
        while line := self.rfile.readline(LONGEST_LINE):
            text = line.decode("utf-8", "replace").strip("\0\r\n ")
            if not text:
                continue
            try:
                answer = conversation.answer(text)
            except InputError as error:
                server.log(f"{text}\n  error: {error}")
                break  # GNU Backgammon would wait for an answer that can't come
            server.log(f"{text}\n  {answer or '(no legal play)'}")
            self.wfile.write(answer.encode() + b"\n")
        server.log("closed")
