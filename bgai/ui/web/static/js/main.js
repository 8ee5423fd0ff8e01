// The page: which view is shown, whether the engine is ready, the dialogs.

import * as api from "./api.js";
import { AnalysisView, START } from "./analyse.js";
import { $, h, replace, toast, wait } from "./dom.js";
import { gamesDialog } from "./games.js";
import { newGameDialog, settingsDialog } from "./newgame.js";
import { PlayView } from "./play.js";
import { applyTheme, onPref, prefs, setPref } from "./prefs.js";

let status = null;
let play = null;
let analysis = null;
let linked = null; // the ID this page put into its own address

function openAnalysis(id) {
  location.hash = `#/analyse?id=${encodeURIComponent(id)}`;
}

function setLink(id) {
  linked = id;
  const wanted = `#/analyse?id=${encodeURIComponent(id)}`;
  if (location.hash !== wanted) history.replaceState(null, "", wanted);
}

function newGame() {
  newGameDialog(status, async (settings) => {
    location.hash = "#/play";
    try {
      await play.start(settings);
    } catch (error) {
      toast(error.message, "error");
    }
  });
}

async function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const analysing = path === "analyse";
  $("#play").hidden = analysing;
  $("#analyse").hidden = !analysing;
  for (const [id, active] of [["nav-play", !analysing], ["nav-analyse", analysing]]) {
    if (active) $(`#${id}`).setAttribute("aria-current", "page");
    else $(`#${id}`).removeAttribute("aria-current");
  }
  document.title = analysing ? "Analysis – bgai" : "bgai";
  if (!analysing) return;
  const id = new URLSearchParams(query ?? "").get("id");
  if (id && id !== linked) await analysis.open(id);
  else if (!analysis.situation) await analysis.open(START);
}

// The first start compiles the engine; until then answers take longer, and the page says so.
async function watchWarmUp() {
  const banner = $("#warm-up");
  for (;;) {
    const { ready, stage, done, steps, error } = status.warm_up;
    banner.hidden = ready && !error;
    if (error) replace(banner, `The engine is not well: ${error}`);
    else if (!ready) replace(banner, h("progress", { max: steps, value: done, "aria-label": "Getting ready" }), ` Getting ready: ${stage || "starting"}. The very first start takes a minute or so; answers are slow until then.`);
    if (ready && !error && !status.trained) {
      banner.hidden = false;
      replace(banner, "No trained network is found: the hand-made player, which is far weaker, plays and judges.");
    }
    if (ready) return;
    await wait(700);
    status = await api.status().catch(() => status);
  }
}

async function games() {
  try {
    await gamesDialog({
      opened: play.game?.id,
      open: async (id) => {
        location.hash = "#/play";
        await play.open(id).catch((error) => toast(error.message, "error"));
      },
      removed: (id) => play.game?.id === id && newGame(),
    });
  } catch (error) {
    toast(error.message, "error");
  }
}

function tutorSwitch() {
  const box = $("#tutor-switch");
  box.checked = prefs.tutor;
  box.addEventListener("change", () => setPref("tutor", box.checked));
  onPref(() => (box.checked = prefs.tutor));
}

async function begin() {
  applyTheme();
  for (;;) {
    try {
      status = await api.status();
      break;
    } catch (error) {
      replace($("#warm-up"), error.message);
      $("#warm-up").hidden = false;
      await wait(1500);
    }
  }
  watchWarmUp();
  play = new PlayView($("#play"), { openAnalysis, newGame });
  analysis = new AnalysisView($("#analyse"), { setLink, plies: Math.min(2, status.limits.plies) });
  $("#settings").addEventListener("click", settingsDialog);
  $("#games").addEventListener("click", games);
  tutorSwitch();
  window.addEventListener("hashchange", route);
  const analysing = location.hash.startsWith("#/analyse");
  document.body.dataset.ready = "true";
  await route();
  const resumed = await play.resume();
  if (!resumed && !analysing) newGame();
  else if (!resumed) $("#nav-play").addEventListener("click", () => play.game || newGame());
}

begin();
