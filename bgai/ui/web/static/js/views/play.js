// Play: the table stays as it is while another view is shown.

import * as api from "../api.js";
import { $, h, replace, toast } from "../dom.js";
import { gamesDialog } from "../games.js";
import { newGameDialog } from "../newgame.js";
import { PlayView } from "../play.js";
import { onPref, prefs, setPref } from "../prefs.js";
import { go } from "../router.js";
import { app } from "../views.js";

let play = null;

export async function mount(root) {
  replace($("#view-tools"), gamesButton(), tutorSwitch());
  if (play) {
    root.replaceWith(play.root);
    if (play.game) return;
  } else play = new PlayView(root, { openAnalysis: (id) => go("analyse", [], { id }), newGame });
  if (!(await play.resume()) && play.root.isConnected) newGame();
}

export function unmount() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

const said = (error) => toast(error.message, "error");

function newGame() {
  newGameDialog(app.status, (settings) => play.start(settings).catch(said));
}

function gamesButton() {
  const show = () =>
    gamesDialog({
      opened: play.game?.id,
      open: (id) => play.open(id).catch(said),
      removed: (id) => play.game?.id === id && newGame(),
    }).catch(said);
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
