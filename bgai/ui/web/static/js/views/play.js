// Play: the table stays as it is while another view is shown.

import { ask } from "../dialogs.js";
import { $, h, replace, toast } from "../dom.js";
import { gameRow, gamesDialog, unfinishedGames } from "../games.js";
import { newGameDialog } from "../newgame.js";
import { PlayView } from "../play.js";
import { takeWanted } from "../playfrom.js";
import { onPref, prefs, setPref } from "../prefs.js";
import { go } from "../router.js";
import { app } from "../views.js";
import { gameName } from "../words.js";

let play = null;

export async function mount(root) {
  replace($("#view-tools"), gamesButton(), tutorSwitch());
  if (play) root.replaceWith(play.root);
  else play = new PlayView(root, { openAnalysis: (id) => go("analyse", [], { id }), newGame });
  const position = takeWanted();
  const there = play.game || (await play.resume());
  if (!play.root.isConnected) return;
  if (!there) begin();
  if (position || !there) newGame(position);
}

export function unmount() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

const said = (error) => toast(error.message, "error");

// Whether the person wants to leave the game on the table, if one is going on.
async function mayLeave() {
  if (!play.unfinished) return true;
  return ask({
    title: "Leave this game?",
    text: `Your ${gameName(play.game)} is not finished. It is kept in “Your games”, where you can go on with it.`,
    yes: "Leave it", no: "Stay",
  });
}

async function newGame(position = null) {
  if (!(await mayLeave())) return;
  newGameDialog(app.status, (settings) => play.start(settings).catch(said), position);
}

async function open(id) {
  if (id === play.game?.id || (await mayLeave())) await play.open(id).catch(said);
}

// Without a game the page offers one, and those that wait to be gone on with.
async function begin() {
  const games = await unfinishedGames(6);
  if (play.game) return;
  play.showCard(
    "start-card",
    "Play backgammon",
    h("p", {}, h("button", { type: "button", class: "primary", id: "begin", onclick: () => newGame() }, "New game …")),
    games.length ? [h("h3", {}, "Go on with"), h("ul", { class: "games" }, games.map((game) => gameRow(game, { open: () => open(game.id) })))] : null,
  );
}

function gamesButton() {
  const removed = (id) => play.game?.id === id && play.forget().then(begin).then(() => newGame());
  const show = () => gamesDialog({ opened: play.game?.id, open, removed }).catch(said);
  return h("button", { type: "button", id: "games", class: "quiet-button", onclick: show }, "Your games");
}

function tutorSwitch() {
  const box = h("input", {
    type: "checkbox", id: "tutor-switch", role: "switch", checked: prefs.tutor,
    onchange: () => setPref("tutor", box.checked),
  });
  onPref(() => (box.checked = prefs.tutor));
  return h("label", { class: "switch" }, box, h("span", {}, "Tutor"));
}
