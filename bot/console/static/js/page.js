// The page as a whole: what arrives is shown, and what the user does is sent.
/** @import { ConsoleState, Entry, Updates, UserAction } from "../../console.d.ts" */
import { Actions } from "./actions.js";
import { readState, readUpdates, sendAction } from "./api.js";
import { Composer } from "./composer.js";
import { byId, dialogById } from "./dom.js";
import { Evening } from "./evening.js";
import { Log } from "./log.js";
import { People } from "./people.js";
import { RichMenu } from "./rich_menu.js";
import { Speaker } from "./speaker.js";
import { Thread } from "./thread.js";
import { toast } from "./toast.js";
import { Tray } from "./tray.js";

const RETRY_MS = 1500;
const LONGEST_HISTORY = 1000; // entries

export class Page {
  /** @param {ConsoleState} state */
  constructor(state) {
    const send = (/** @type {UserAction} */ action) => this.send(action);
    const actions = new Actions(send);
    this.people = new People(state);
    this.tray = new Tray(send);
    this.composer = new Composer(send);
    this.log = new Log();
    this.menu = new RichMenu(actions.perform);
    this.evening = new Evening(() => this.tray.close());
    this.speaker = new Speaker(this.people, () => this.showChat());
    this.thread = new Thread(this.people, actions.perform, (id, text) => {
      this.composer.quote(id, text);
    });
    /** @type {Entry[]} */
    this.entries = [];
    this.lastNumber = 0;
    this.epoch = "";
    for (const id of ["viewer", "close-viewer"]) {
      byId(id).addEventListener("click", () => dialogById("viewer").close());
    }
  }

  async start() {
    this.showChat();
    await this.evening.read();
    await this.follow();
  }

  /** Draw everything for the chat and the person that were chosen. */
  showChat() {
    this.tray.close();
    this.composer.stopQuoting();
    this.speaker.draw();
    this.tray.show(this.speaker.isPrivate);
    this.showMenu();
    this.thread.clear();
    for (const entry of this.entries) this.showEntry({ ...entry, isOld: true });
    this.thread.scrollToEnd();
  }

  /** A group has no rich menu. */
  showMenu() {
    const id = this.speaker.isPrivate ? this.people.menuIdOf(this.speaker.asker) : "";
    this.menu.show(id, this.people.menu(id));
  }

  /** @param {Entry} entry */
  showEntry(entry) {
    const isOfAnyChat = entry.chat === null && entry.kind === "refused";
    if (entry.chat !== this.speaker.chat && !isOfAnyChat) return;
    this.thread.show(entry, this.speaker.asker);
  }

  /** Show what arrives, as long as the page is open. */
  async follow() {
    for (;;) {
      try {
        await this.receive(await readUpdates(this.epoch, this.lastNumber));
        byId("offline").hidden = true;
      } catch {
        byId("offline").hidden = false;
        await new Promise((resume) => setTimeout(resume, RETRY_MS));
      }
    }
  }

  /** @param {Updates} updates */
  async receive({ epoch, entries }) {
    const isRestarted = this.epoch !== "" && epoch !== this.epoch;
    if (isRestarted) this.forget();
    this.epoch = epoch;
    if (isRestarted || entries.some((entry) => entry.kind === "menu")) {
      this.people.update(await readState());
      this.showMenu();
    }
    for (const entry of entries) this.add(entry);
    this.entries.splice(0, this.entries.length - LONGEST_HISTORY);
  }

  /** @param {Entry} entry */
  add(entry) {
    this.lastNumber = entry.n;
    if (entry.kind === "api" || entry.kind === "webhook") this.log.add(entry);
    if (entry.kind === "evening") this.evening.show(entry);
    if (entry.kind === "api" || entry.kind === "evening") return;
    this.entries.push(entry);
    this.showEntry(entry);
  }

  /** The service was started again: its numbers begin again. */
  forget() {
    this.entries = [];
    this.lastNumber = 0;
    this.thread.clear();
    this.evening.read();
  }

  /** @param {UserAction} action */
  async send(action) {
    this.tray.close();
    try {
      await sendAction({ chat: this.speaker.chat, user: this.speaker.asker, ...action });
    } catch {
      toast("送れませんでした");
    }
  }
}
