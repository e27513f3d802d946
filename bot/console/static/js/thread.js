// The thread of one chat: bubbles left and right, and the quick replies of the last message.
/**
 * @import {
 *   Entry, LoadingEntry, Message, MessageEntry, Perform, QuickReply
 * } from "../../console.d.ts"
 * @import { People } from "./people.js"
 */
import { byId, make, tappable } from "./dom.js";
import { drawMessage, isWide, textOf } from "./messages.js";
import { drawFailure, drawRefusal } from "./notices.js";

const NEAR_END = 120; // pixels

export class Thread {
  /**
   * @param {People} people
   * @param {Perform} perform
   * @param {(id: string, text: string) => void} quote the message with that id
   */
  constructor(people, perform, quote) {
    this.people = people;
    this.perform = perform;
    this.quote = quote;
    this.list = byId("thread");
    this.bar = byId("quick-replies");
    /** Texts of quotable messages, by quote token. @type {Map<string, string>} */
    this.byQuoteToken = new Map();
    /** Texts of messages, by id. @type {Map<string, string>} */
    this.byMessageId = new Map();
    this.isFollowing = true;
    this.day = "";
    /** The bubble with dots while the bot works. @type {HTMLElement | null} */
    this.dots = null;
    this.dotsTimer = 0;
    this.list.addEventListener("load", () => this.follow(), true);
    this.clear();
  }

  clear() {
    this.list.replaceChildren();
    this.day = "";
    this.showQuickReplies(undefined);
  }

  /**
   * @param {Entry} entry
   * @param {string} asker whose messages are on the right
   */
  show(entry, asker) {
    const isOwn = entry.kind === "message" && entry.sender === asker;
    this.isFollowing = this.isAtEnd() || isOwn;
    if (entry.kind === "message") this.addMessage(entry, isOwn);
    if (entry.kind === "loading") this.startLoading(entry);
    if (entry.kind === "refused") {
      this.stopLoading();
      this.list.append(drawRefusal(entry));
    }
    if (entry.kind === "webhook" && entry.error) this.list.append(drawFailure(entry));
    this.follow();
  }

  /**
   * @param {MessageEntry} entry
   * @param {boolean} isOwn
   */
  addMessage(entry, isOwn) {
    const { message, sender } = entry;
    this.stopLoading();
    this.addDay(entry.at);
    const item = this.drawItem(entry, isOwn);
    const summary = this.summaryOf(entry);
    this.byMessageId.set(message.id, summary);
    if (message.quoteToken && sender !== null) this.byQuoteToken.set(message.quoteToken, summary);
    item.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.quote(message.id, summary);
    });
    this.list.append(item);
    this.showQuickReplies(sender === null ? message.quickReply : undefined);
  }

  /**
   * @param {MessageEntry} entry
   * @param {boolean} isOwn
   */
  drawItem(entry, isOwn) {
    const { message, sender } = entry;
    const item = make(isOwn ? "li.message.mine" : "li.message.theirs", {
      "data-message": message.id,
      "data-type": message.type,
    });
    if (isWide(message)) item.classList.add("wide");
    if (!isOwn) {
      const name = message.sender?.name ?? this.people.nameOf(sender);
      item.append(this.drawFace(sender), make("span.sender", {}, name));
    }
    const content = drawMessage(message, {
      perform: this.perform,
      nameOf: (id) => this.people.nameOf(id),
      quoted: this.quotedBy(message, sender),
    });
    const time = new Date(entry.at * 1000);
    const clock = make("time.at", { dateTime: time.toISOString() }, clockText(time));
    item.append(make("div.line", {}, content, clock));
    return item;
  }

  /**
   * The bot quotes by a token, a user by a message's id.
   * @param {Message} message
   * @param {string | null} sender
   */
  quotedBy(message, sender) {
    if (sender === null) return this.byQuoteToken.get(message.quoteToken ?? "");
    return this.byMessageId.get(message.quotedMessageId ?? "");
  }

  /** @param {MessageEntry} entry */
  summaryOf({ sender, message }) {
    return `${this.people.nameOf(sender)}\n${textOf(message)}`;
  }

  /** @param {string | null} sender */
  drawFace(sender) {
    const [initial] = this.people.nameOf(sender);
    const face = make("span.face", { "aria-hidden": "true" }, initial);
    if (sender === null) face.classList.add("bot");
    else face.style.setProperty("--hue", String(this.people.hueOf(sender)));
    return face;
  }

  /** @param {LoadingEntry} entry */
  startLoading(entry) {
    this.stopLoading();
    if (entry.isOld) return;
    const dots = make("div.bubble.dots", {}, make("span"), make("span"), make("span"));
    const line = make("div.line", {}, dots);
    this.dots = make("li.message.theirs", { "aria-label": "入力中" }, this.drawFace(null), line);
    this.list.append(this.dots);
    this.dotsTimer = setTimeout(() => this.stopLoading(), entry.seconds * 1000);
  }

  stopLoading() {
    clearTimeout(this.dotsTimer);
    this.dots?.remove();
    this.dots = null;
  }

  /** @param {QuickReply | undefined} quickReply */
  showQuickReplies(quickReply) {
    const items = quickReply?.items ?? [];
    const buttons = items.map(({ action }) => {
      const button = make("button.quick-reply", { type: "button" }, action.label ?? "");
      return tappable(button, null, () => {
        this.showQuickReplies(undefined);
        this.perform(action);
      });
    });
    this.bar.replaceChildren(...buttons);
    this.bar.scrollLeft = 0;
    this.bar.hidden = buttons.length === 0;
  }

  /**
   * A line with the day, where it is another than the last message's.
   * @param {number} at
   */
  addDay(at) {
    const day = dayText(new Date(at * 1000));
    if (day !== this.day) this.list.append(make("li.note", {}, day));
    this.day = day;
  }

  isAtEnd() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR_END;
  }

  follow() {
    if (this.isFollowing) this.scrollToEnd();
  }

  scrollToEnd() {
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** @param {Date} time */
function dayText(time) {
  return time.toLocaleDateString("ja-JP", { month: "numeric", day: "numeric", weekday: "short" });
}

/** @param {Date} time */
function clockText(time) {
  return time.toLocaleTimeString("ja-JP", { hour: "numeric", minute: "2-digit" });
}
