// The tutor's words, the hint and the summary of a game.

import { chancesChart, equityChart } from "./charts.js";
import { h, percent, signed } from "./dom.js";

const NAMES = {
  "no double": "not doubling",
  "no redouble": "not redoubling",
  double: "doubling",
  redouble: "redoubling",
  take: "taking",
  pass: "passing",
  beaver: "beavering",
};

const loss = (verdict) => verdict.cost.toFixed(3);

export function verdictText(verdict) {
  if (verdict.is_best) return verdict.kind === "play" ? `${verdict.made} is the best play.` : "Right decision.";
  const made = NAMES[verdict.made] ?? verdict.made;
  const best = NAMES[verdict.best] ?? verdict.best;
  return `${made} loses ${loss(verdict)}. Better: ${best}.`;
}

export function verdictCard(verdict, actions = []) {
  const kind = verdict.is_best ? "good" : verdict.word || "slight";
  const title = verdict.is_best ? "Well played" : verdict.word ? capital(verdict.word) : "Nearly";
  return h(
    "div",
    { class: `verdict ${kind}` },
    h("p", { class: "verdict-title" }, title, verdict.mark ? h("b", { class: "mark-text" }, ` ${verdict.mark}`) : null),
    h("p", {}, verdictText(verdict)),
    h("p", { class: "quiet" }, `judged by ${verdict.engine}`),
    actions.length ? h("div", { class: "row" }, actions) : null,
  );
}

// `players` as in chancesChart.
export function hintCard(hint, show, players) {
  if (hint.kind === "play") {
    return h(
      "div",
      { class: "hint" },
      playsTable(hint.plays, (play) => show(play.moves)),
      h("p", { class: "quiet" }, `${hint.engine}; equity to you. Click a play to see its arrows.`),
    );
  }
  const words = { roll: "Do not double: roll.", accept: "Accept.", refuse: "Refuse: playing on is worth more." };
  const text = words[hint.advice] ?? `${capital(hint.advice)}.`;
  return h(
    "div",
    { class: "hint" },
    h("p", { class: "verdict-title" }, text),
    hint.kind === "cube" ? cubeTable(hint, players) : null,
    chancesChart(hint.chances, players),
    h("p", { class: "quiet" }, hint.engine),
  );
}

export function playsTable(plays, pick, chosen = -1) {
  return h(
    "table",
    { class: "plays" },
    h("thead", {}, h("tr", {}, [h("span", { class: "offscreen" }, "Rank"), "Play", "Equity", "Win", "Gammon"].map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      plays.map((play, index) =>
        h(
          "tr",
          { class: index === chosen ? "chosen" : null, onclick: () => pick(play, index) },
          h("td", { class: "rank" }, String(index + 1)),
          h("td", {}, h("button", { class: "link", type: "button" }, play.play)),
          h(
            "td",
            { class: "figure" },
            signed(play.equity),
            index ? h("small", {}, ` (${signed(play.difference)})`) : null,
          ),
          h("td", { class: "figure" }, percent(play.chances.win)),
          h("td", { class: "figure" }, percent(play.chances.win_gammon)),
        ),
      ),
    ),
  );
}

// The three equities of a cube decision, the one that counts marked. `cube.of` has the cube.
export function cubeTable(cube, players) {
  const { name } = players.find((player) => player.of === cube.of);
  const title = name === "You" ? "Your equity" : `Equity of ${name === "On roll" ? "the player on roll" : name}`;
  if (cube.double_take === null) {
    return h("p", {}, `${title} ${signed(cube.no_double)}; the cube can't be turned: ${cube.access}.`);
  }
  const word = cube.redouble ? "redouble" : "double";
  const rows = [
    [`No ${word}`, cube.no_double, cube.match_chances?.no_double, cube.costs.no_double],
    [`${capital(word)}, take`, cube.double_take, cube.match_chances?.double_take, null],
    [`${capital(word)}, pass`, cube.double_pass, cube.match_chances?.double_pass, null],
  ];
  if (cube.beaver !== null) rows.push([`${capital(word)}, beaver`, cube.beaver, null, null]);
  const worth = rows.map((row) => row[1]);
  const low = Math.min(...worth, 0);
  const high = Math.max(...worth, 0, low + 0.1);
  const place = (value) => (100 * (value - low)) / (high - low);
  return h(
    "table",
    { class: "cube-table" },
    h("caption", {}, title),
    rows.map(([name, equity, chance]) =>
      h(
        "tr",
        { class: Math.abs(equity - cube.equity) < 1e-9 ? "chosen" : null },
        h("th", { scope: "row" }, name),
        h("td", { class: "figure" }, signed(equity)),
        h("td", { class: "figure" }, chance === null || chance === undefined ? "" : `${percent(chance)}% match`),
        h(
          "td",
          { class: "cube-bar" },
          h("i", {
            style: {
              left: `${Math.min(place(0), place(equity))}%`,
              width: `${Math.max(1, Math.abs(place(equity) - place(0)))}%`,
            },
          }),
        ),
      ),
    ),
  );
}

export function summaryCard(summary, open) {
  const rows = [
    ["Decisions", (seat) => seat.decisions],
    ["Equity lost", (seat) => seat.lost.toFixed(3)],
    ["Error rate (mEq)", (seat) => (seat.error_rate ?? 0).toFixed(1)],
    ["Performance rating", (seat) => (seat.rating ?? 0).toFixed(2)],
    ["Blunders ??", (seat) => seat.marks.blunder],
    ["Errors ?", (seat) => seat.marks.error],
    ["Doubtful ?!", (seat) => seat.marks.doubtful],
    ["Luck", (seat) => signed(seat.luck)],
  ];
  return h(
    "div",
    { class: "summary" },
    h(
      "table",
      { class: "summary-table" },
      h("thead", {}, h("tr", {}, h("td", {}), summary.seats.map((seat) => h("th", { scope: "col" }, seat.name)))),
      rows.map(([name, figure]) =>
        h("tr", {}, h("th", { scope: "row" }, name), summary.seats.map((seat) => h("td", { class: "figure" }, String(figure(seat))))),
      ),
    ),
    h("h3", {}, "Your equity over the game"),
    equityChart(
      summary.curve,
      summary.worst.map((each) => ({ act: each.act, word: each.word, text: `${each.made}: ${verdictText(each)}` })),
    ),
    h("h3", {}, "Your worst decisions"),
    summary.worst.length
      ? h(
          "ol",
          { class: "worst" },
          summary.worst.map((each) =>
            h(
              "li",
              {},
              h("span", { class: `badge ${each.word || "slight"}` }, `−${loss(each)}`),
              ` ${each.dice ? `${each.dice}: ` : ""}${verdictText(each)} `,
              h("button", { class: "link", type: "button", onclick: () => open(each) }, "Look at it"),
            ),
          ),
        )
      : h("p", {}, "None: every decision was the best or as good as the best."),
    h("p", { class: "quiet" }, `Judged by ${summary.engine}; luck right after the best play of each roll. Equity in units of the cube.`),
  );
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
