// Rollouts: asked for, watched while they run, stopped.

import * as api from "./api.js";
import { chancesChart, convergenceChart } from "./charts.js";
import { $, announce, h, percent, replace, signed, wait } from "./dom.js";
import { cubeTable } from "./tutor.js";
import { actWords, playersOf, sureText } from "./words.js";

const POLL = 400;

export class RolloutPanel {
  constructor(root, showMoves) {
    this.root = root;
    this.showMoves = showMoves;
    this.job = null;
    this.trials = h(
      "select",
      { id: "trials" },
      [144, 360, 1296, 5184, 12960].map((trials) => h("option", { value: String(trials), selected: trials === 360 }, `${trials}`)),
    );
    this.plies = h("select", { id: "rollout-plies" }, [0, 1].map((plies) => h("option", { value: String(plies) }, `${plies}-ply`)));
    this.plays = h("select", { id: "rollout-plays" }, [1, 2, 3, 5, 10].map((count) => h("option", { value: String(count), selected: count === 3 }, `best ${count}`)));
    this.playsLabel = h("label", { class: "inline" }, "Plays ", this.plays);
    this.figures = h("div", { id: "rollout-figures" });
    this.startButton = h("button", { type: "button", id: "start-rollout", onclick: () => this.start() }, "Roll out");
    this.stopButton = h("button", { type: "button", id: "stop-rollout", hidden: true, onclick: () => this.stop() }, "Stop");
    replace(
      root,
      h("h2", {}, "Rollout"),
      h(
        "div",
        { class: "row wrap" },
        h("label", { class: "inline" }, "Trials ", this.trials),
        h("label", { class: "inline" }, "Plies ", this.plies),
        this.playsLabel,
        this.startButton,
        this.stopButton,
      ),
      this.figures,
    );
  }

  // Another position: what ran for the old one is stopped.
  reset(situation) {
    if (this.situation?.xgid === situation.xgid) return;
    this.stop();
    this.job = null;
    this.situation = situation;
    this.playsLabel.hidden = !situation.dice;
    replace(this.figures);
  }

  async start() {
    this.startButton.disabled = true;
    try {
      const job = await api.post("rollouts", {
        id: this.situation.xgid,
        trials: Number(this.trials.value),
        plies: Number(this.plies.value),
        plays: Number(this.plays.value),
      });
      this.job = job.job;
      this.stopButton.hidden = false;
      this.show(job);
      await this.watch(job.job);
    } catch (error) {
      replace(this.figures, h("p", { class: "problem" }, error.message));
    }
    this.startButton.disabled = false;
    this.stopButton.hidden = true;
  }

  async watch(id) {
    for (;;) {
      await wait(POLL);
      if (this.job !== id) return;
      const job = await api.get(`rollouts/${id}`);
      if (this.job !== id) return;
      this.show(job);
      if (!["waiting", "running"].includes(job.state)) {
        announce(`Rollout ${job.state} after ${job.trials} trials.`);
        return;
      }
    }
  }

  stop() {
    if (this.job) api.del(`rollouts/${this.job}`).catch(() => {});
  }

  show(job) {
    const { settings } = job;
    const words = { waiting: "Waiting", running: "Running", done: "Done", cancelled: "Stopped", failed: `Failed: ${job.error}` };
    replace(
      this.figures,
      h("progress", { max: "1", value: job.progress, "aria-label": "Progress of the rollout" }),
      h("p", { class: "quiet", id: "rollout-state" }, `${words[job.state]}: ${job.trials} of ${settings.trials} trials, ${job.seconds.toFixed(1)} s`),
      job.rows.length ? (job.kind === "plays" ? this.playsTable(job) : this.position(job)) : null,
      job.rows.length ? convergenceChart(job.curve, settings.trials) : null,
      h(
        "p",
        { class: "quiet" },
        `${job.engine}, ${settings.cubeless ? "cubeless" : "cubeful"}, seed ${settings.seed}, variance reduction ${settings.variance_reduction}, intervals 95%`,
      ),
      job.note ? h("p", { class: "quiet" }, job.note) : null,
    );
  }

  playsTable(job) {
    return h(
      "table",
      { class: "plays" },
      h("thead", {}, h("tr", {}, ["Play", "Equity", "± 95%", "Win"].map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        {},
        job.rows.map((row) =>
          h(
            "tr",
            { onclick: () => this.showMoves(row.moves) },
            h("td", {}, h("button", { type: "button", class: "link" }, row.play)),
            h("td", { class: "figure" }, signed(row.equity.mean), row.difference ? h("small", {}, ` (${signed(row.difference.mean)})`) : null),
            h("td", { class: "figure" }, ((row.equity.high - row.equity.low) / 2).toFixed(3)),
            h("td", { class: "figure" }, percent(row.chances.win)),
          ),
        ),
      ),
    );
  }

  position(job) {
    const row = job.rows[0];
    const { cube } = job;
    const players = playersOf(this.situation);
    const plain = (figure) => `${signed(figure.mean)} ± ${((figure.high - figure.low) / 2).toFixed(3)}`;
    const facts = [`${actWords("no_double", cube.redouble)} ${plain(cube.figures.no_double)}`];
    if (cube.figures.double_take) {
      facts.push(`${actWords("double", cube.redouble)}, take ${plain(cube.figures.double_take)}`, `difference ${plain(cube.figures.gain)}`);
      facts.push(`the probability that the verdict is right: ${sureText(cube.confidence)}`);
    }
    return h(
      "div",
      {},
      h("p", { class: "verdict-title" }, cube.verdict),
      cubeTable(cube, players),
      h("p", {}, `Cubeful, 95% intervals: ${facts.join("; ")}.`),
      chancesChart(row.chances, players),
    );
  }
}
