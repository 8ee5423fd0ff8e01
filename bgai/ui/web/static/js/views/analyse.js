// Analyse: one position at a time, named by the address.

import { AnalysisView, START } from "../analyse.js";
import { relink } from "../router.js";
import { app } from "../views.js";

let analysis = null;
let linked = null; // the ID this page put into its own address

export async function mount(root, params) {
  if (analysis) root.replaceWith(analysis.root);
  else analysis = new AnalysisView(root, { setLink, plies: Math.min(2, app.status.limits.plies) });
  await update(params);
}

export async function update({ query }) {
  if (query.id && query.id !== linked) await analysis.open(query.id);
  else if (!analysis.situation) await analysis.open(START);
  else setLink(analysis.situation.xgid);
}

export function unmount() {}

function setLink(id) {
  linked = id;
  if (analysis.root.isConnected) relink("analyse", [], { id });
}
