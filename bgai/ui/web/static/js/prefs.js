// What this browser remembers: preferences and the game in progress.

const DEFAULTS = {
  colour: "light", // of the person's checkers
  homeLeft: false, // bear off at the left
  tutor: false,
  autoPlay: true, // forced plays
  autoRoll: true, // where no double is possible
  animate: true,
  pips: true,
  curve: false, // winning chances while playing
  theme: "auto",
};

const listeners = new Set();

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? null;
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // private windows may refuse; the page works without
  }
}

export const prefs = { ...DEFAULTS, ...read("bgai.prefs") };

export function setPref(name, value) {
  prefs[name] = value;
  write("bgai.prefs", prefs);
  applyTheme();
  for (const listener of listeners) listener(name);
}

export const onPref = (listener) => listeners.add(listener);

export function applyTheme() {
  if (prefs.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = prefs.theme;
}

export const savedGame = () => read("bgai.game");
export const saveGame = (id) => write("bgai.game", id);
export const savedTerms = () => read("bgai.terms");
export const saveTerms = (terms) => write("bgai.terms", terms);
