// Sounds of a table, made here: wood on wood, dice, the cube. Silent unless wanted.

import { prefs } from "./prefs.js";

let context = null;
let noise = null;

function ready() {
  if (!context) {
    context = new AudioContext();
    noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  if (context.state === "suspended") context.resume();
  return context.currentTime;
}

function fading(at, loud, length) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + length);
  gain.connect(context.destination);
  return gain;
}

// A knock: a burst of noise around a pitch.
function knock(at, pitch, loud, length) {
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  source.connect(filter).connect(fading(at, loud, length));
  source.start(at, Math.random() * 0.3, length);
}

function tone(at, pitch, loud, length) {
  const source = context.createOscillator();
  source.frequency.setValueAtTime(pitch, at);
  source.connect(fading(at, loud, length));
  source.start(at);
  source.stop(at + length);
}

const SOUNDS = {
  dice: (now) => [0, 0.06, 0.11, 0.19, 0.24, 0.33].forEach((at) => knock(now + at, 1700 + 900 * Math.random(), 0.5, 0.05)),
  checker: (now) => knock(now, 950, 0.7, 0.07),
  hit: (now) => {
    knock(now, 520, 1, 0.12);
    tone(now, 130, 0.25, 0.14);
  },
  cube: (now) => [0, 0.13].forEach((at) => knock(now + at, 700, 0.8, 0.1)),
  won: (now) => [523, 659, 784].forEach((pitch, index) => tone(now + 0.13 * index, pitch, 0.16, 0.5)),
  lost: (now) => [392, 330].forEach((pitch, index) => tone(now + 0.16 * index, pitch, 0.14, 0.5)),
};

export function sound(name) {
  if (!prefs.sound || !globalThis.AudioContext) return;
  try {
    SOUNDS[name](ready());
  } catch {
    // a browser without a sound device plays on
  }
}
