// Puts the page together: who is speaking where, what arrives, what is sent.
import * as api from "./api.js";
import { Actions } from "./actions.js";
import { byId, make, toast } from "./dom.js";
import { Evening } from "./evening.js";
import { Log } from "./log.js";
import { RichMenu } from "./richmenu.js";
import { Thread } from "./thread.js";

const POSTBACKS = ["request_rating", "request_point", "request_tip", "request_sum", "request_rank", "request_team", "request_today"];
const RETRY_MS = 1500;

class People {
  read(state) {
    this.bot = state.bot;
    this.users = state.users;
    this.groups = state.groups;
    this.names = new Map(state.users.map((user) => [user.id, user.name]));
  }

  nameOf = (id) => (id === null ? this.bot.name : this.names.get(id) ?? "（名前なし）");
  indexOf = (id) => this.users.findIndex((user) => user.id === id);
}

class Page {
  constructor() {
    this.people = new People();
    this.log = new Log();
    this.actions = new Actions((deed) => this.send(deed));
    this.thread = new Thread(this.people, this.actions);
    this.thread.onQuote = (id, words) => this.quote(id, words);
    this.menu = new RichMenu(this.actions);
    this.evening = new Evening(() => this.openTray(false));
    this.entries = [];
    this.last = 0;
    this.epoch = "";
  }

  async start() {
    await this.readState();
    this.asker = this.remembered("asker", this.people.users, this.people.users[0].id);
    this.isPrivate = sessionStorage.getItem("private") === "yes";
    this.listen();
    this.turn();
    await this.evening.read();
    this.follow();
  }

  async readState() {
    this.state = await api.state();
    this.people.read(this.state);
  }

  remembered(key, among, otherwise) {
    const kept = sessionStorage.getItem(key);
    return among.some((one) => one.id === kept) ? kept : otherwise;
  }

  get group() {
    return this.people.groups[0];
  }

  get chat() {
    return this.isPrivate ? this.asker : this.group.id;
  }

  listen() {
    byId("in-group").addEventListener("click", () => this.turn({ isPrivate: false }));
    byId("in-private").addEventListener("click", () => this.turn({ isPrivate: true }));
    byId("asker").addEventListener("change", (event) => this.turn({ asker: event.target.value }));
    byId("composer").addEventListener("submit", (event) => this.say(event));
    byId("stop-quoting").addEventListener("click", () => this.quote(null));
    byId("open-tray").addEventListener("click", () => this.openTray(byId("tray").hidden));
    byId("enter").addEventListener("click", () => this.send({ do: "enter" }));
    byId("redeliver").addEventListener("click", () => this.send({ do: "redeliver" }));
    byId("thread").addEventListener("click", () => this.openTray(false));
    byId("text").addEventListener("focus", () => this.openTray(false));
    byId("send-file").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", (event) => this.sendFile(event.target));
    byId("close-viewer").addEventListener("click", () => byId("viewer").close());
    byId("viewer").addEventListener("click", () => byId("viewer").close());
    byId("postbacks").append(...POSTBACKS.map((data) =>
      make("button", { type: "button", onclick: () => this.send({ do: "tap", data }) }, data)));
    for (const radio of document.querySelectorAll("[role=radio]")) {
      radio.addEventListener("keydown", (event) => {
        if (!event.key.startsWith("Arrow")) return;
        event.preventDefault();
        this.turn({ isPrivate: !this.isPrivate });
        byId(this.isPrivate ? "in-private" : "in-group").focus();
      });
    }
  }

  // Another chat or another person: the header, the thread and the menu are drawn anew.
  turn(change = {}) {
    Object.assign(this, change);
    this.openTray(false);
    this.quote(null);
    if (!this.isPrivate && !this.group.members.includes(this.asker)) this.asker = this.group.members[0];
    sessionStorage.setItem("asker", this.asker);
    sessionStorage.setItem("private", this.isPrivate ? "yes" : "no");
    for (const [id, isOn] of [["in-group", !this.isPrivate], ["in-private", this.isPrivate]]) {
      byId(id).setAttribute("aria-checked", String(isOn));
      byId(id).tabIndex = isOn ? 0 : -1;
    }
    byId("chat-name").textContent = this.isPrivate ? this.people.bot.name : this.group.name;
    byId("chat-count").textContent = this.isPrivate ? "" : `(${this.group.members.length + 1})`;
    byId("enter").textContent = this.isPrivate ? "友だち追加" : "ボットを招待";
    const speakers = this.people.users.filter((user) => this.isPrivate || this.group.members.includes(user.id));
    byId("asker").replaceChildren(...speakers.map((user) => make("option", { value: user.id, selected: user.id === this.asker }, user.name)));
    this.drawMenu();
    this.thread.clear();
    for (const entry of this.entries) this.draw({ ...entry, old: true });
    this.thread.list.scrollTop = this.thread.list.scrollHeight;
  }

  drawMenu() {
    const id = this.isPrivate ? this.state.menus[this.asker] : undefined;
    this.menu.show(id, id && this.state.richmenus[id]);
  }

  draw(entry) {
    if (entry.chat === this.chat || (entry.chat === null && entry.kind === "refused")) this.thread.show(entry, this.asker);
  }

  async follow() {
    for (;;) {
      try {
        await this.take(await api.updates(this.epoch, this.last));
        byId("offline").hidden = true;
      } catch {
        byId("offline").hidden = false;
        await new Promise((resume) => setTimeout(resume, RETRY_MS));
      }
    }
  }

  async take({ epoch, entries }) {
    const restarted = this.epoch !== "" && epoch !== this.epoch;
    if (restarted) this.forget();
    this.epoch = epoch;
    if (restarted || entries.some((entry) => entry.kind === "menu")) {
      await this.readState();
      this.drawMenu();
    }
    for (const entry of entries) {
      this.last = entry.n;
      this.log.show(entry);
      if (entry.kind === "evening") this.evening.show(entry);
      if (entry.kind === "api" || entry.kind === "evening") continue;
      this.entries.push(entry);
      this.draw(entry);
    }
    this.entries.splice(0, this.entries.length - 1000);
  }

  // The service was started anew: its numbers begin again.
  forget() {
    this.entries = [];
    this.last = 0;
    this.thread.clear();
    this.evening.read();
  }

  async send(deed) {
    this.openTray(false);
    try {
      await api.act({ chat: this.chat, user: this.asker, ...deed });
    } catch {
      toast("送れませんでした");
    }
  }

  say(event) {
    event.preventDefault();
    const text = byId("text").value.trim();
    if (!text) return;
    byId("text").value = "";
    this.send({ do: "say", text, quoted: this.quoted });
    this.quote(null);
  }

  // The message that the next text quotes, shown above the composer; null for none.
  quote(id, words = "") {
    this.quoted = id;
    byId("quoting").hidden = id === null;
    byId("quoted-words").textContent = words;
    if (id !== null) byId("text").focus();
  }

  sendFile(input) {
    const file = input.files[0];
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => this.send({ do: "file", name: file.name, content: reader.result.split(",")[1] ?? "" });
    reader.readAsDataURL(file);
    input.value = "";
  }

  openTray(isOpen) {
    byId("tray").hidden = !isOpen;
    byId("open-tray").setAttribute("aria-expanded", String(isOpen));
  }
}

new Page().start();
