"""A chouette in words: who sits where, the cubes, what happened, the score sheet."""

from collections.abc import Sequence

from bgai.rules.acts import MakePlay
from bgai.rules.game import Ending
from bgai.sessions.chouette import Chouette, SheetRow
from bgai.sessions.chouette_game import BOX, ChouetteAct, ChouetteGame, Hold
from bgai.ui.terminal.words import LEVEL_NAMES, act_text, play_text, points_text, says

Names = Sequence[str]
"""The names of the seats of the chouette."""


def heading(chouette: Chouette) -> str:
    """Number of the game, the box, the team in line."""
    game = chouette.game
    names = [seat.name for seat in chouette.seats]
    captain, *others = (names[member] for member in game.team)
    team = f"captain {captain}" + (f", then {', '.join(others)}" if others else "")
    return f"Chouette, game {chouette.game_number}  -  box {names[game.box]}, {team}"


def cube_lines(game: ChouetteGame, names: Names) -> list[str]:
    """How every cube stands, or how its game ended."""
    texts = []
    for holders, each in zip(game.holders, game.games, strict=True):
        who = "the team" if len(holders) > 1 else names[holders[0]]
        if each.outcome is not None:
            won = each.outcome.points * (-1 if each.outcome.winner == BOX else 1)
            texts.append(f"{who} out {won:+d}")
        elif each.offered_value is not None:
            texts.append(f"{who} {each.offered_value} offered")
        elif each.cube_owner is None:
            texts.append(f"{who} {each.cube_value}")
        else:
            owner = "box's" if each.cube_owner == BOX else "own"
            texts.append(f"{who} {each.cube_value} ({owner})")
    return ["Cubes: " + ", ".join(texts)]


def side_names(game: ChouetteGame, names: Names, cube: int | None = None) -> tuple[str, str]:
    """The names of the box and of the member concerned: at a cube, else who plays."""
    member = game.player if cube is None else game.holders[cube][0]
    return names[game.box], names[member]


def happened(
    before: ChouetteGame, act: ChouetteAct, after: ChouetteGame, names: Names
) -> list[str]:
    """Sentences about an act; none for a cube that was not turned."""
    if isinstance(act.act, Hold):
        return []
    cube = before.leader if act.cube is None else act.cube
    sides = side_names(before, names, act.cube)
    text = act_text(before.games[cube], act.act, after.games[cube], sides)
    lines = [text if act.cube is None else f"At {_cube_name(before, cube, names)}: {text}"]
    for number in before.open_cubes:
        if after.games[number].is_over:
            lines.append(_ended(after, number, names))
    if before.player != after.player and not after.is_over:
        lines.append(f"{says(names[after.player], 'play')} for the team from now on.")
    return lines


def _cube_name(game: ChouetteGame, cube: int, names: Names) -> str:
    holders = game.holders[cube]
    if len(holders) > 1:
        return "the team's cube"
    name = names[holders[0]]
    return "your cube" if name == "You" else f"{name}'s cube"


def _ended(game: ChouetteGame, cube: int, names: Names) -> str:
    outcome = game.games[cube].outcome
    assert outcome is not None
    holders = game.holders[cube]
    team = "the team" if len(holders) > 1 else names[holders[0]]
    winner, loser = (names[game.box], team) if outcome.winner == BOX else (team, names[game.box])
    how = {
        Ending.BORNE_OFF: f"a {LEVEL_NAMES[outcome.result]}",
        Ending.PASSED: "by the pass",
        Ending.RESIGNED: "by resignation",
    }[outcome.ending]
    each = " for each member" if len(holders) > 1 else ""
    verb = "wins" if winner != "You" else "win"
    loser = "you" if loser == "You" else loser
    return f"{winner} {verb} {points_text(outcome.points)} from {loser}{each}, {how}."


def news_of(chouette: Chouette, last: int) -> list[str]:
    """The last sentences of the current game, for somebody who comes back."""
    names = [seat.name for seat in chouette.seats]
    lines = order_lines(chouette) if chouette.game_number == 1 else []
    for before, act, after in chouette.history():
        add_news(lines, before, act, happened(before, act, after, names))
    return lines[-last:]


def order_lines(chouette: Chouette) -> list[str]:
    """What the players rolled for the order, ties again."""
    names = [seat.name for seat in chouette.seats]
    lines = []
    for number, rolled in enumerate(chouette.order):
        totals = ", ".join(f"{names[seat]} {sum(pair)}" for seat, pair in rolled.items())
        lines.append(f"{'Again, who tied' if number else 'For the order'}: {totals}.")
    return lines


def add_news(
    lines: list[str], before: ChouetteGame, act: ChouetteAct, sentences: Sequence[str]
) -> None:
    """Append sentences; a play is joined to the line that told its roll."""
    board = before.board
    if isinstance(act.act, MakePlay) and lines and lines[-1].endswith(f" {board.roll}."):
        lines[-1] = f"{lines[-1][:-1]}: {play_text(board, act.act)}."
        sentences = sentences[1:]
    lines.extend(sentences)


def rotation_text(chouette: Chouette) -> str:
    """Who is box and captain in the next game."""
    names = [seat.name for seat in chouette.seats]
    box, captain, *_ = chouette.game.next_line()
    return f"Next game: box {names[box]}, captain {names[captain]}."


def sheet_lines(chouette: Chouette, last: int | None = None) -> list[str]:
    """The running score sheet: a row a game (the ``last`` ones), and the totals."""
    names = [seat.name for seat in chouette.seats]
    width = max(7, *(len(name) for name in names))
    rows = chouette.sheet if last is None else chouette.sheet[-last:]
    left = len(chouette.sheet) - len(rows)
    lines = ["game  " + "  ".join(f"{name:>{width}}" for name in names)]
    if left:
        lines.append(f"  ... {left} earlier game{'' if left == 1 else 's'}")
    lines += [_row(row, width) for row in rows]
    totals = "  ".join(f"{points:>+{width}d}" for points in chouette.totals())
    return [*lines, f"total {totals}", "(B the box, C the captain of that game)"]


def _row(row: SheetRow, width: int) -> str:
    cells = []
    for seat, points in enumerate(row.points):
        role = {row.box: "B ", row.captain: "C "}.get(seat, "")
        cells.append(f"{role}{points:+d}".rjust(width))
    return f"{row.number:>4}  " + "  ".join(cells)
