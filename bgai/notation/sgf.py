"""SGF files of backgammon (FF[4] GM[6]) in the dialect of GNU Backgammon.

One tree a game. Points are letters in one numbering for both players: White's 1 point is
``a``, Black's 24 point too, ``y`` the bar, ``z`` off. White is seat 0. GNU Backgammon's verdicts
(``A``, ``DA``) and luck (``LU``) are read and written by :mod:`bgai.notation.sgf_verdicts`. Refused
resignations have no place in this format.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bgai.notation.assembling import assemble
from bgai.notation.entries import (
    Entry,
    Kind,
    RawGame,
    RawMatch,
    Reading,
    entries_of,
    play_of,
)
from bgai.notation.record import MatchRecord, RecordedGame, RecordError
from bgai.notation.sgf_moves import letters_for, moves_of
from bgai.notation.sgf_verdicts import cube_of, plays_of, roll_of_node, verdicts_text
from bgai.notation.texts import LONGEST_GAME, MOST_GAMES, MOST_POINTS, excerpt, one_line, read_whole
from bgai.rules.acts import MakePlay
from bgai.rules.game import Ending

Node = dict[str, list[str]]

_INFO = {
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "DT": "date",
    "AN": "annotator",
    "GC": "comment",
}
_DEEPEST = 500
_SET_UP = ("AW", "AB", "AE")
_WORDS = {"double": Kind.DOUBLE, "take": Kind.TAKE, "drop": Kind.PASS, "pass": Kind.PASS}
_TOKEN = re.compile(r"\s*(?:([();\[])|([A-Za-z]+))")
_STOP = re.compile(r"[\\\]]")
_VARIATION = re.compile(r"(?:nack|hyper|long)gammon.*", re.IGNORECASE)


def read_sgf(text: str) -> Reading:
    """The match of an SGF text, and what was wrong in it. Raises ``RecordError``."""
    trees = _parse(text)
    if not trees:
        raise RecordError("not an SGF file: no game in it")
    root = trees[0][0]
    if root.get("GM", ["6"])[0] != "6":
        raise RecordError(f"an SGF file of game {root['GM'][0]}, not of backgammon (6)")
    about = _pairs(root)
    length = _number(about, "length")
    rules = _rules(root)
    info = {name: root[key][0] for key, name in _INFO.items() if root.get(key, [""])[0]}
    raw = RawMatch(
        (root.get("PW", ["White"])[0], root.get("PB", ["Black"])[0]),
        length or None,
        [_game(tree) for tree in trees],
        info,
        crawford_rule=not length or "Crawford" in rules or "CrawfordGame" in rules,
        jacoby="Jacoby" in rules,
        beavers="NoBeavers" not in rules,
        max_cube=next(
            (read_whole(rule[9:], 1 << 20) for rule in rules if rule.startswith("CubeLimit")), None
        ),
        variation=next((rule for rule in rules if _VARIATION.fullmatch(rule)), ""),
    )
    return assemble(raw)


def _parse(text: str) -> list[list[Node]]:
    """The main line of each tree. Raises ``RecordError`` naming the line."""
    trees: list[list[Node]] = []
    at = depth = 0
    skipping = 0  # inside a variation that is not the first
    ended = False  # the main line of this tree is over
    name = ""
    while (found := _TOKEN.match(text, at)) is not None:
        mark, word = found.groups()
        at = found.end()
        if mark == "(":
            depth += 1
            if depth > _DEEPEST:
                raise _too_much(text, at, f"{_DEEPEST} variations in each other")
            if len(trees) > MOST_GAMES:
                raise _too_much(text, at, f"{MOST_GAMES} games")
            if depth == 1:
                trees.append([])
                ended = False
            elif ended:
                skipping += 1
        elif mark == ")":
            depth -= 1
            skipping = max(skipping - 1, 0)
            ended = depth > 0
        elif mark == "[":
            value, at = _value(text, at)
            if depth > 0 and not skipping and trees[-1]:
                trees[-1][-1].setdefault(name, []).append(value)
        elif depth < 1 or skipping:
            continue
        elif mark == ";":
            if len(trees[-1]) > LONGEST_GAME:
                raise _too_much(text, at, f"{LONGEST_GAME} nodes in a game")
            trees[-1].append({})
        else:
            name = "".join(letter for letter in word if letter.isupper())
    rest = text[at : at + 100].strip() or text[at:].strip()
    if rest or depth:
        wrong = f"{excerpt(rest, 20)} is no SGF" if rest else "cut short"
        raise RecordError(f"line {_line(text, at)}: {wrong}")
    return [tree for tree in trees if tree]


def _value(text: str, at: int) -> tuple[str, int]:
    """The value whose bracket opened before ``at``, and where it ends."""
    parts = []
    start = at
    while (stop := _STOP.search(text, at)) is not None:
        at = stop.end()
        parts.append(text[start : stop.start()])
        if stop[0] == "]":
            return "".join(parts), at
        # A backslash keeps the character after it, and takes the end of a line away.
        start = at + (text[at : at + 1] == "\n")
        at += 1
    raise RecordError(f"line {_line(text, start)}: a '[' that nothing closes")


def _too_much(text: str, at: int, what: str) -> RecordError:
    return RecordError(f"line {_line(text, at)}: more than {what}")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _pairs(root: Node) -> dict[str, str]:
    return dict(pair.partition(":")[::2] for pair in root.get("MI", []))


def _rules(root: Node) -> list[str]:
    return root.get("RU", [""])[0].split(":")


def _number(about: dict[str, str], name: str) -> int:
    text = about.get(name, "0")
    number = read_whole(text, MOST_POINTS * MOST_GAMES)
    if number is None:
        raise RecordError(f"MI[{name}:{one_line(text, 20)}] is not a number")
    return number


def _game(tree: Sequence[Node]) -> RawGame:
    root, nodes = tree[0], tree[1:]
    about = _pairs(root)
    points = (_number(about, "ws"), _number(about, "bs"))
    length = _number(about, "length")
    entries: list[Entry] = []
    if any(key in root for key in _SET_UP):
        entries.append(Entry(Kind.ERROR, -1, moves="a set-up position is no game from the start"))
    rolled: Node = {}  # a node of the roll alone, which may tell its luck
    for number, node in enumerate(nodes, 1):
        if "LU" in rolled:
            node.setdefault("LU", rolled["LU"])
        rolled = node if "W" not in node and "B" not in node else {}
        entry = _entry(node, f"node {number}", number == len(nodes))
        if entry is not None:
            entries.append(entry)
    entries += _win(root)
    crawford = "CrawfordGame" in _rules(root) if length > 1 else None
    return RawGame(entries, points, crawford, root.get("C", [""])[0])


def _entry(node: Node, where: str, last: bool) -> Entry | None:
    if "W" not in node and "B" not in node:
        if any(key in node for key in _SET_UP):
            return Entry(Kind.ERROR, -1, where, moves="a position is set up in mid-game")
        return _dice_left(node, where) if last else None
    seat = 0 if "W" in node else 1
    value = node["WB"[seat]][0].strip()
    comment = node.get("C", [""])[0]
    if value in _WORDS:
        return Entry(
            _WORDS[value], seat, where, comment=comment, stored=cube_of(node), in_chances=True
        )
    resigned = re.fullmatch("resign(?::([1-3]))?", value)
    if resigned is not None:
        level = int(resigned[1] or 0)
        return Entry(Kind.RESIGN, seat, where, points=level, comment=comment)
    dice = (int(value[0]), int(value[1])) if re.match("[1-6]{2}", value) else None
    letters = value[2:]
    if dice is None or len(letters) % 2 or not re.fullmatch("[a-z]{0,32}", letters):
        return Entry(Kind.ERROR, seat, where, dice, f"{excerpt(value)} is no play")
    moves = moves_of(letters, seat)
    return Entry(
        Kind.ROLL, seat, where, dice, moves, comment=comment, complete=True,
        stored=plays_of(node, seat), before=roll_of_node(node), in_chances=True,
    )  # fmt: skip


def _dice_left(node: Node, where: str) -> Entry | None:
    """Dice rolled at the end of a game and not played: ``PL[W]DI[61]``."""
    player, dice = node.get("PL", [""])[0].strip(), node.get("DI", [""])[0].strip()
    if player not in ("W", "B") or not re.fullmatch("[1-6]{2}", dice):
        return None
    comment = node.get("C", [""])[0]
    pair = (int(dice[0]), int(dice[1]))
    return Entry(Kind.ROLL, "WB".index(player), where, pair, None, comment=comment)


def _win(root: Node) -> Iterator[Entry]:
    found = re.fullmatch(r"([WB])\+([0-9]{1,9})(R?)", root.get("RE", [""])[0].strip())
    if found:
        yield Entry(Kind.WIN, "WB".index(found[1]), "RE", points=int(found[2]))


def write_sgf(record: MatchRecord) -> str:
    """The SGF text of a match. Raises ``RecordError`` for what the format can't say."""
    won = [0, 0]
    trees = []
    for number, game in enumerate(record.games):
        points = game.standing.points
        if record.terms.length is None:
            if number == 0:
                won = [max(each, 0) for each in points]
            points = (won[0], won[1])
        trees.append(_tree(record, game, number, points))
        if game.result is not None:
            won[game.result.winner] += game.result.points
    return "\n".join(trees) + "\n"


