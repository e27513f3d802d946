// The demo league's evening: the button that begins one, and the line that shows its progress.
/** @import { EveningState } from "../../console.d.ts" */
import { beginEvening, readEvening } from "./api.js";
import { byId, elementOf } from "./dom.js";
import { toast } from "./toast.js";

export class Evening {
  /** @param {() => void} closeTray */
  constructor(closeTray) {
    this.line = byId("evening-line");
    this.button = elementOf("begin-evening", HTMLButtonElement);
    this.button.addEventListener("click", () => {
      closeTray();
      this.begin();
    });
    byId("close-evening").addEventListener("click", () => {
      this.line.hidden = true;
    });
  }

  async read() {
    const state = await readEvening();
    byId("evening").hidden = !state.here;
    if (state.here && state.games) this.show(state);
  }

  async begin() {
    try {
      this.show(await beginEvening());
    } catch {
      toast("いまは始められません");
    }
  }

  /** @param {EveningState} state */
  show(state) {
    this.button.disabled = state.running;
    this.line.hidden = false;
    this.line.classList.toggle("over", !state.running);
    byId("evening-words").textContent = progressText(state);
    byId("close-evening").hidden = state.running;
    const share = state.games ? 100 * state.done / state.games : 0;
    byId("evening-done").style.width = `${share}%`;
  }
}

/** @param {EveningState} state */
function progressText({ running, done, games, tables, time, problem }) {
  if (problem) return `部屋の結果を読めません：${problem}`;
  if (!games) return "対局を始めています…";
  if (!running) {
    return `${games}戦が終わりました。「今日」「さっきの」「牌譜成績」と送ってみてください。`;
  }
  const progress = `${time}　${done}/${games}戦が終了`;
  return tables ? `${progress}・${tables}卓が対局中` : progress;
}
