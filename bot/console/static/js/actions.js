// What a tap does, for the actions that the bot sends.
import { byId } from "./dom.js";

export class Actions {
  constructor(send) {
    this.send = send;
  }

  perform(action) {
    this[`do_${action.type}`](action);
  }

  do_postback(action) {
    this.send({ do: "tap", data: action.data, displayText: action.displayText });
  }

  do_uri(action) {
    window.open(action.uri, "_blank", "noopener");
  }

  do_clipboard(action) {
    navigator.clipboard?.writeText(action.clipboardText).catch(() => {});
  }

  do_richmenuswitch(action) {
    this.send({ do: "switch", alias: action.richMenuAliasId, data: action.data });
  }

  do_datetimepicker(action) {
    const picker = byId("picker");
    const input = byId("picked");
    input.type = action.mode;
    for (const [name, given] of [["value", "initial"], ["min", "min"], ["max", "max"]]) input[name] = action[given] ?? "";
    picker.onclose = () => {
      if (picker.returnValue !== "ok" || !input.value) return;
      this.send({ do: "tap", data: action.data, params: { [action.mode]: input.value } });
    };
    picker.returnValue = "";
    picker.showModal();
  }
}

export const labelOf = (action) => action.label ?? action.displayText ?? action.uri ?? action.data;
