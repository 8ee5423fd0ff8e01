"""Dice games at the terminal, people and programs mixed."""

from typing import Any

import numpy as np
from rich.console import Console

from bgai.dicegames.chance_game import Phase, StateError, sample_roll
from bgai.dicegames.kit import AnyKit
from bgai.errors import InputError
from bgai.program import apart

HELP = "Enter rolls; ? lists the legal acts, h shows a hint, q gives up."


class _GivenUp(Exception):
    """A person has had enough."""


def play_at_terminal(kit: AnyKit, humans: int, seed: int | None) -> bool:
    """Play one game; the first ``humans`` seats are people. False if a person gave up."""
    if humans > kit.game.seats:
        raise InputError(f"{humans} people can't sit on {kit.game.seats} seats")
    used = seed if seed is not None else int(np.random.SeedSequence().generate_state(1)[0])
    table = _Table(kit, humans, used)
    try:
        table.play()
    except (_GivenUp, EOFError, KeyboardInterrupt):
        table.say("\nThe game is given up.")
        return False
    return True


class _Table:
    def __init__(self, kit: AnyKit, humans: int, seed: int) -> None:
        self.kit = kit
        self.humans = humans
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.console = Console(highlight=False, markup=False)
        self.program = kit.player("best") if humans < kit.game.seats else None

    def say(self, text: str) -> None:
        self.console.print(text)

    def name(self, seat: int) -> str:
        return f"Seat {seat + 1} ({'person' if seat < self.humans else 'program'})"

    def play(self) -> None:
        """One game from the first roll to the end."""
        kit, game = self.kit, self.kit.game
        self.say(f"{kit.title}, {game.seats} seats, seed {self.seed}")
        for line in kit.notes():
            self.say(line)
        with self.console.status("The program prepares its tables ..."):
            apart(kit.prepare)
        if self.humans:
            self.say(HELP)
        first, said = kit.first_seat(self.rng)
        if said:
            self.say(said)
        state = game.start(first)
        while game.phase(state) is not Phase.OVER:
            state = self._roll(state) if game.phase(state) is Phase.ROLL else self._act(state)
        self.say("")
        self.say(kit.board(state))
        self.say(f"{self.name(game.result(state).index(1))} wins.")

    def _roll(self, state: Any) -> Any:
        kit, game = self.kit, self.kit.game
        seat = game.seat(state)
        if seat < self.humans:
            self.say("")
            self.say(kit.board(state))
            while self._asked(f"{self.name(seat)}: roll> ", state) != "":
                self.say(HELP)
        roll = sample_roll(game.rolls(state), self.rng)
        self.say(f"{self.name(seat)} rolls {kit.roll_text(state, roll)}")
        after = game.after_roll(state, roll)
        note = kit.turn_note(state, after)
        if note:
            self.say(f"  {note}")
        return after

    def _act(self, state: Any) -> Any:
        kit, game = self.kit, self.kit.game
        seat = game.seat(state)
        if seat < self.humans:
            act = self._chosen(state)
        else:
            assert self.program is not None
            act = self.program.choose(state, self.rng)
        self.say(f"{self.name(seat)}: {kit.act_text(state, act)}")
        after = game.after_act(state, act)
        note = kit.turn_note(state, after)
        if note:
            self.say(f"  {note}")
        return after

    def _chosen(self, state: Any) -> Any:
        """A person's act, asked for until it is legal."""
        kit = self.kit
        seat = kit.game.seat(state)
        self.say(kit.board(state))
        while True:
            text = self._asked(f"{self.name(seat)}: {kit.question(state)} ", state)
            if not text:
                continue
            try:
                return kit.read_act(state, text)
            except StateError as error:
                self.say(f"  {error}")

    def _asked(self, prompt: str, state: Any) -> str:
        """A person's line; hints and lists are dealt with here."""
        while True:
            text = input(prompt).strip()
            if text.lower() in ("q", "quit"):
                raise _GivenUp
            if text.lower() in ("h", "hint"):
                self._hint(state)
            elif text == "?":
                self._list(state)
            else:
                return text

    def _list(self, state: Any) -> None:
        if self.kit.game.phase(state) is not Phase.ACT:
            self.say(f"  {HELP}")
            return
        for act in self.kit.game.acts(state):
            self.say(f"  {self.kit.act_text(state, act)}")

    def _hint(self, state: Any) -> None:
        seat = self.kit.game.seat(state)
        advice = self.kit.advisor.advise(state)
        for act, values in advice.acts[:8]:
            self.say(f"  {values[seat]:7.2%}  {self.kit.act_text(state, act)}")
        about = "" if advice.exact else " (approximate)"
        shares = ", ".join(f"seat {n} {share:.2%}" for n, share in enumerate(advice.chances, 1))
        self.say(f"  win chances{about}: {shares}")
