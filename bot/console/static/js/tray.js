// The tray of what a member does besides writing: postbacks, joining, an event that comes again.
/** @import { UserAction } from "../../console.d.ts" */
import { byId, make } from "./dom.js";

const POSTBACKS = [
  "request_rating",
  "request_point",
  "request_tip",
  "request_sum",
  "request_rank",
  "request_team",
  "request_today",
];

export class Tray {
  /** @param {(action: UserAction) => void} send */
  constructor(send) {
    this.tray = byId("tray");
    this.opener = byId("open-tray");
    this.opener.addEventListener("click", () => this.setOpen(Boolean(this.tray.hidden)));
    byId("enter").addEventListener("click", () => send({ do: "enter" }));
    byId("redeliver").addEventListener("click", () => send({ do: "redeliver" }));
    byId("thread").addEventListener("click", () => this.close());
    byId("text").addEventListener("focus", () => this.close());
    const buttons = POSTBACKS.map((data) => {
      return make("button", { type: "button", onclick: () => send({ do: "tap", data }) }, data);
    });
    byId("postbacks").append(...buttons);
  }

  /** @param {boolean} isPrivate */
  show(isPrivate) {
    byId("enter").textContent = isPrivate ? "友だち追加" : "ボットを招待";
  }

  close() {
    this.setOpen(false);
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    this.tray.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }
}
