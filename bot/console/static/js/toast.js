// A short message at the foot of the page.
import { byId } from "./dom.js";

const SHOWN_MS = 2500;
let timer = 0;

/** @param {string} text */
export function toast(text) {
  const line = byId("toast");
  line.textContent = text;
  line.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    line.hidden = true;
  }, SHOWN_MS);
}
