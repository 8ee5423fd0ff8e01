"""SGF files of backgammon (FF[4] GM[6]) in the dialect of GNU Backgammon.

One tree a game. Points are letters in one numbering for both players: White's 1 point is
``a``, Black's 24 point too, ``y`` the bar, ``z`` off. White is seat 0. Analysis (``A``, ``DA``,
``LU`` ...) is skipped on reading. Refused resignations have no place in this format.
"""

import re
from collections.abc import Iterator, Sequence

from bgai.notation.entries import (
    Entry,
    Kind,
    RawGame,
    RawMatch,
    Reading,
    assemble,
    entries_of,
)
from bgai.notation.record import MatchRecord, RecordedGame, RecordError
from bgai.rules.acts import MakePlay
from bgai.rules.game import Ending
from bgai.rules.play import recover_play

Node = dict[str, list[str]]

_INFO = {
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "DT": "date",
    "AN": "annotator",
    "GC": "comment",
}
_SET_UP = ("AW", "AB", "AE")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\\\]])*)\])", re.DOTALL)


def read_sgf(text: str) -> Reading:
    """The match of an SGF text, and what was wrong in it. Raises ``RecordError``."""
    trees = _parse(text)
    if not trees:
        raise RecordError("not an SGF file: no game in it")
    root = trees[0][0]
    if root.get("GM", ["6"])[0] != "6":
        raise RecordError(f"an SGF file of game {root['GM'][0]}, not of backgammon (6)")
    about = _pairs(root)
    length = _number(about, "length", 0)
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
            (int(rule[9:]) for rule in rules if re.fullmatch(r"CubeLimit\d+", rule)), None
        ),
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
        mark, word, value = found.groups()
        at = found.end()
        if mark == "(":
            depth += 1
            if depth == 1:
                trees.append([])
                ended = False
            elif ended:
                skipping += 1
        elif mark == ")":
            depth -= 1
            skipping = max(skipping - 1, 0)
            ended = depth > 0
        elif depth < 1 or skipping:
            continue
        elif mark == ";":
            trees[-1].append({})
        elif word is not None:
            name = "".join(letter for letter in word if letter.isupper())
        elif trees[-1]:
            trees[-1][-1].setdefault(name, []).append(_unescaped(value))
    rest = text[at:].strip()
    if rest or depth:
        line = text.count("\n", 0, at) + 1
        raise RecordError(f"line {line}: " + (f"'{rest[:20]}' is no SGF" if rest else "cut short"))
    return [tree for tree in trees if tree]


def _unescaped(value: str) -> str:
    return re.sub(r"\\(\n|.)", lambda found: found[1].strip("\n"), value, flags=re.DOTALL)


def _pairs(root: Node) -> dict[str, str]:
    return dict(pair.partition(":")[::2] for pair in root.get("MI", []))


def _rules(root: Node) -> list[str]:
    return root.get("RU", [""])[0].split(":")


def _number(about: dict[str, str], name: str, default: int) -> int:
    text = about.get(name, str(default))
    if not re.fullmatch(r"\d{1,6}", text):
        raise RecordError(f"MI[{name}:{text}] is not a number")
    return int(text)


def _game(tree: Sequence[Node]) -> RawGame:
    root, nodes = tree[0], tree[1:]
    about = _pairs(root)
    points = (_number(about, "ws", 0), _number(about, "bs", 0))
    length = _number(about, "length", 0)
    entries: list[Entry] = []
    if any(key in root for key in _SET_UP):
        entries.append(Entry(Kind.ERROR, -1, moves="a set-up position is no game from the start"))
    for number, node in enumerate(nodes, 1):
        entry = _entry(node, f"node {number}")
        if entry is not None:
            entries.append(entry)
    entries += _win(root)
    crawford = "CrawfordGame" in _rules(root) if length > 1 else None
    return RawGame(entries, points, crawford, root.get("C", [""])[0])


def _entry(node: Node, where: str) -> Entry | None:
    if "W" not in node and "B" not in node:
        if any(key in node for key in _SET_UP):
            return Entry(Kind.ERROR, -1, where, moves="a position is set up in mid-game")
        return None
    seat = 0 if "W" in node else 1
    value = node["WB"[seat]][0].strip()
    comment = node.get("C", [""])[0]
    words = {"double": Kind.DOUBLE, "take": Kind.TAKE, "drop": Kind.PASS, "pass": Kind.PASS}
    if value in words:
        return Entry(words[value], seat, where, comment=comment)
    found = re.fullmatch(r"([1-6])([1-6])((?:[a-y][a-z])*)", value)
    if found is None:
        dice = (int(value[0]), int(value[1])) if re.match("[1-6]{2}", value) else None
        return Entry(Kind.ERROR, seat, where, dice, f"'{value}' is no play")
    moves = " ".join(
        f"{_point(pair[0], seat)}/{_point(pair[1], seat)}" for pair in re.findall("..", found[3])
    )
    dice = (int(found[1]), int(found[2]))
    return Entry(Kind.ROLL, seat, where, dice, moves, comment=comment, complete=True)


def _point(letter: str, seat: int) -> int:
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    number = ord(letter) - ord("a") + 1
    return number if seat == 0 else 25 - number


def _win(root: Node) -> Iterator[Entry]:
    found = re.fullmatch(r"([WB])\+(\d+)(R?)", root.get("RE", [""])[0].strip())
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
            nodes.append(f";{'WB'[entry.seat]}[{text}]{comment}")
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
            yield Entry(
                entry.kind, entry.seat, dice=entry.dice, moves=next(plays), comment=entry.comment
            )
        else:
            yield entry


def _letter_plays(record: MatchRecord, game: RecordedGame) -> Iterator[str]:
    for state, act in game.states(record.terms):
        if isinstance(act, MakePlay) and not state.must_pass:
            assert state.roll is not None
            play = recover_play(state.position, act.after, state.roll)
            yield "".join(
                _letter(point, state.turn)
                for move in play
                for point in (move.source, move.destination)
            )


def _letter(point: int, seat: int) -> str:
    if point in (0, 25):
        return "z" if point == 0 else "y"
    return chr(ord("a") + (point if seat == 0 else 25 - point) - 1)


def _node(entry: Entry) -> str | None:
    match entry.kind:
        case Kind.ROLL | Kind.ERROR if entry.dice is not None:
            moves = (entry.moves or "") if entry.kind is Kind.ROLL else "?"
            return f"{max(entry.dice)}{min(entry.dice)}{moves}"
        case Kind.ERROR:
            return "?"
        case Kind.DOUBLE:
            return "double"
        case Kind.TAKE:
            return "take"
        case Kind.PASS:
            return "drop"
        case _:
            return None
