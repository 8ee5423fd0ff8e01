// The clock of the table: which seat's runs, kept in this browser, shown four times a second.

import { clockOf, keepClock, timeText } from "./clock.js";
import { announce, toast } from "./dom.js";
import { prefs } from "./prefs.js";
import { ME } from "./words.js";

export class Timing {
  constructor(show) {
    this.show = show;
    this.clock = null;
    setInterval(() => this.tick(), 250);
    addEventListener("pagehide", () => this.keep());
  }

  // A game begins, or goes on. One allowance is for a match, or for each game of a money session.
  begin(game, fresh) {
    this.clock?.halt(performance.now());
    this.keep();
    const { length } = game.terms;
    this.id = game.id;
    this.bank = length === null ? `game ${game.game_number}` : "match";
    this.clock = clockOf(this.id, this.bank, length ?? 1, prefs, fresh && (length === null || game.game_number === 1));
    this.fallen = [false, false];
  }

  // The clock of a seat runs.
  turn(seat) {
    this.clock?.turn(seat, performance.now());
    this.keep();
  }

  // No clock runs while dice fall and checkers move.
  halt() {
    this.clock?.halt(performance.now());
    this.keep();
    this.show();
  }

  tick() {
    const { clock } = this;
    if (!clock?.running) return;
    const seat = clock.owner;
    if (!this.fallen[seat] && clock.remaining(seat, performance.now()) <= 0) {
      this.fallen[seat] = true;
      const text = seat === ME ? "Your time is up. By the clock the match is lost; you may play on." : "The program's time is up.";
      toast(text, "error");
      announce(text);
    }
    this.show();
  }

  keep() {
    if (this.clock) keepClock(this.id, this.bank, this.clock, performance.now());
  }

  // {text, low, running} of a seat, or null where no clock runs.
  of(seat) {
    if (!this.clock) return null;
    const left = this.clock.remaining(seat, performance.now());
    return { text: timeText(left), low: left < 20_000, running: this.clock.running && this.clock.owner === seat };
  }
}