def _tree(record: MatchRecord, game: RecordedGame, number: int, points: tuple[int, int]) -> str:
    nodes = [_root(record, game, number, points)]
    for entry in _split_entries(record, game):
        text = _node(entry)
        if text is not None:
            comment = f"C[{_escaped(entry.comment)}]" if entry.comment else ""
            nodes.append(f";{text}{verdicts_text(entry)}{comment}")
    return "(" + "\n".join(nodes) + ")"


def _root(record: MatchRecord, game: RecordedGame, number: int, points: tuple[int, int]) -> str:
    terms = record.terms
    fields = [
        "FF[4]GM[6]CA[UTF-8]AP[bgai]",
        f"MI[length:{terms.length or 0}][game:{number}][ws:{points[0]}][bs:{points[1]}]",
        f"PW[{_escaped(record.players[0])}]PB[{_escaped(record.players[1])}]",
    ]
    if number == 0:
        fields += [
            f"{key}[{_escaped(record.info[name])}]"
            for key, name in _INFO.items()
            if record.info.get(name)
        ]
    rules = []
    if terms.length is None:
        rules += ["Jacoby"] * terms.rules.jacoby + ["NoBeavers"] * (not terms.rules.beaver_turns)
    elif _plays_crawford(record):
        rules += ["Crawford"] + ["CrawfordGame"] * (game.standing.crawford and terms.length > 1)
    if terms.rules.max_cube is not None:
        rules.append(f"CubeLimit{terms.rules.max_cube}")
    if rules:
        fields.append(f"RU[{':'.join(rules)}]")
    if game.result is not None:
        resigned = "R" if game.result.ending is Ending.RESIGNED else ""
        fields.append(f"RE[{'WB'[game.result.winner]}+{game.result.points}{resigned}]")
    if -1 in game.comments:
        fields.append(f"C[{_escaped(game.comments[-1])}]")
    return ";" + "".join(fields)


