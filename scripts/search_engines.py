"""GNU Backgammon and Open Sage on given positions and decisions, for scripts/bench_search.py.

Runs with the Python of an environment that has gnubg-nn and bgsage and needs nothing of bgai.
Reads a JSON file ``{"candidates": [[mover, opponent], ...], "turns": [[mover, opponent, high,
low], ...]}`` where each side is 26 slots in its own numbering. Prints one JSON object: the
five chances of the mover's opponent, who is on roll, for each candidate; CPU seconds for all of
them; CPU seconds for all turns. Plies are GNU's numbers.
"""

import json
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

Side = list[int]
Chances = list[float]


def equity(chances: Chances) -> float:
    win, wg, wbg, lg, lbg = chances
    return 2 * win - 1 + wg + wbg - lg - lbg


class Gnubg:
    """Plays are chosen as the whole program does by default: all at 0-ply, then up to eight
    within 0.16 of the best at the full depth."""

    def __init__(self, plies: int) -> None:
        import gnubg_nn

        self.engine = gnubg_nn
        self.plies = plies

    def chances(self, mover: Side, opponent: Side) -> Chances:
        """The opponent's chances, on roll."""
        return list(self.engine.probabilities([mover[1:], opponent[1:]], self.plies))

    def decide(self, mover: Side, opponent: Side, high: int, low: int) -> Any:
        """The board after the play it makes, the mover's side first: the other is on roll."""
        keys = self.engine.moves([opponent[1:], mover[1:]], high, low)
        # A key keeps the mover second, where the player on roll stands.
        boards = [self.engine.board_from_position_key(key)[::-1] for key in keys]
        judged = [(equity(self.engine.probabilities(board, 0)), board) for board in boards]
        judged.sort(key=lambda pair: pair[0])  # the opponent's: the least is best
        chosen = [board for worth, board in judged[:8] if worth - judged[0][0] <= 0.16]
        if self.plies and len(chosen) > 1:
            return min(
                chosen, key=lambda board: equity(self.engine.probabilities(board, self.plies))
            )
        return chosen[0] if chosen else None


class Sage:
    """Open Sage: its own analyzer for decisions, cubeless, one thread; its ply is ours + 1."""

    def __init__(self, plies: int) -> None:
        import bgbot_cpp
        from bgsage import create_analyzer
        from bgsage.weights import default_weights

        weights = default_weights()
        model = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
        if plies == 0:
            self.strategy: Any = bgbot_cpp.create_strategy(*model)
        else:
            self.strategy = bgbot_cpp.create_multipy(
                *model, n_plies=plies + 1, parallel_evaluate=False, parallel_threads=1
            )
        self.analyzer = create_analyzer(f"{plies + 1}ply", cubeful=False, parallel_threads=1)

    @staticmethod
    def board(mover: Side, opponent: Side) -> Side:
        """26 slots in the mover's numbering; the opponent's points negative, both bars positive."""
        return [opponent[25], *(mover[p] - opponent[25 - p] for p in range(1, 25)), mover[25]]

    def chances(self, mover: Side, opponent: Side) -> Chances:
        """The opponent's chances, on roll; the engine gives the mover's after the play."""
        board = self.board(mover, opponent)
        win, wg, wbg, lg, lbg = self.strategy.evaluate_board(board, board)["probs"]
        return [1 - win, lg, lbg, wg, wbg]

    def decide(self, mover: Side, opponent: Side, high: int, low: int) -> Any:
        """What the analyzer says of the plays."""
        return self.analyzer.checker_play(self.board(mover, opponent), high, low)


ENGINES: dict[str, Callable[[int], Any]] = {"gnubg": Gnubg, "bgsage": Sage}


def main(name: str, plies: int, path: str) -> None:
    with open(path, encoding="utf-8") as file:
        work = json.load(file)
    engine = ENGINES[name](plies)
    engine.decide(*work["turns"][0])  # loading is not thinking
    start = process_time()
    chances = [engine.chances(mover, opponent) for mover, opponent in work["candidates"]]
    evaluating = process_time() - start
    start = process_time()
    for turn in work["turns"]:
        engine.decide(*turn)
    deciding = process_time() - start
    print(json.dumps({"chances": chances, "evaluating": evaluating, "deciding": deciding}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
