// The thread of one chat: bubbles left and right, refusals in red, the quick replies of the last message.
import { byId, make, tappable } from "./dom.js";
import { drawMessage, standsAlone } from "./messages.js";

const HUES = [212, 28, 145, 330, 262, 188, 48, 95, 0, 295];

export class Thread {
  constructor(people, actions) {
    this.people = people;
    this.actions = actions;
    this.list = byId("thread");
    this.bar = byId("quick-replies");
    this.quotes = new Map();
    this.ids = new Map();
    this.onQuote = () => {};
    this.list.addEventListener("load", () => this.follow(), true);
    this.clear();
  }

  clear() {
    this.list.replaceChildren();
    this.day = null;
    this.showQuickReplies(null);
  }

  show(entry, asker) {
    this.atEnd = this.isAtEnd() || entry.sender === asker;
    if (entry.kind === "message") this.message(entry, asker);
    if (entry.kind === "refused") this.refused(entry);
    if (entry.kind === "webhook" && entry.error) this.failed(entry);
    if (entry.kind === "loading") this.loading(entry);
    this.follow();
  }

  message(entry, asker) {
    this.stopLoading();
    this.dayOf(entry.at);
    const { message } = entry;
    const side = entry.sender === asker ? "mine" : "theirs";
    const drawn = drawMessage(message, {
      perform: (action) => this.actions.perform(action),
      nameOf: (id) => this.people.nameOf(id),
      quote: (token) => this.quotes.get(token),
      original: (id) => this.ids.get(id),
      isFromBot: entry.sender === null,
    });
    if (message.quoteToken && entry.sender !== null) this.quotes.set(message.quoteToken, this.summary(entry));
    this.ids.set(message.id, this.summary(entry));
    const line = make("div.line", {}, drawn, make("time.at", { dateTime: new Date(entry.at * 1000).toISOString() }, clock(entry.at)));
    const item = make(`li.message.${side}`, { "data-message": message.id, "data-type": message.type });
    if (standsAlone(message)) item.classList.add("wide");
    if (side === "theirs") item.append(this.face(entry.sender), make("span.sender", {}, message.sender?.name ?? this.people.nameOf(entry.sender)));
    item.append(line);
    item.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.onQuote(message.id, this.summary(entry));
    });
    this.list.append(item);
    this.showQuickReplies(entry.sender === null ? message.quickReply : null);
  }

  summary(entry) {
    return `${this.people.nameOf(entry.sender)}\n${entry.message.text ?? entry.message.altText ?? `（${entry.message.type}）`}`;
  }

  face(sender) {
    const name = this.people.nameOf(sender);
    const face = make("span.face", { "aria-hidden": "true" }, [...name][0]);
    if (sender === null) face.classList.add("bot");
    else face.style.setProperty("--hue", HUES[this.people.indexOf(sender) % HUES.length]);
    return face;
  }

  refused(entry) {
    this.stopLoading();
    const body = entry.response ?? {};
    const reasons = (body.details ?? []).map((detail) =>
      make("li", {}, make("code", {}, detail.property), ` ${detail.message}`));
    this.list.append(make("li.refused", { role: "alert" },
      make("strong", {}, `LINE が受けつけませんでした（${entry.status}）`),
      make("p", {}, body.message ?? ""),
      reasons.length ? make("ul", {}, ...reasons) : null,
      make("details", {}, make("summary", {}, "送られた JSON"), make("pre", { tabIndex: 0 }, JSON.stringify(entry.request, null, 2)))));
  }

  failed(entry) {
    const reason = entry.status ? `${entry.status} を返しました` : entry.error === "request_timeout" ? "時間内に答えませんでした" : "につながりません";
    this.list.append(make("li.refused", { role: "alert" }, make("strong", {}, `ボットの Webhook が${entry.status ? " " : ""}${reason}`)));
  }

  loading(entry) {
    this.stopLoading();
    if (entry.old) return;
    const dots = make("div.bubble.dots", {}, make("span"), make("span"), make("span"));
    this.waiting = make("li.message.theirs", { "aria-label": "入力中" }, this.face(null), make("div.line", {}, dots));
    this.list.append(this.waiting);
    this.timer = setTimeout(() => this.stopLoading(), entry.seconds * 1000);
  }

  stopLoading() {
    clearTimeout(this.timer);
    this.waiting?.remove();
    this.waiting = null;
  }

  showQuickReplies(quickReply) {
    const buttons = (quickReply?.items ?? []).map((item) => {
      return tappable(make("button.quick-reply", { type: "button" }, item.action.label), null, () => {
        this.showQuickReplies(null);
        this.actions.perform(item.action);
      });
    });
    this.bar.replaceChildren(...buttons);
    this.bar.scrollLeft = 0;
    this.bar.hidden = buttons.length === 0;
  }

  dayOf(at) {
    const day = new Date(at * 1000).toLocaleDateString("ja-JP", { month: "numeric", day: "numeric", weekday: "short" });
    if (day !== this.day) this.list.append(make("li.note", {}, day));
    this.day = day;
  }

  isAtEnd() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 120;
  }

  follow() {
    if (this.atEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}

const clock = (at) => new Date(at * 1000).toLocaleTimeString("ja-JP", { hour: "numeric", minute: "2-digit" });
