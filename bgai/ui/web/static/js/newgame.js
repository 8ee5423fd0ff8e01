// The dialog of a new game: the opponent and the terms, or a position to play on from.

import { $, h, replace } from "./dom.js";
import { saveTerms, savedTerms } from "./prefs.js";

const LAST = {
  kind: "match", length: 5, level: "best", jacoby: true, beavers: 1, automatic: 0, maxCube: "", starter: "", seed: "",
};

// `start(settings)` takes what POST /api/games wants; with `position`, an ID, the terms are its own.
export function newGameDialog(status, start, position = null) {
  const dialog = $("#new-game-dialog");
  const last = { ...LAST, ...savedTerms() };
  if (![...status.levels.map((level) => level.name), "best"].includes(last.level)) last.level = "best";
  const money = h(
    "div",
    { class: "fields" },
    check("jacoby", "Jacoby: gammons count only once the cube was turned", last.jacoby),
    field("Redoubles at once", select("beavers", [["0", "none"], ["1", "beavers"], ["2", "beavers and raccoons"]], last.beavers)),
    field("Automatic doubles", select("automatic", [["0", "none"], ["1", "one"], ["2", "two"], ["3", "three"]], last.automatic)),
  );
  const length = field("Points", h("input", { type: "number", name: "points", id: "match-length", min: "1", max: String(status.limits.match_length), value: last.length, required: true }));
  const form = h(
    "form",
    { method: "dialog", class: "dialog-form" },
    h("h2", { id: "new-game-title" }, position ? "Play on from this position" : "New game"),
    field("Opponent", opponents(status, last.level)),
    position ? field("You play", select("swap", [["", "the side that is to decide"], ["1", "the other side"]], "")) : kindOf(last),
    position ? null : [length, money],
    h(
      "details",
      {},
      h("summary", {}, "More"),
      h(
        "div",
        { class: "fields" },
        position ? null : field("Highest cube", select("maxCube", [["", "no limit"], ["2", "2"], ["4", "4"], ["8", "8"], ["16", "16"], ["32", "32"], ["64", "64"]], last.maxCube)),
        position ? null : field("Who starts", select("starter", [["", "the dice decide"], ["0", "you"], ["1", "the program"]], last.starter)),
        field("Seed of the dice", h("input", { type: "number", name: "seed", id: "seed", min: "0", max: "9007199254740991", placeholder: "random", value: last.seed })),
      ),
    ),
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "submit", class: "primary", id: "start-game" }, "Play"),
    ),
  );
  const shape = () => {
    if (position) return;
    const match = form.elements.kind.value === "match";
    money.hidden = match;
    length.hidden = !match;
    form.elements.points.disabled = !match;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    if (position) return start({ ...common(form), position, swap: form.elements.swap.value === "1" });
    const chosen = termsOf(form);
    saveTerms({ ...chosen, seed: "" });
    start({ ...common(form), ...request(chosen) });
  });
  form.addEventListener("change", shape);
  replace(dialog, form);
  shape();
  dialog.showModal();
}

// The strongest first.
function opponents(status, chosen) {
  const rows = [["best", `best – the strongest (${status.best})`]];
  for (const level of [...status.levels].reverse()) rows.push([level.name, `${level.name} – ${level.description}`]);
  return select("level", rows, chosen, "level");
}

function kindOf(last) {
  return h(
    "div",
    { class: "segmented", role: "radiogroup", "aria-label": "What is played" },
    [["match", "Match"], ["money", "Money game"]].map(([value, text]) =>
      h("label", {}, h("input", { type: "radio", name: "kind", value, checked: last.kind === value }), h("span", {}, text)),
    ),
  );
}

function common(form) {
  const { level, seed } = form.elements;
  return { level: level.value, seed: seed.value === "" ? null : Number(seed.value) };
}

function termsOf(form) {
  const value = (name) => form.elements[name].value;
  return {
    kind: value("kind"), length: Number(value("points")), level: value("level"), jacoby: form.elements.jacoby.checked,
    beavers: Number(value("beavers")), automatic: Number(value("automatic")), maxCube: value("maxCube"),
    starter: value("starter"), seed: value("seed"),
  };
}

function request(chosen) {
  const rules = {
    jacoby: chosen.jacoby, beaver_turns: chosen.beavers, automatic_doubles: chosen.automatic,
    max_cube: chosen.maxCube === "" ? null : Number(chosen.maxCube),
  };
  return {
    terms: { length: chosen.kind === "match" ? chosen.length : null, rules },
    starter: chosen.starter === "" ? null : Number(chosen.starter),
  };
}

function field(text, control) {
  return h("label", { class: "field" }, h("span", {}, text), control);
}

function check(name, text, value) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: value }), h("span", {}, text));
}

function select(name, values, chosen, id = null) {
  return h("select", { name, id }, values.map(([value, text]) => h("option", { value, selected: String(chosen) === value }, text)));
}
