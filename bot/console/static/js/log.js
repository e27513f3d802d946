// Every request and answer as JSON, newest first.
/** @import { ApiEntry, WebhookEntry, WebhookEvent } from "../../console.d.ts" */
import { byId, make } from "./dom.js";

const LONGEST = 150; // entries

export class Log {
  constructor() {
    this.list = byId("log-entries");
    byId("clear-log").addEventListener("click", () => this.list.replaceChildren());
    byId("open-log").addEventListener("click", () => this.setOpen(true));
    byId("close-log").addEventListener("click", () => this.setOpen(false));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.setOpen(false);
    });
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    if (isOpen === document.body.classList.contains("log-open")) return;
    document.body.classList.toggle("log-open", isOpen);
    byId("open-log").setAttribute("aria-expanded", String(isOpen));
    byId(isOpen ? "close-log" : "open-log").focus();
  }

  /** @param {ApiEntry | WebhookEntry} entry */
  add(entry) {
    const details = make("details", {}, summaryOf(entry));
    details.addEventListener("toggle", () => addBodies(details, entry), { once: true });
    this.list.prepend(make("li", {}, details));
    while (this.list.children.length > LONGEST) this.list.lastElementChild?.remove();
  }
}

/** @param {ApiEntry | WebhookEntry} entry */
function summaryOf(entry) {
  const { status } = entry;
  const isGood = !entry.error && status !== null && status >= 200 && status < 300;
  return make(
    "summary",
    {},
    ...(entry.kind === "webhook" ? webhookParts(entry) : callParts(entry)),
    make(isGood ? "span.status" : "span.status.bad", {}, String(status ?? "×")),
    make("span.ms", {}, `${entry.ms} ms`),
  );
}

/** @param {WebhookEntry} entry */
function webhookParts(entry) {
  const events = entry.request.events.map(eventText).join(", ");
  return [
    make("span.arrow.out", { title: "LINE からボットへ" }, "→"),
    make("span.what", {}, events || "（イベントなし）"),
  ];
}

/** @param {ApiEntry} entry */
function callParts(entry) {
  return [
    make("span.arrow.in", { title: "ボットから LINE へ" }, "←"),
    make("span.what", {}, `${entry.method} ${entry.path.replace("/v2/bot/", "")}`),
  ];
}

/** @param {WebhookEvent} event */
function eventText({ type, postback, message }) {
  const content = postback?.data ?? message?.text ?? message?.type;
  return content ? `${type} ${content}` : type;
}

/**
 * @param {HTMLElement} details
 * @param {ApiEntry | WebhookEntry} entry
 */
function addBodies(details, entry) {
  addBody(details, "送った内容", entry.request);
  addBody(details, "答え", entry.response ?? entry.error);
}

/**
 * @param {HTMLElement} details
 * @param {string} title
 * @param {unknown} body
 */
function addBody(details, title, body) {
  if (body === null || body === undefined) return;
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  details.append(make("p.part", {}, title), make("pre", { tabIndex: 0 }, text));
}
