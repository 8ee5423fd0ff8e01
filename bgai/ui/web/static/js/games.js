// The saved games: a list to go on with one or to remove it, in a dialog or on the page.

import * as api from "./api.js";
import { ask } from "./dialogs.js";
import { $, h, replace } from "./dom.js";

// `open(id)` goes on with a game; `removed(id)` is told of one that is gone; `opened` is the ID of
// the game on the table.
export async function gamesDialog({ open, opened, removed }) {
  const dialog = $("#games-dialog");
  const said = await api.get("games?count=1000");
  const rows = said.games.map((game) => gameRow(game, { open: () => (dialog.close(), open(game.id)), opened, removed }));
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

// The unfinished games, the latest first, at most `most`; nothing where a server lists none.
export async function unfinishedGames(most) {
  const said = await api.get("games?count=100").catch(() => ({ games: [] }));
  return said.games.filter((game) => !game.over).slice(0, most);
}

export function gameRow(game, { open, opened = null, removed = () => {} }) {
  const text = gameText(game);
  const remove = async () => {
    const sure = game.over || (await ask({ title: "Remove this game?", text: `The ${text} is not finished.`, yes: "Remove", no: "Keep" }));
    if (!sure) return;
    await api.del(`games/${game.id}`);
    row.remove();
    removed(game.id);
  };
  const row = h(
    "li",
    { class: "row" },
    h("button", { type: "button", class: "game", onclick: open }, text),
    h("button", { type: "button", class: "quiet-button", "aria-label": `Remove the ${text}`, onclick: remove }, "Remove"),
  );
  if (game.id === opened) row.setAttribute("aria-current", "true");
  return row;
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
