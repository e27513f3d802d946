// What a tap does, for every kind of LINE action.
import { byId, toast } from "./dom.js";

const NOT_HERE = { camera: "カメラ", cameraRoll: "アルバム", location: "位置情報" };

export class Actions {
  constructor(send, surface) {
    this.send = send;
    this.surface = surface;
  }

  perform(action) {
    const kind = this[`do_${action.type}`];
    if (kind) kind.call(this, action);
    else toast(`${NOT_HERE[action.type] ?? action.type}はコンソールでは使えません`);
  }

  do_postback(action) {
    this.send({ do: "tap", data: action.data, displayText: action.displayText ?? action.text });
    const option = action.inputOption;
    if (option === "closeRichMenu") this.surface.openMenu(false);
    if (option === "openRichMenu") this.surface.openMenu(true);
    if (option === "openKeyboard") this.surface.openKeyboard(action.fillInText ?? "");
  }

  do_message(action) {
    this.send({ do: "say", text: action.text });
  }

  do_uri(action) {
    window.open(action.uri, "_blank", "noopener");
  }

  async do_clipboard(action) {
    try {
      await navigator.clipboard.writeText(action.clipboardText);
      toast("コピーしました");
    } catch {
      toast("コピーできませんでした");
    }
  }

  do_richmenuswitch(action) {
    this.send({ do: "switch", alias: action.richMenuAliasId, data: action.data });
  }

  do_datetimepicker(action) {
    const picker = byId("picker");
    const input = byId("picked");
    input.type = action.mode === "datetime" ? "datetime-local" : action.mode;
    for (const [name, given] of [["value", "initial"], ["min", "min"], ["max", "max"]]) {
      input[name] = (action[given] ?? "").replace("t", "T");
    }
    picker.onclose = () => {
      if (picker.returnValue !== "ok" || !input.value) return;
      this.send({ do: "tap", data: action.data, params: { [action.mode]: input.value } });
    };
    picker.returnValue = "";
    picker.showModal();
  }
}

export const labelOf = (action) => action.label ?? action.displayText ?? action.text ?? action.uri ?? action.data;
