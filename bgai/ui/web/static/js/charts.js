// Charts: winning chances of both sides, equity over a game, a rollout settling down.

import { h, percent, s, signed } from "./dom.js";

// Two bars on one scale: how much each side wins, the gammon and backgammon part of it darker.
// `players` are two {of, name, tone}; whose chances they are is said by `chances.of`.
export function chancesChart(chances, players) {
  const rows = players.map(({ of, name, tone }) =>
    of === chances.of
      ? [name, tone, chances.win, chances.win_gammon, chances.win_backgammon]
      : [name, tone, 1 - chances.win, chances.lose_gammon, chances.lose_backgammon],
  );
  return h(
    "div",
    { class: "chances" },
    rows.map(([name, tone, win, gammon, backgammon]) =>
      h(
        "div",
        { class: "chances-row" },
        h("span", { class: "chances-name" }, h("i", { class: `chip ${tone}` }), name),
        h(
          "div",
          {
            class: `bar-track`,
            role: "img",
            "aria-label": `${name} wins ${percent(win)} percent, gammon ${percent(gammon)}, backgammon ${percent(backgammon)}`,
          },
          h("div", { class: "bar-win", style: { width: `${100 * win}%` } }),
          h("div", { class: "bar-gammon", style: { width: `${100 * gammon}%` } }),
          h("div", { class: "bar-backgammon", style: { width: `${100 * backgammon}%` } }),
        ),
        h("b", { class: "chances-win" }, `${percent(win)}%`),
        h("span", { class: "chances-more" }, `gammon ${percent(gammon)}, backgammon ${percent(backgammon)}`),
      ),
    ),
  );
}

const W = 320;
const H = 132;
const PAD = { left: 34, right: 10, top: 8, bottom: 20 };

function frame(label, low, high, ticks, format) {
  const y = (value) => PAD.top + ((high - value) / (high - low || 1)) * (H - PAD.top - PAD.bottom);
  const svg = s(
    "svg",
    { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label },
    ticks.map((tick) => [
      s("line", { class: tick === 0 ? "axis" : "grid", x1: PAD.left, x2: W - PAD.right, y1: y(tick), y2: y(tick) }),
      s("text", { class: "tick", x: PAD.left - 4, y: y(tick) + 3.5, "text-anchor": "end" }, format(tick)),
    ]),
  );
  return { svg, y };
}

function niceTicks(low, high) {
  const raw = (high - low) / 3 || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= raw) ?? raw;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9; tick += step) {
    ticks.push(Math.abs(tick) < 1e-12 ? 0 : tick);
  }
  return ticks;
}

const line = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

// Equity of one seat before every turn; `marks` are {act, text, word} of decisions that lost something.
export function equityChart(points, marks = []) {
  if (points.length < 2) return h("p", { class: "quiet" }, "The chart begins after two turns.");
  const values = points.map((point) => point.equity);
  const reach = Math.max(0.5, ...values.map(Math.abs)) * 1.08;
  const last = points.at(-1).act;
  const { svg, y } = frame(
    `Your equity over the game, now ${signed(values.at(-1))}`, -reach, reach,
    niceTicks(-reach, reach), (tick) => (tick === 0 ? "0" : signed(tick, reach > 2 ? 0 : 1)),
  );
  const x = (act) => PAD.left + (act / (last || 1)) * (W - PAD.left - PAD.right);
  let cube = points[0].cube;
  for (const point of points) {
    if (point.cube !== cube) {
      svg.append(
        s("line", { class: "cube-turn", x1: x(point.act), x2: x(point.act), y1: PAD.top, y2: H - PAD.bottom }),
        s("text", { class: "tick", x: x(point.act) + 3, y: PAD.top + 9 }, `cube ${point.cube}`),
      );
      cube = point.cube;
    }
  }
  const path = points.map((point) => [x(point.act), y(point.equity)]);
  const zero = y(0);
  svg.append(
    s("path", { class: "area", d: `${line(path)} L${path.at(-1)[0]},${zero} L${path[0][0]},${zero} Z` }),
    s("path", { class: "line", d: line(path) }),
  );
  for (const mark of marks) {
    const near = points.filter((point) => point.act <= mark.act).at(-1) ?? points[0];
    svg.append(
      s("circle", { class: `chart-mark ${mark.word || "none"}`, cx: x(near.act), cy: y(near.equity), r: 4 }, s("title", {}, mark.text)),
    );
  }
  svg.append(s("text", { class: "tick", x: W - PAD.right, y: H - 5, "text-anchor": "end" }, `${points.length} turns`));
  return svg;
}

// The mean of a rollout and its 95% interval by the number of trials.
export function convergenceChart(curve, total) {
  if (curve.length < 2) return h("p", { class: "quiet" }, "The chart begins after two batches.");
  const settled = curve.slice(Math.min(2, curve.length - 2));
  const low = Math.min(...settled.map((point) => point.low));
  const high = Math.max(...settled.map((point) => point.high));
  const margin = (high - low) * 0.06 || 0.01;
  const { svg, y } = frame(
    `Mean ${signed(curve.at(-1).mean)} after ${curve.at(-1).trials} trials`, low - margin, high + margin,
    niceTicks(low, high), (tick) => signed(tick, high - low < 0.1 ? 3 : 2),
  );
  const x = (trials) => PAD.left + (trials / total) * (W - PAD.left - PAD.right);
  const clamp = (value) => Math.max(PAD.top, Math.min(H - PAD.bottom, y(value)));
  const upper = curve.map((point) => [x(point.trials), clamp(point.high)]);
  const lower = curve.map((point) => [x(point.trials), clamp(point.low)]).reverse();
  svg.append(
    s("path", { class: "band", d: `${line([...upper, ...lower])} Z` }),
    s("path", { class: "line", d: line(curve.map((point) => [x(point.trials), clamp(point.mean)])) }),
    s("text", { class: "tick", x: W - PAD.right, y: H - 5, "text-anchor": "end" }, `${total} trials`),
  );
  return svg;
}
