// The settings: everything this browser remembers of how a person likes to play.

import { h } from "./dom.js";
import { prefs, resetPrefs, setPref } from "./prefs.js";
import { sound } from "./sound.js";

const GROUPS = [
  ["The board", [
    choice("board", "Board", [["green", "green felt"], ["sea", "blue"], ["wine", "wine red"], ["sand", "sand"], ["slate", "slate"], ["contrast", "high contrast"]]),
    choice("checkers", "Dark checkers", [["black", "black"], ["red", "red"], ["blue", "blue"], ["brown", "brown"]]),
    choice("colour", "Your checkers", [["light", "light"], ["dark", "dark"]]),
    choice("homeLeft", "You bear off", [[false, "at the right"], [true, "at the left"]]),
    choice("numbers", "Numbers of the points", [["mine", "as you count"], ["turn", "as the player on roll counts"], ["none", "none"]]),
    toggle("pips", "Show pip counts"),
    choice("theme", "Colours of the page", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]]),
  ]],
  ["Moving", [
    toggle("oneClick", "One click moves a checker, by the die shown first"),
    toggle("autoRoll", "Roll by itself where no double is possible"),
    toggle("autoPlay", "Play forced moves by themselves"),
    toggle("autoOff", "Bear off by itself in a race where every die takes a checker off"),
    toggle("animate", "Animate dice and checkers"),
    choice("speed", "Speed of the animation", [["slow", "slow"], ["normal", "normal"], ["fast", "fast"]]),
    toggle("sound", "Sounds"),
  ]],
  ["Help", [
    toggle("tutor", "Tutor: say what each of your decisions lost"),
    toggle("curve", "Show the equity while playing"),
  ]],
  ["Clock of new games", [
    choice("clock", "Clock", [["none", "none"], ["bronstein", "Bronstein: a turn is free up to its seconds"], ["fischer", "Fischer: the seconds are added after each turn"]]),
    figure("minutes", "Minutes for each point of a match, or for a money game", 1, 60),
    figure("seconds", "Seconds for each turn", 0, 120),
  ]],
];

function toggle(name, text) {
  return () =>
    h("label", { class: "check" },
      h("input", { type: "checkbox", name, checked: prefs[name], onchange: (event) => change(name, event.target.checked) }),
      h("span", {}, text));
}

function choice(name, text, values) {
  return () =>
    h("label", { class: "field" }, h("span", {}, text),
      h("select", { name, onchange: (event) => change(name, values[event.target.selectedIndex][0]) },
        values.map(([value, label]) => h("option", { value: String(value), selected: prefs[name] === value }, label))));
}

function figure(name, text, min, max) {
  const take = (input) => input.validity.valid && input.value !== "" && change(name, Number(input.value));
  return () =>
    h("label", { class: "field" }, h("span", {}, text),
      h("input", { type: "number", name, min, max, step: 1, value: prefs[name], onchange: (event) => take(event.target) }));
}

function change(name, value) {
  setPref(name, value);
  if (name === "sound" && value) sound("dice");
}

// Fieldsets with everything; `again()` is called when all is back as at first.
export function settingsForm(again) {
  return h(
    "form",
    { class: "settings", onsubmit: (event) => event.preventDefault() },
    GROUPS.map(([title, fields]) => h("fieldset", {}, h("legend", {}, title), fields.map((field) => field()))),
    h("div", { class: "row" }, h("button", { type: "button", id: "reset-settings", onclick: () => (resetPrefs(), again()) }, "As at first")),
  );
}
