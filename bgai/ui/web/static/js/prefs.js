// What this browser remembers: preferences and the game in progress.

const DEFAULTS = {
  colour: "light", // of the person's checkers
  homeLeft: false, // bear off at the left
  numbers: "mine", // whose count the points show: "mine", "turn" (the player on roll) or "none"
  board: "green",
  checkers: "black",
  theme: "auto",
  tutor: false,
  autoPlay: true, // forced plays
  autoRoll: true, // where no double is possible
  autoOff: false, // bear off where nothing else makes sense
  oneClick: false, // a click moves at once
  animate: true,
  speed: "normal",
  sound: false,
  pips: true,
  curve: false, // winning chances while playing
  clock: "none", // "fischer" or "bronstein"
  minutes: 2, // for each point of a match, or for a money game
  seconds: 12, // for each turn
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

export function resetPrefs() {
  for (const [name, value] of Object.entries(DEFAULTS)) setPref(name, value);
}

export const onPref = (listener) => listeners.add(listener);

// The page's colours and the board's, which css/page.css and css/board.css know by these names.
export function applyTheme() {
  const { dataset } = document.documentElement;
  if (prefs.theme === "auto") delete dataset.theme;
  else dataset.theme = prefs.theme;
  dataset.board = prefs.board;
  dataset.checkers = prefs.checkers;
}

export const savedGame = () => read("bgai.game");
export const saveGame = (id) => write("bgai.game", id);
export const savedTerms = () => read("bgai.terms");
export const saveTerms = (terms) => write("bgai.terms", terms);
export const savedClock = () => read("bgai.clock");
export const saveClock = (clock) => write("bgai.clock", clock);
