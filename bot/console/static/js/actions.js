// What a tap does, for the actions that the bot sends.
/** @import { Action, PickerAction, UserAction } from "../../console.d.ts" */
import { dialogById, inputById } from "./dom.js";

export class Actions {
  /** @param {(action: UserAction) => void} send */
  constructor(send) {
    this.send = send;
  }

  /** @param {Action} action */
  perform = (action) => {
    switch (action.type) {
      case "postback":
        this.send({ do: "tap", data: action.data, displayText: action.displayText });
        break;
      case "uri":
        window.open(action.uri, "_blank", "noopener");
        break;
      case "clipboard":
        navigator.clipboard?.writeText(action.clipboardText).catch(() => {});
        break;
      case "richmenuswitch":
        this.send({ do: "switch", alias: action.richMenuAliasId, data: action.data });
        break;
      case "datetimepicker":
        this.pickTime(action);
        break;
    }
  };

  /**
   * Ask for a date or time, and send it.
   * @param {PickerAction} action
   */
  pickTime(action) {
    const dialog = dialogById("picker");
    const input = inputById("picked");
    input.type = action.mode;
    input.value = action.initial ?? "";
    input.min = action.min ?? "";
    input.max = action.max ?? "";
    dialog.onclose = () => {
      if (dialog.returnValue !== "ok" || !input.value) return;
      this.send({ do: "tap", data: action.data, params: { [action.mode]: input.value } });
    };
    dialog.returnValue = "";
    dialog.showModal();
  }
}

/**
 * @param {Action} action
 * @returns {string | undefined} the name of what is tapped, for readers who do not see it
 */
export function labelOf(action) {
  if (action.label !== undefined) return action.label;
  if (action.type === "uri") return action.uri;
  if (action.type === "clipboard") return undefined;
  if (action.type === "postback" && action.displayText !== undefined) return action.displayText;
  return action.data;
}
