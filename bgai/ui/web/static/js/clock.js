// A clock for two seats, in milliseconds. Fischer adds the increment after each turn, Bronstein
// gives back what the turn took, up to the increment.

import { saveClock, savedClock } from "./prefs.js";

export class Clock {
  // `left` are the milliseconds of seats 0 and 1.
  constructor({ kind, increment, left }) {
    this.kind = kind;
    this.increment = increment;
    this.left = [...left];
    this.owner = null; // whose turn it is, or was when it was halted
    this.running = false;
    this.used = 0; // in this turn
    this.since = 0;
  }

  // What a seat has left at the time `now`; below 0 its time is up.
  remaining(seat, now) {
    return this.left[seat] - (this.running && seat === this.owner ? now - this.since : 0);
  }

  // The clock of a seat runs; where it was the other's turn, that one is over.
  turn(seat, now) {
    if (this.running && seat === this.owner) return;
    this.halt(now);
    if (seat !== this.owner && this.owner !== null) {
      this.left[this.owner] += this.kind === "bronstein" ? Math.min(this.used, this.increment) : this.increment;
    }
    if (seat !== this.owner) this.used = 0;
    this.owner = seat;
    this.running = true;
    this.since = now;
  }

  // Stands still without ending the turn.
  halt(now) {
    if (!this.running) return;
    this.left[this.owner] -= now - this.since;
    this.used += now - this.since;
    this.running = false;
  }
}

// The clock of a game kept in this browser, or a new one where the person plays with clocks.
// `bank` names what one allowance of time is for: the match, or one money game.
export function clockOf(id, bank, points, { clock, minutes, seconds }, fresh) {
  const kept = savedClock();
  if (kept?.id === id && kept.bank === bank) return new Clock(kept);
  if (clock === "none" || !(fresh || kept?.id === id)) return null;
  const time = minutes * 60_000 * points;
  return new Clock({ kind: clock, increment: seconds * 1000, left: [time, time] });
}

export function keepClock(id, bank, clock, now) {
  const { kind, increment } = clock;
  saveClock({ id, bank, kind, increment, left: [0, 1].map((seat) => clock.remaining(seat, now)) });
}

export function timeText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
