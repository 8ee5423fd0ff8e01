"""Words about a situation that diagrams and reports share."""

from bgai.notation.situation import Offer, Situation
from bgai.rules.cube import CubeOwner


def terms(situation: Situation) -> list[str]:
    """What is played for, without the score: ``match to 7``, ``Crawford game``, and so on."""
    score, rules = situation.score, situation.rules
    if score is None:
        parts = ["money play", "Jacoby" if rules.jacoby else "no Jacoby"]
        if rules.beaver_turns:
            parts.append("beavers" if rules.beaver_turns == 1 else "beavers and raccoons")
    else:
        parts = [f"match to {score.length}"]
        if score.crawford:
            parts.append("Crawford game")
        elif score.is_post_crawford and score.length > 1:
            parts.append("post-Crawford")
    if rules.max_cube is not None:
        parts.append(f"cube to {rules.max_cube} at most")
    return parts


def score_text(situation: Situation) -> str:
    """``match to 7, Crawford game, 1 away against 4 away`` or the rules of money play."""
    parts = terms(situation)
    if situation.score is not None:
        score = situation.score
        parts.append(f"{score.away_on_roll} away against {score.away_opponent} away")
    elif situation.session != (0, 0):
        parts.append(f"{situation.session[0]} to {situation.session[1]}")
    return ", ".join(parts)


def stakes_text(situation: Situation) -> str:
    """``money, Jacoby, beavers; cube 1, centred`` or the score."""
    rules, score, cube = situation.rules, situation.score, situation.cube
    owner = {0: "centred", 1: "of the player on roll", -1: "of the opponent"}[int(cube.owner)]
    if score is None:
        words = ["money"]
        if rules.jacoby:
            words.append("Jacoby")
        if rules.beaver_turns:
            words.append("beavers" if rules.beaver_turns == 1 else "beavers and raccoons")
    else:
        words = [f"{score.away_on_roll}-away, {score.away_opponent}-away"]
        if score.crawford:
            words.append("Crawford game")
        elif score.is_post_crawford:
            words.append("post-Crawford")
    if rules.max_cube is not None:
        words.append(f"cube at most {rules.max_cube}")
    return f"{', '.join(words)}; cube {cube.value}, {owner}"


def cube_text(situation: Situation) -> str:
    """Value and owner of the cube: ``2, owned by the opponent``."""
    owner = {
        CubeOwner.CENTRED: "centred",
        CubeOwner.ON_ROLL: "owned by the player on roll",
        CubeOwner.OPPONENT: "owned by the opponent",
    }[situation.cube.owner]
    return f"{situation.cube.value}, {owner}"


def decision_text(situation: Situation, on_roll: str, opponent: str) -> str:
    """Whose decision it is: ``X to play 3-1``; the names are those of the two players."""
    if situation.roll:
        return f"{on_roll} to play {situation.roll.high}-{situation.roll.low}"
    if situation.offer is Offer.NONE:
        return f"{on_roll} to roll"
    answering = on_roll if situation.answers_on_roll else opponent
    offering = opponent if situation.answers_on_roll else on_roll
    verb = {Offer.DOUBLED: "doubles", Offer.BEAVERED: "beavers", Offer.RACCOONED: "raccoons"}
    return f"{offering} {verb[situation.offer]} to {situation.stake}, {answering} to answer"
