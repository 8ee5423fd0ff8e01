"""`bgai quiz`: your own worst decisions, asked again until you know better."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgai.ui.options import StoreFile

if TYPE_CHECKING:
    from bgai.analysis.quiz import Answer
    from bgai.analysis.store import StoredDecision

_LEAVE = ("q", "quit", "exit")


def register(app: typer.Typer) -> None:
    """Add ``bgai quiz`` to the program."""

    @app.command()
    def quiz(
        player: Annotated[
            str | None, typer.Option(help="Whose decisions; everybody's by default.")
        ] = None,
        count: Annotated[int, typer.Option("--count", "-n", min=1, help="Questions.")] = 10,
        least: Annotated[float, typer.Option(min=0, help="Least cost of what is asked.")] = 0.06,
        search: Annotated[
            str | None,
            typer.Option(help="Ask only what this search of bgai library find finds."),
        ] = None,
        ascii_only: Annotated[bool, typer.Option("--ascii", help="Boards without symbols.")] = (
            False
        ),
        store: StoreFile = None,
    ) -> None:
        """Show your worst positions, take your answer and explain it with numbers.

        What you miss comes again soon, what you know later and later. Type a play such as
        13/8 6/5, or one of the acts named; ? shows the answer, q leaves.
        """
        from datetime import UTC, datetime

        from bgai.analysis.library import find_ids, read_search
        from bgai.analysis.quiz import questions, rate
        from bgai.analysis.store import Store, store_path
        from bgai.errors import InputError

        right = asked = 0
        with Store(store or store_path()) as kept:
            among = None if search is None else find_ids(kept, read_search(search))
            found = questions(kept, player, datetime.now(UTC), count, least, among)
            if not found:
                if kept.worst(player, 0, 1):
                    typer.echo("nothing is due: come back later, or lower --least")
                    return
                who = f" of {player}" if player else ""
                raise InputError(f"no analysed decisions{who}: run bgai analyse first")
            for number, question in enumerate(found, 1):
                typer.echo(_heading(question, number, len(found)))
                typer.echo(_board(question, ascii_only))
                answer = _ask(question)
                if answer is None:
                    break
                asked += 1
                right += answer.right
                due = rate(kept, question, answer, datetime.now(UTC))
                typer.echo(_judged(question, answer))
                typer.echo(f"  again {due.astimezone():%Y-%m-%d %H:%M}\n")
        typer.echo(f"{right} of {asked} right")


def _heading(question: "StoredDecision", number: int, total: int) -> str:
    where = ", ".join(
        part for part in (question.date, Path(question.file).name, f"game {question.decision.game}")
        if part
    )  # fmt: skip
    return f"{number} of {total}: {question.player} against {question.opponent} ({where})"


def _board(question: "StoredDecision", ascii_only: bool) -> str:
    from bgai.notation.diagram import format_diagram
    from bgai.notation.situation import Seat
    from bgai.notation.xgid import parse_xgid

    situation = parse_xgid(question.decision.id)
    view = Seat.BOTTOM if question.decision.seat == 0 else Seat.TOP
    return format_diagram(situation, view=view, ascii_only=ascii_only)


def _ask(question: "StoredDecision") -> "Answer | None":
    """The judged answer; None to leave. Asks again for what is no answer."""
    from bgai.analysis.quiz import Answer, judge_answer, prompt
    from bgai.errors import InputError

    asked = prompt(question.decision)
    while True:
        try:
            text = input(f"{asked}? ").strip()
        except EOFError:
            return None
        if text.lower() in _LEAVE:
            return None
        if text == "?":
            return Answer("", None, False)
        try:
            return judge_answer(question.decision, text)
        except InputError as error:
            typer.echo(f"  {error}")


def _judged(question: "StoredDecision", answer: "Answer") -> str:
    from bgai.analysis.quiz import explanation

    if not answer.text:
        lines = ["  The answer:", *explanation(question.decision, None)]
    elif answer.right:
        lines = ["  Right.", *explanation(question.decision, answer)]
    else:
        cost = "" if answer.cost is None else f": it gives up {answer.cost:.3f}"
        lines = [f"  Not best{cost}.", *explanation(question.decision, answer)]
    return "\n".join([*lines, f"  {question.decision.id}, {question.judge}"])
