"""Decisions as a deck of Anki: the board in front, the verdict behind (``bgai[anki]``)."""

import hashlib
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from bgai.analysis.library import Found
from bgai.analysis.quiz import explanation, prompt
from bgai.analysis.report_text import COLOURS
from bgai.errors import InputError
from bgai.files import write_bytes
from bgai.notation.captions import stakes_text
from bgai.notation.pictures import board_png
from bgai.notation.situation import Seat
from bgai.notation.xgid import parse_xgid

DECK, MODEL = 1_711_204_961, 1_711_204_962  # Anki tells decks and kinds of notes by numbers
_CSS = (
    ".card { font-family: sans-serif; text-align: center; } pre { text-align: left; "
    "display: inline-block; } img { max-width: 100%; }"
)


def write_deck(path: Path, found: Sequence[Found], name: str = "bgai") -> None:
    """Write a deck with a card for each decision; a decision keeps its card when sent again.

    Raises ``InputError`` where genanki or resvg is missing, ``FileError`` as files do.
    """
    try:
        import genanki
    except ImportError:
        raise InputError("decks of Anki need genanki: pip install 'bgai[anki]'") from None
    model = genanki.Model(
        MODEL,
        "bgai decision",
        fields=[{"name": each} for each in ("Board", "Question", "Answer")],
        templates=[
            {
                "name": "Decision",
                "qfmt": "{{Board}}<br>{{Question}}",
                "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}",
            }
        ],
        css=_CSS,
    )
    deck = genanki.Deck(DECK, name)
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for each in found:
            picture = Path(folder) / f"bgai-{deck_key(each)}.png"
            picture.write_bytes(_picture(each))
            pictures.append(str(picture))
            deck.add_note(_note(genanki, model, each, picture.name))
        whole = Path(folder) / "deck.apkg"
        genanki.Package(deck, media_files=pictures).write_to_file(str(whole))
        write_bytes(path, whole.read_bytes())


def deck_key(found: Found) -> str:
    """The same for the same decision, whoever judged it."""
    decision = found.stored.decision
    text = f"{found.stored.player} {decision.id} {decision.kind} {decision.made}"
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _picture(found: Found) -> bytes:
    decision = found.stored.decision
    view = Seat.BOTTOM if decision.seat == 0 else Seat.TOP
    return board_png(parse_xgid(decision.id), view=view)


def _note(genanki: Any, model: Any, found: Found, picture: str) -> Any:
    decision = found.stored.decision
    kept = found.stored
    about = ", ".join(each for each in (kept.opponent, kept.date, Path(kept.file).name) if each)
    question = (
        f"<b>{escape(prompt(decision))}</b> ({COLOURS[decision.seat]}, below)<br>"
        f"{escape(stakes_text(parse_xgid(decision.id)))}"
    )
    lines = "\n".join(explanation(decision, None))
    notes = "".join(f"<p>{escape(note)}</p>" for note in found.notes)
    answer = (
        f"<b>{escape(decision.best)}</b><pre>{escape(lines)}</pre>{notes}"
        f"<p>{escape(kept.player)} against {escape(about)}, game {decision.game}<br>"
        f"<small>{escape(decision.id)}<br>{escape(kept.judge)}</small></p>"
    )
    return genanki.Note(
        model=model,
        fields=[f'<img src="{picture}">', question, answer],
        tags=list(found.tags),
        guid=deck_key(found),
    )
