"""`bgai library`: all analysed matches, searched, tagged, noted and exported."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.program import apart
from bgai.ui.options import EngineOptions, StoreFile, bundled

if TYPE_CHECKING:
    from bgai.analysis.library import Found

library = typer.Typer(no_args_is_help=True, help="Find, tag and export decisions of all matches.")

_SEARCH = "Words and conditions, such as 'zurich player:Ann kind:cube cost>=0.08 away:2'."
Search = Annotated[str, typer.Argument(metavar="[SEARCH]", help=_SEARCH, show_default=False)]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", help="Tag; may be repeated.")]
Note = Annotated[str | None, typer.Option(help="Note; replaces the one there, '' removes it.")]


def register(app: typer.Typer) -> None:
    """Add ``bgai library`` to the program."""
    library.command()(bundled(add))
    app.add_typer(library, name="library")


def add(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Match files, or folders of them.")
    ],
    judge: EngineOptions,
    tag: Tags = None,
    note: Note = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores by default.")
    ] = None,
    store: StoreFile = None,
) -> None:
    """Judge matches and keep them, as bgai analyse does; known ones are not judged again.

    Tags and note are those of the matches. Exit code 1 where a file or a game is broken.
    """
    from bgai.analysis.judging import JUDGE_PLIES
    from bgai.analysis.library import change, check_tags, match_search
    from bgai.analysis.store import Store, match_digest, store_path
    from bgai.ui.commands.analyse import judge_jobs, read_jobs

    check_tags(tag or ())
    settings = apart(judge.made, JUDGE_PLIES).settings
    jobs, bad = read_jobs(files)
    with Store(store or store_path()) as kept:
        judge_jobs(jobs, settings, kept, workers)
        digests = {match_digest(job.record) for job in jobs}
        if tag or note is not None:
            for digest in sorted(digests):
                change(kept, match_search(digest), add=tag or (), note=note, matches=True)
    typer.echo(f"{_counted(len(digests), 'match', 'es')}, {settings.label}")
    if bad:
        raise typer.Exit(1)


@library.command()
def find(
    search: Search = "",
    count: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Decisions shown, the worst first.")
    ] = 20,
    boards: Annotated[bool, typer.Option("--boards", help="Draw each position.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
    store: StoreFile = None,
) -> None:
    """Show the decisions that a search finds, the most expensive first.

    Conditions are KEY:VALUE, numbers and dates with >= and so on too: player, opponent, file,
    date, kind (play, cube, double, answer), phase, plan, error, mark, cost, away, opponent-away,
    score (2-4, money), cube, dice, game, tag.
    """
    import json

    from bgai.analysis.library import find as find_in
    from bgai.analysis.library import find_ids, found_json, read_search
    from bgai.analysis.store import Store, store_path

    wanted = read_search(search)
    with Store(store or store_path()) as kept:
        found = find_in(kept, wanted, count)
        total = len(find_ids(kept, wanted))
    if as_json:
        typer.echo(json.dumps([found_json(each) for each in found], ensure_ascii=False))
        return
    for each in found:
        typer.echo(_text(each, boards))
    shown = f", the {len(found)} worst shown" if len(found) < total else ""
    typer.echo(f"{total} found{shown}")


@library.command()
def tag(
    search: Search,
    add: Annotated[list[str] | None, typer.Option("--add", "-a", help="Tag to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", "-r", help="To remove.")] = None,
    note: Note = None,
    matches: Annotated[bool, typer.Option("--matches", help="The matches, not decisions.")] = (
        False
    ),
    store: StoreFile = None,
) -> None:
    """Tag all that a search finds, or write a note to it."""
    from bgai.analysis.library import change, read_search
    from bgai.analysis.store import Store, store_path
    from bgai.errors import InputError

    if not add and not remove and note is None:
        raise InputError("give --add, --remove or --note")
    wanted = read_search(search)
    with Store(store or store_path()) as kept:
        done = change(kept, wanted, add=add or (), remove=remove or (), note=note, matches=matches)
    what = _counted(done, "match", "es") if matches else _counted(done, "decision", "s")
    typer.echo(f"{what} changed")


@library.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv, .json or .apkg.")],
    search: Search = "",
    store: StoreFile = None,
) -> None:
    """Write the decisions that a search finds to a file, the most expensive first.

    A file .apkg is a deck of Anki, the board in front and the verdict behind.
    """
    import json

    from bgai.analysis.anki import write_deck
    from bgai.analysis.library import find as find_in
    from bgai.analysis.library import found_csv, found_json, read_search
    from bgai.analysis.store import Store, store_path
    from bgai.errors import InputError
    from bgai.files import write_text

    suffix = file.suffix.lower()
    if suffix not in (".csv", ".json", ".apkg"):
        raise InputError(f"{file}: write a .csv, .json or .apkg file")
    wanted = read_search(search)
    with Store(store or store_path()) as kept:
        found = find_in(kept, wanted)
    if suffix == ".csv":
        write_text(file, found_csv(found))
    elif suffix == ".apkg":
        write_deck(file, found)
    else:
        objects = [found_json(each) for each in found]
        write_text(file, json.dumps(objects, indent=1, ensure_ascii=False) + "\n")
    typer.echo(f"{file}: {_counted(len(found), 'decision', 's')}")


def _counted(count: int, word: str, plural: str) -> str:
    return f"{count} {word}{'' if count == 1 else plural}"


def _text(found: "Found", board: bool) -> str:
    """Two lines about a decision, with ``board`` its diagram too."""
    from bgai.analysis.report_text import describe
    from bgai.notation.diagram import format_diagram
    from bgai.notation.situation import Seat
    from bgai.notation.xgid import parse_xgid

    kept, decision = found.stored, found.stored.decision
    about = [f"{kept.player} against {kept.opponent}", kept.date, Path(kept.file).name]
    about += [f"game {decision.game}, turn {decision.turn}", *(f"#{tag}" for tag in found.tags)]
    lines = [
        f"{-decision.cost:+.3f} {decision.mark:<2} {describe(decision)}",
        f"          {', '.join(each for each in about if each)}",
        *(f"          {note}" for note in found.notes),
    ]
    if not board:
        return "\n".join([*lines, f"          {decision.id}"])
    view = Seat.BOTTOM if decision.seat == 0 else Seat.TOP
    return "\n".join([*lines, format_diagram(parse_xgid(decision.id), view=view), ""])
