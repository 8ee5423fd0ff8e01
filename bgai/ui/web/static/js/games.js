// The dialog with the saved games: go on with one, or remove it.

import * as api from "./api.js";
import { $, h, replace } from "./dom.js";

export async function gamesDialog({ open, opened, removed }) {
  const dialog = $("#games-dialog");
  const said = await api.get("games?count=1000");
  const rows = said.games.map((game) => {
    const row = h(
      "li",
      { class: "row" },
      h("button", { type: "button", class: "game", onclick: () => (dialog.close(), open(game.id)) }, gameText(game)),
      h("button", {
        type: "button", class: "quiet-button", "aria-label": `Remove the ${gameText(game)}`,
        onclick: async () => {
          await api.del(`games/${game.id}`);
          row.remove();
          removed(game.id);
        },
      }, "Remove"),
    );
    if (game.id === opened) row.setAttribute("aria-current", "true");
    return row;
  });
  replace(
    dialog,
    h(
      "form",
      { method: "dialog", class: "dialog-form" },
      h("h2", { id: "games-title" }, "Your games"),
      rows.length ? h("ul", { class: "games" }, rows) : h("p", { class: "quiet" }, "No game yet."),
      h("p", { class: "quiet" }, keptText(said)),
      h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, "Done")),
    ),
  );
  dialog.showModal();
}

export function gameText(game) {
  const kind = game.length ? `match to ${game.length}` : "money game";
  const score = game.length ? `, ${game.points[0]}–${game.points[1]}` : "";
  const state = game.over ? "finished" : `game ${game.game_number}${score}`;
  return `${kind} against ${game.level}, ${state}, ${game.saved.replace("T", " ").slice(0, 16)} UTC`;
}

export function keptText({ kept, removed }) {
  const rule = `Finished games beyond ${kept} are removed, the oldest first.`;
  return removed ? `${rule} ${removed} were since the start.` : rule;
}
