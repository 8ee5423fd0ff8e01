// A question with two answers.

import { h } from "./dom.js";

// True where the person said yes; Escape is no.
export function ask({ title, text, yes, no }) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "ask", "aria-labelledby": "ask-title", onclose: () => (dialog.remove(), resolve(dialog.returnValue === "yes")) },
      h(
        "form",
        { method: "dialog", class: "dialog-form" },
        h("h2", { id: "ask-title" }, title),
        h("p", {}, text),
        h(
          "div",
          { class: "row end" },
          h("button", { type: "submit", value: "no", id: "ask-no" }, no),
          h("button", { type: "submit", value: "yes", id: "ask-yes", class: "primary" }, yes),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
