"""Boards as SVG images: well-formed, self-contained, and with every checker."""

import xml.etree.ElementTree as ET
from collections import Counter

from hypothesis import given, settings
from situations import situations

from bgai.notation.identifiers import parse_identifier
from bgai.notation.pictures import board_png
from bgai.notation.situation import Seat, Situation
from bgai.notation.svg import Colours, board_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(situation: Situation, **options: object) -> ET.Element:
    return ET.fromstring(board_svg(situation, **options))  # type: ignore[arg-type]


def checkers(image: ET.Element) -> Counter[str]:
    """Circles of checker size by colour."""
    return Counter(
        circle.attrib["fill"]
        for circle in image.iter(f"{SVG}circle")
        if float(circle.get("r", 0)) > 9
    )


def texts(image: ET.Element) -> list[str]:
    return [text.text or "" for text in image.iter(f"{SVG}text")]


OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"


def test_opening() -> None:
    image = drawn(parse_identifier(OPENING))
    colours = Colours()
    assert checkers(image) == {colours.bottom: 15, colours.top: 15}
    assert texts(image).count("167") == 2
    assert set(map(str, range(1, 25))) <= set(texts(image))
    title = image.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Backgammon position: On roll to play 3-1"
    described = image.find(f"{SVG}desc")
    assert described is not None
    assert OPENING in (described.text or "")
    pips = [c for c in image.iter(f"{SVG}circle") if float(c.attrib["r"]) < 9]
    assert len(pips) == 4  # 3 and 1


def test_nothing_is_fetched_and_names_are_escaped() -> None:
    text = board_svg(parse_identifier(OPENING), names={Seat.BOTTOM: "<b>&Ann", Seat.TOP: 'B"ob'})
    assert "<b>" not in text
    for word in ("href", "url(", "<style", "<script", "<image", " id="):
        assert word not in text


def test_offered_cube_shows_its_new_value() -> None:
    image = drawn(parse_identifier("XGID=-b----E-C---eE---c-e----B-:2:1:1:D:0:0:3:0:10"))
    assert "8" in texts(image)
    assert drawn(parse_identifier(OPENING), width=300).attrib["width"] == "300"


@given(situations())
@settings(max_examples=50)
def test_every_situation_is_drawn_from_both_sides(situation: Situation) -> None:
    position = situation.position
    for view in Seat:
        for home_left in (False, True):
            image = drawn(situation, view=view, home_left=home_left)
            found = checkers(image)
            for side, seat in ((0, situation.seat), (1, situation.seat.other())):
                fill = Colours().checker(seat)[0]
                points = sum(min(int(n), 5) for n in position[side, 1:25])
                assert found[fill] == points + min(int(position[side, 25]), 4)
            width, height = (float(n) for n in image.attrib["viewBox"].split()[2:])
            for circle in image.iter(f"{SVG}circle"):
                assert 0 < float(circle.attrib["cx"]) < width
                assert 0 < float(circle.attrib["cy"]) < height


def test_a_png_of_the_board() -> None:
    """As wide as asked; seen from the other side it is another picture."""
    situation = parse_identifier("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
    bottom, top = (board_png(situation, view=seat, width=300) for seat in Seat)
    for picture in (bottom, top):
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert int.from_bytes(picture[16:20], "big") == 300
    assert bottom != top
