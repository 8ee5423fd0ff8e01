// Settings: what this browser remembers of a person's likes.

import { h, replace } from "../dom.js";
import { settingsForm } from "../newgame.js";

export function mount(root) {
  root.classList.add("single");
  replace(root, h("section", { class: "card" }, h("h1", {}, "Settings"), settingsForm()));
}

export function unmount() {}
