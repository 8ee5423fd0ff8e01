"""`bgai analyse`: what each decision of recorded matches cost."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.program import INTERRUPTED, apart
from bgai.ui.options import EngineOptions, StoreFile, bundled

if TYPE_CHECKING:
    from bgai.analysis.analyse import Finished, Job
    from bgai.analysis.review import Review
    from bgai.analysis.store import Store
    from bgai.search.engine import EngineSettings

_FILES = "Match files (.mat, .sgf, .xg, .json), or folders of them."


def register(app: typer.Typer) -> None:
    """Add ``bgai analyse`` to the program."""
    app.command()(bundled(analyse))


def analyse(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=_FILES)],
    judge: EngineOptions,
    html: Annotated[Path | None, typer.Option(help="Write a report, or a folder of them.")] = None,
    json_: Annotated[Path | None, typer.Option("--json", help="Write JSON, or a folder.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write CSV, or a folder.")] = None,
    worst: Annotated[int, typer.Option(min=0, help="Worst decisions to list.")] = 10,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores by default.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Work on the Dask cluster at this address.")
    ] = None,
    store: StoreFile = None,
    deepen: Annotated[
        bool,
        typer.Option(
            "--deepen", help="0-ply, deeper where it is close or wrong, errors rolled out."
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summaries.")] = False,
) -> None:
    """Judge every decision of recorded matches, with luck, PR and the worst of them.

    What is found is kept: interrupted work goes on where it was, and the figures of many
    matches are shown by bgai stats and asked again by bgai quiz. Each report appears as its match
    is done. Broken games are reported and judged as far as they go; exit code 1 then.
    """
    from bgai.analysis.judging import JUDGE_PLIES
    from bgai.analysis.report_text import summary
    from bgai.analysis.store import Store, store_path

    settings = apart(judge.made, JUDGE_PLIES).settings  # an unknown name is told before reading
    jobs, bad = read_jobs(files)
    names = _names(jobs)

    def report(index: int, review: "Review") -> None:
        if not quiet:
            typer.echo(("\n" if index else "") + summary(review, worst))
        _write(review, names[index], len(jobs) == 1, html, json_, csv)

    with Store(store or store_path()) as kept:
        judge_jobs(jobs, settings, kept, workers, scheduler, deepen=deepen, finished=report)
    if bad:
        raise typer.Exit(1)


def judge_jobs(
    jobs: "list[Job]",
    settings: "EngineSettings",
    store: "Store",
    workers: int | None = None,
    scheduler: str | None = None,
    *,
    deepen: bool = False,
    finished: "Finished | None" = None,
) -> "list[Review]":
    """The reviews of some matches, with a bar of progress; Ctrl-C ends the program."""
    from tqdm import tqdm

    from bgai.analysis.analyse import analyse as run
    from bgai.search.executors import open_executor

    with (
        open_executor(workers, scheduler) as executor,
        tqdm(total=0, unit="act", leave=False, disable=None) as bar,
    ):

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        def told(index: int, review: "Review") -> None:
            if finished is not None:
                bar.clear()
                finished(index, review)

        try:
            return run(jobs, settings, store, executor, progress, deepen=deepen, finished=told)
        except KeyboardInterrupt:
            typer.echo("what was found is kept: the same command goes on from here", err=True)
            raise typer.Exit(INTERRUPTED) from None


def read_jobs(files: list[Path]) -> "tuple[list[Job], bool]":
    """The matches of the files, broken games reported; files of folders that are none too."""
    from bgai.analysis.analyse import Job
    from bgai.errors import InputError
    from bgai.sessions.session_record import read_any

    jobs, bad = [], False
    for path, alone in _paths(files):
        try:
            readings = read_any(path)
        except InputError as error:
            if alone:
                raise
            typer.echo(f"error: {error}", err=True)
            bad = True
            continue
        for reading in readings:
            problems = tuple(map(str, reading.problems))
            for problem in problems:
                typer.echo(problem, err=True)
            bad = bad or bool(problems)
            jobs.append(Job(reading.record, str(path), problems))
    return jobs, bad


def _paths(files: list[Path]) -> Iterator[tuple[Path, bool]]:
    """Each file, and whether it was named alone rather than found in a folder."""
    from bgai.errors import InputError
    from bgai.notation.record_files import READABLE

    for path in files:
        if not path.is_dir():
            yield path, True
            continue
        found = sorted(each for each in path.rglob("*") if each.suffix.lower() in READABLE)
        if not found:
            raise InputError(f"{path}: no match files ({', '.join(READABLE)})")
        yield from ((each, False) for each in found)


def _write(
    review: "Review",
    name: str,
    alone: bool,
    html: Path | None,
    json_: Path | None,
    csv: Path | None,
) -> None:
    """The reports asked for: one file for one match, in a folder where there are several."""
    from bgai.analysis.report_html import html_text
    from bgai.analysis.report_text import csv_text, json_text
    from bgai.files import write_text

    for target, suffix, text in (
        (html, ".html", html_text), (json_, ".json", json_text), (csv, ".csv", csv_text),
    ):  # fmt: skip
        if target is not None:
            in_folder = not alone or target.is_dir()
            write_text(target / (name + suffix) if in_folder else target, text(review))


def _names(jobs: "list[Job]") -> list[str]:
    """A file name for each match; the same names are numbered."""
    names: list[str] = []
    for job in jobs:
        stem = Path(job.file).stem
        name, number = stem, 2
        while name in names:
            name, number = f"{stem}-{number}", number + 1
        names.append(name)
    return names
