// The page: which view is shown, and whether the engine is ready.

import * as api from "./api.js";
import { $, h, replace, wait } from "./dom.js";
import { applyTheme } from "./prefs.js";
import { address, parse } from "./router.js";
import { VIEWS, app } from "./views.js";

let shown = null; // {view, module}
let wanted = 0; // a view that took long to load gives way to one asked for later

async function route() {
  const { name, path, query } = parse(location.hash);
  const view = VIEWS.find((each) => each.name === name) ?? VIEWS[0];
  const mine = ++wanted;
  mark(view);
  if (shown?.view === view && shown.module.update) return shown.module.update({ path, query });
  const module = await view.load();
  if (mine !== wanted) return;
  shown?.module.unmount();
  replace($("#view-tools"));
  const root = h("div", { id: view.name, class: "view" });
  replace($("#main"), root);
  shown = { view, module };
  await module.mount(root, { path, query });
}

async function show() {
  try {
    await route();
  } catch (error) {
    replace($("#main"), h("p", { class: "problem", role: "alert" }, `This view could not be shown: ${error.message}`));
    throw error;
  }
}

function mark(view) {
  for (const link of document.querySelectorAll("#views a")) {
    if (link.id === `nav-${view.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view.name === "play" ? "bgai" : `${view.title} – bgai`;
}

// The first start compiles the engine; until then answers take longer, and the page says so.
async function watchWarmUp() {
  const banner = $("#warm-up");
  for (;;) {
    const { ready, stage, done, steps, error } = app.status.warm_up;
    banner.hidden = ready && !error;
    if (error) replace(banner, `The engine is not well: ${error}`);
    else if (!ready) replace(banner, h("progress", { max: steps, value: done, "aria-label": "Getting ready" }), ` Getting ready: ${stage || "starting"}. The very first start takes a minute or so; answers are slow until then.`);
    if (ready && !error && !app.status.trained) {
      banner.hidden = false;
      replace(banner, "No trained network is found: the hand-made player, which is far weaker, plays and judges.");
    }
    if (ready) return;
    await wait(700);
    app.status = await api.status().catch(() => app.status);
  }
}

async function begin() {
  applyTheme();
  for (const { name, title } of VIEWS) $("#views").append(h("a", { id: `nav-${name}`, href: address(name) }, title));
  for (;;) {
    try {
      app.status = await api.status();
      break;
    } catch (error) {
      replace($("#warm-up"), error.message);
      $("#warm-up").hidden = false;
      await wait(1500);
    }
  }
  watchWarmUp();
  $(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // its address would be taken for a view's
    $("#main").focus();
  });
  window.addEventListener("hashchange", show);
  document.body.dataset.ready = "true";
  await show();
}

begin();
