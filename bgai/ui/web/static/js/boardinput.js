// Pointers and keys on the board. A press that moves becomes a drag; a drag by finger needs the
// board to keep it from scrolling (touch-action of .board-box.live).

import { overDice } from "./boardmotion.js";

const DRAG_FROM = 6; // pixels the pointer moves before a click becomes a drag

export class Pointing {
  constructor(board) {
    this.board = board;
    this.start = null; // {place, x, y, dragging, pointer} of the press
    const { svg } = board;
    // A click takes no focus, so that Enter after it confirms the play.
    svg.addEventListener("mousedown", (event) => event.preventDefault());
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", (event) => this.cancel(event));
    svg.addEventListener("contextmenu", (event) => this.alternate(event));
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  at(event) {
    const matrix = this.board.svg.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: -1, y: -1 };
  }

  press(event) {
    if (event.button !== 0 || this.start) return;
    const point = this.at(event);
    const place = this.board.geometry.placeAt(point.x, point.y);
    this.start = { place, x: event.clientX, y: event.clientY, dragging: false, pointer: event.pointerId };
  }

  move(event) {
    const { board, start } = this;
    if (!start?.place || event.pointerId !== start.pointer) return;
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_FROM;
    const { side } = board.count(start.place);
    if (!start.dragging && far && board.handlers.grab?.(start.place)) {
      start.dragging = true;
      board.svg.setPointerCapture(event.pointerId);
      board.root.classList.add("dragging");
      board.layers.ghost.replaceChildren(board.checker(board.colourOf(side ?? "bottom"), { x: 0, y: 0 }));
    }
    if (!start.dragging) return;
    const point = this.at(event);
    const lift = event.pointerType === "touch" ? 1.3 : 1.08; // to be seen around a finger
    board.layers.ghost.firstChild.setAttribute("transform", `translate(${point.x} ${point.y}) scale(${lift})`);
  }

  release(event) {
    const { board, start } = this;
    if (!start || event.pointerId !== start.pointer) return;
    const point = this.at(event);
    this.end();
    if (start.dragging) board.handlers.drop?.(start.place, board.geometry.placeNear(point.x, point.y));
    else if (overDice(board, point)) board.handlers.dice?.();
    else if (start.place && start.place === board.geometry.placeAt(point.x, point.y)) board.handlers.pick?.(start.place, event);
  }

  cancel(event) {
    const { start } = this;
    if (!start || event.pointerId !== start.pointer) return;
    this.end();
    if (start.dragging) this.board.handlers.drop?.(start.place, null);
  }

  end() {
    this.start = null;
    this.board.layers.ghost.replaceChildren();
    this.board.root.classList.remove("dragging");
  }

  alternate(event) {
    const { board } = this;
    if (!board.handlers.alternate || !board.state.editable) return;
    event.preventDefault();
    const point = this.at(event);
    const place = board.geometry.placeAt(point.x, point.y);
    if (place) board.handlers.alternate(place);
  }

  // Arrows go to the place beside, Home and End to the ends of the row, N to the next place that
  // can be used; Enter picks.
  key(event) {
    const { board } = this;
    const place = event.target.closest?.(".spot")?.dataset.place;
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!board.usable(place)) return;
      event.preventDefault();
      event.stopPropagation();
      board.handlers.pick?.(place, event);
      return;
    }
    const next = this.beside(place, event.key);
    if (!next) return;
    event.preventDefault();
    board.focusOn(next);
  }

  beside(place, key) {
    const rows = this.board.geometry.rows();
    const row = rows[0].includes(place) ? 0 : 1;
    const column = rows[row].indexOf(place);
    switch (key) {
      case "ArrowLeft": return rows[row][Math.max(column - 1, 0)];
      case "ArrowRight": return rows[row][Math.min(column + 1, rows[row].length - 1)];
      case "ArrowUp": return rows[0][column];
      case "ArrowDown": return rows[1][column];
      case "Home": return rows[row][0];
      case "End": return rows[row][rows[row].length - 1];
      case "n": return this.usableAfter(place);
      default: return null;
    }
  }

  // In the order the checkers of the player at the bottom travel.
  usableAfter(place) {
    const order = ["bar-bottom", ...Array.from({ length: 24 }, (_, i) => String(24 - i)), "off-bottom", "bar-top", "off-top"];
    const at = order.indexOf(place);
    const round = [...order.slice(at + 1), ...order.slice(0, at + 1)];
    return round.find((each) => this.board.usable(each)) ?? null;
  }
}
