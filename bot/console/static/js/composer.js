// The field at the foot of the page: a text, the message that it quotes, and a file.
/** @import { UserAction } from "../../console.d.ts" */
import { byId, inputById } from "./dom.js";

export class Composer {
  /** @param {(action: UserAction) => void} send */
  constructor(send) {
    this.send = send;
    /** The id of the quoted message. @type {string | null} */
    this.quotedId = null;
    this.text = inputById("text");
    this.file = inputById("file");
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.sendText();
    });
    byId("stop-quoting").addEventListener("click", () => this.stopQuoting());
    byId("send-file").addEventListener("click", () => this.file.click());
    this.file.addEventListener("change", () => this.sendFile());
  }

  sendText() {
    const text = this.text.value.trim();
    if (!text) return;
    this.text.value = "";
    this.send({ do: "say", text, quoted: this.quotedId });
    this.stopQuoting();
  }

  /**
   * Quote a message with the next text; it is shown above the field.
   * @param {string} id
   * @param {string} text
   */
  quote(id, text) {
    this.quotedId = id;
    byId("quoting").hidden = false;
    byId("quoted-words").textContent = text;
    this.text.focus();
  }

  stopQuoting() {
    this.quotedId = null;
    byId("quoting").hidden = true;
    byId("quoted-words").textContent = "";
  }

  sendFile() {
    const file = this.file.files?.[0];
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => {
      const [, content = ""] = String(reader.result).split(","); // data:TYPE;base64,CONTENT
      this.send({ do: "file", name: file.name, content });
    };
    reader.readAsDataURL(file);
    this.file.value = "";
  }
}
