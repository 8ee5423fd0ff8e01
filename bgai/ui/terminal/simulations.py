"""Formats of several players between programs alone: played, kept, told in words or as JSON."""

import json
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bgai.errors import InputError
from bgai.sessions import referee
from bgai.sessions.chouette import CHOUETTES, Chouette
from bgai.sessions.chouette_referee import play
from bgai.sessions.consultation import CONSULTATIONS, Consultation
from bgai.sessions.team import TEAM_MATCHES, TeamMatch, play_game
from bgai.ui.terminal.chouette_words import sheet_lines
from bgai.ui.terminal.shared import pairs_lines, team_lines

_ROWS = 10


def simulate_chouette(table: Chouette, file: Path | None, as_json: bool) -> None:
    _check_new(file)
    bots = {number: seat.bot for number, seat in enumerate(table.seats) if seat.level is not None}
    with tqdm(total=table.terms.games, unit="game", leave=False, disable=None) as bar:
        for _ in play(table, bots):
            bar.update(len(table.sheet) - bar.n)
    if file is not None:
        CHOUETTES.write(file, table)
    if as_json:
        print_json(_chouette_fields(table))
    else:
        print("\n".join(sheet_lines(table, _ROWS)))


def _chouette_fields(table: Chouette) -> dict[str, Any]:
    names = [seat.name for seat in table.seats]
    return {
        "games": len(table.sheet),
        "totals": dict(zip(names, table.totals(), strict=True)),
        "sheet": [
            {"box": names[row.box], "captain": names[row.captain], "points": list(row.points)}
            for row in table.sheet
        ],
    }


def simulate_pairs(table: Consultation, file: Path | None, as_json: bool) -> None:
    _check_new(file)
    first, second = table.players
    assert first is not None
    assert second is not None
    for _ in referee.play(table.session, (first, second)):
        pass
    if file is not None:
        CONSULTATIONS.write(file, table)
    if as_json:
        print_json(_pairs_fields(table))
    else:
        print("\n".join(pairs_lines(table)))


def _pairs_fields(table: Consultation) -> dict[str, Any]:
    return {
        "pairs": [[seat.name for seat in pair.members] for pair in table.pairs],
        "points": list(table.session.standing.points),
        "games": [
            {"rolled": list(rollers), "points": list(points)}
            for _, rollers, points in table.sheet()
        ],
    }


def simulate_team(tables: list[TeamMatch], file: Path | None, as_json: bool) -> None:
    _check_new(file)
    for table in tqdm(tables, unit="match", leave=False, disable=None if len(tables) > 1 else True):
        while (board := table.next_board()) is not None:
            play_game(table, board)
    if file is not None:
        TEAM_MATCHES.write(file, tables[0])
    if as_json:
        print_json({"matches": [_team_fields(table) for table in tables]})
    elif len(tables) == 1:
        print("\n".join(team_lines(tables[0])))
    else:
        for side, each in enumerate(tables[0].teams):
            won = sum(table.winner == side for table in tables)
            print(f"{each.name} won {won} of {len(tables)} team matches")


def _team_fields(table: TeamMatch) -> dict[str, Any]:
    winner = table.winner
    return {
        "teams": [each.name for each in table.teams],
        "boards_won": [table.boards_won(0), table.boards_won(1)],
        "points": [list(board.standing.points) for board in table.sessions],
        "winner": None if winner is None else table.teams[winner].name,
    }


def _check_new(file: Path | None) -> None:
    if file is not None and file.exists():
        raise InputError(f"{file} exists; name another file")


def print_json(fields: dict[str, Any]) -> None:

    print(json.dumps(fields))
