// Elements without a framework: h("div", {class: "x", onclick: f}, "text", child), s(...) for SVG.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name in element && ["value", "checked", "disabled", "selected", "open"].includes(name)) {
      element[name] = value;
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (selector, root = document) => root.querySelector(selector);

export const replace = (element, ...children) => {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const signed = (value, digits = 3) =>
  value === null || value === undefined ? "–" : (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);

export const percent = (value, digits = 1) => (100 * value).toFixed(digits);

export function announce(text) {
  const region = $("#live");
  if (region && region.textContent !== text) region.textContent = text;
}

let toastTimer = 0;

// A word that goes by itself, where it covers nothing that can be used.
export function toast(text, kind = "note") {
  const box = $("#toast");
  box.textContent = text;
  box.dataset.kind = kind;
  box.hidden = false;
  box.style.top = `${freeRow(box)}px`;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), kind === "error" ? 6000 : 2500);
}

// The highest place below the header, in pixels, without a button, link or field under the box.
function freeRow(box) {
  const { left, right, height } = box.getBoundingClientRect();
  const used = [...document.querySelectorAll("button, a[href], input, select, summary, textarea")]
    .map((each) => each.getBoundingClientRect())
    .filter((area) => area.width && area.left < right && area.right > left);
  const free = (top) => used.every((area) => area.bottom <= top || area.top >= top + height);
  const first = $("header")?.getBoundingClientRect().bottom ?? 0;
  for (let top = Math.max(first, 0) + 6; top + height < innerHeight; top += 8) if (free(top)) return top;
  return 6;
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "offscreen", value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(`${what} copied`);
}
