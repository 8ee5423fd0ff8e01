// The dialog of a new game with its terms, and the fields of the settings.

import { $, h, replace } from "./dom.js";
import { prefs, saveTerms, savedTerms, setPref } from "./prefs.js";

const LAST = {
  kind: "match", length: 5, level: "best", jacoby: true, beavers: 1, automatic: 0, maxCube: "", starter: "", seed: "",
};

export function newGameDialog(status, start) {
  const dialog = $("#new-game-dialog");
  const last = { ...LAST, ...savedTerms() };
  if (![...status.levels.map((level) => level.name), "best"].includes(last.level)) last.level = "best";
  const option = (value, text, chosen) => h("option", { value, selected: String(chosen) === value }, text);
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
    h("h2", { id: "new-game-title" }, "New game"),
    field(
      "Opponent",
      h(
        "select",
        { name: "level", id: "level" },
        option("best", `best – the strongest (${status.best})`, last.level),
        [...status.levels].reverse().map((level) => option(level.name, `${level.name} – ${level.description}`, last.level)),
      ),
    ),
    h(
      "div",
      { class: "segmented", role: "radiogroup", "aria-label": "What is played" },
      [["match", "Match"], ["money", "Money game"]].map(([value, text]) =>
        h("label", {}, h("input", { type: "radio", name: "kind", value, checked: last.kind === value, onchange: () => shape() }), h("span", {}, text)),
      ),
    ),
    length,
    money,
    h(
      "details",
      {},
      h("summary", {}, "More"),
      h(
        "div",
        { class: "fields" },
        field("Highest cube", select("maxCube", [["", "no limit"], ["2", "2"], ["4", "4"], ["8", "8"], ["16", "16"], ["32", "32"], ["64", "64"]], last.maxCube)),
        field("Who starts", select("starter", [["", "the dice decide"], ["0", "you"], ["1", "the program"]], last.starter)),
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
    const match = form.elements.kind.value === "match";
    money.hidden = match;
    length.hidden = !match;
    form.elements.points.disabled = !match;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = termsOf(form);
    saveTerms({ ...chosen, seed: "" });
    dialog.close();
    start(request(chosen));
  });
  replace(dialog, form);
  shape();
  dialog.showModal();
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
    level: chosen.level,
    terms: { length: chosen.kind === "match" ? chosen.length : null, rules },
    seed: chosen.seed === "" ? null : Number(chosen.seed),
    starter: chosen.starter === "" ? null : Number(chosen.starter),
  };
}

export function settingsForm() {
  const toggle = (name, text) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: prefs[name], onchange: (event) => setPref(name, event.target.checked) }), h("span", {}, text));
  const choice = (name, text, values) =>
    field(text, h("select", { onchange: (event) => setPref(name, parse(event.target.value)) }, values.map(([value, label]) => h("option", { value: String(value), selected: prefs[name] === value }, label))));
  return h(
    "div",
    { class: "dialog-form" },
    choice("colour", "Your checkers", [["light", "light"], ["dark", "dark"]]),
    choice("homeLeft", "You bear off", [[false, "at the right"], [true, "at the left"]]),
    choice("theme", "Colours of the page", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]]),
    h("hr", {}),
    toggle("tutor", "Tutor: say what each of my decisions lost"),
    toggle("curve", "Show the equity while playing"),
    toggle("pips", "Show pip counts"),
    toggle("autoPlay", "Play forced moves by themselves"),
    toggle("autoRoll", "Roll the dice where no double is possible"),
    toggle("animate", "Animate dice and checkers"),
  );
}

const parse = (text) => (text === "true" ? true : text === "false" ? false : text);

function field(text, control) {
  return h("label", { class: "field" }, h("span", {}, text), control);
}

function check(name, text, value) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: value }), h("span", {}, text));
}

function select(name, values, chosen) {
  return h("select", { name }, values.map(([value, text]) => h("option", { value, selected: String(chosen) === value }, text)));
}
