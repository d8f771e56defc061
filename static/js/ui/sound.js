/** Sounds, synthesised by zzfx: none before the first gesture, each short and quiet. */
import { prefs } from "../prefs.js";

/** @type {Record<string, (number | undefined)[]>} parameters of zzfx, see its README */
const SOUNDS = {
  deal: [0.5, 0.1, 180, 0.002, 0.01, 0.03, 4, 2, , , , , , 6],
  card: [0.7, 0.08, 140, 0.001, 0.012, 0.045, 4, 2.2, , , , , , 4],
  turn: [0.5, 0, 587, 0.005, 0.05, 0.18, 0, 1, , , 196, 0.07],
  hurry: [0.45, 0, 880, 0.002, 0.02, 0.06, 0, 1],
  gather: [0.4, 0.1, 110, 0.01, 0.03, 0.08, 4, 1.6, , , , , , 3],
  belote: [0.6, 0, 523, 0.005, 0.08, 0.3, 0, 1, , , 262, 0.09],
  won: [0.7, 0, 392, 0.01, 0.16, 0.5, 0, 1, , , 196, 0.12, 0.0],
  lost: [0.5, 0, 262, 0.02, 0.15, 0.45, 0, 1, , , -65, 0.14],
};

/** @type {Promise<{ zzfx: (...parameters: any[]) => unknown }> | null} */
let engine = null;

/** The first gesture wakes the engine; before it a browser would refuse the sound anyway. */
export function soundsOnFirstGesture() {
  const wake = () => {
    removeEventListener("pointerdown", wake);
    removeEventListener("keydown", wake);
    const url = new URL("../../vendor/zzfx/ZzFX.js", import.meta.url).href;
    if ("AudioContext" in window) engine = import(url);
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
}

/** @param {keyof typeof SOUNDS | string} name */
export function sound(name) {
  if (!prefs.sounds || engine === null || document.hidden) return;
  const [volume = 1, ...rest] = SOUNDS[name];
  void engine.then(({ zzfx }) => zzfx(volume * prefs.volume, ...rest)).catch(() => {
    engine = null; // no audio device: the game goes on in silence
  });
}
