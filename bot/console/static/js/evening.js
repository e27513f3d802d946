// The demo league's evening: the button that begins one, and the line that tells how far it is.
import * as api from "./api.js";
import { byId, toast } from "./dom.js";

export class Evening {
  constructor(closeTray) {
    this.line = byId("evening-line");
    this.button = byId("begin-evening");
    this.button.addEventListener("click", () => {
      closeTray();
      this.begin();
    });
    byId("close-evening").addEventListener("click", () => { this.line.hidden = true; });
  }

  async read() {
    const state = await api.evening();
    byId("evening").hidden = !state.here;
    if (state.here && state.games) this.show(state);
  }

  async begin() {
    try {
      this.show(await api.beginEvening());
    } catch {
      toast("いまは始められません");
    }
  }

  show(state) {
    this.button.disabled = state.running;
    this.line.hidden = false;
    this.line.classList.toggle("over", !state.running);
    byId("evening-words").textContent = words(state);
    byId("close-evening").hidden = state.running;
    byId("evening-done").style.width = state.games ? `${(100 * state.done) / state.games}%` : "0";
  }
}

function words({ running, done, games, tables, time, problem }) {
  if (problem) return `部屋の結果を読めません：${problem}`;
  if (!games) return "対局を始めています…";
  if (!running) return `${games}戦が終わりました。「今日」「さっきの」「牌譜成績」と送ってみてください。`;
  return `${time}　${done}/${games}戦が終了${tables ? `・${tables}卓が対局中` : ""}`;
}
