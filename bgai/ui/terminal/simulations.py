"""Formats of several players between programs alone: played, kept, told in words or JSON."""

from pathlib import Path

from tqdm import tqdm

from bgai.errors import InputError
from bgai.sessions import referee
from bgai.sessions.chouette import CHOUETTES, Chouette
from bgai.sessions.chouette_referee import play
from bgai.sessions.consultation import CONSULTATIONS, Consultation
from bgai.sessions.team import TEAM_MATCHES, TeamMatch, play_game
from bgai.table_answers import TeamMatchesAnswer
from bgai.ui.terminal.chouette_words import sheet_lines
from bgai.ui.terminal.saved_words import chouette_answer, pairs_answer, team_answer
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
        print(chouette_answer(table).to_json())
    else:
        print("\n".join(sheet_lines(table, _ROWS)))


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
        print(pairs_answer(table).to_json())
    else:
        print("\n".join(pairs_lines(table)))


def simulate_team(tables: list[TeamMatch], file: Path | None, as_json: bool) -> None:
    _check_new(file)
    for table in tqdm(tables, unit="match", leave=False, disable=None if len(tables) > 1 else True):
        while (board := table.next_board()) is not None:
            play_game(table, board)
    if file is not None:
        TEAM_MATCHES.write(file, tables[0])
    if as_json:
        print(TeamMatchesAnswer(matches=[team_answer(table) for table in tables]).to_json())
    elif len(tables) == 1:
        print("\n".join(team_lines(tables[0])))
    else:
        for side, each in enumerate(tables[0].teams):
            won = sum(table.winner == side for table in tables)
            print(f"{each.name} won {won} of {len(tables)} team matches")


def _check_new(file: Path | None) -> None:
    if file is not None and file.exists():
        raise InputError(f"{file} exists; name another file")