def _plays_crawford(record: MatchRecord) -> bool:
    last = (record.terms.length or 0) - 1
    reached = [game.standing for game in record.games if last in game.standing.points]
    return not reached or any(standing.crawford for standing in reached)


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", text)


def _split_entries(record: MatchRecord, game: RecordedGame) -> Iterator[Entry]:
    """The entries with each play spelled out move by move, as letters need it."""
    plays = iter(_letter_plays(record, game))
    for entry in entries_of(game, record.terms):
        if entry.kind is Kind.ROLL and entry.moves:
            yield replace(entry, moves=next(plays))
        else:
            yield entry


def _letter_plays(record: MatchRecord, game: RecordedGame) -> Iterator[str]:
    for state, act in game.states(record.terms):
        play = play_of(state, act) if isinstance(act, MakePlay) else None
        if play:
            yield letters_for(state, play)


def _node(entry: Entry) -> str | None:
    """The property of an entry, None for the win at the end, which is the root's."""
    player = "WB"[entry.seat]
    match entry.kind:
        case Kind.ROLL | Kind.ERROR if entry.dice is not None:
            dice = f"{max(entry.dice)}{min(entry.dice)}"
            if entry.kind is Kind.ROLL and entry.moves is None:
                return f"PL[{player}]DI[{dice}]"  # nobody played them
            return f"{player}[{dice}{'?' if entry.kind is Kind.ERROR else entry.moves}]"
        case Kind.ERROR:
            return f"{player}[?]"
        case Kind.DOUBLE:
            return f"{player}[double]"
        case Kind.TAKE:
            return f"{player}[take]"
        case Kind.PASS:
            return f"{player}[drop]"
        case _:
            return None
