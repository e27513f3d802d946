// Every request and answer as JSON, newest first.
import { byId, make } from "./dom.js";

const KEPT = 150;

export class Log {
  constructor() {
    this.list = byId("log-entries");
    byId("clear-log").addEventListener("click", () => this.list.replaceChildren());
    byId("open-log").addEventListener("click", () => this.open(true));
    byId("close-log").addEventListener("click", () => this.open(false));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.open(false);
    });
  }

  open(isOpen) {
    if (isOpen === document.body.classList.contains("log-open")) return;
    document.body.classList.toggle("log-open", isOpen);
    byId("open-log").setAttribute("aria-expanded", String(isOpen));
    byId(isOpen ? "close-log" : "open-log").focus();
  }

  show(entry) {
    if (entry.kind !== "api" && entry.kind !== "webhook") return;
    const outward = entry.kind === "webhook";
    const bad = entry.error || !(entry.status >= 200 && entry.status < 300);
    const summary = make("summary", {},
      make(`span.arrow.${outward ? "out" : "in"}`, { title: outward ? "LINE からボットへ" : "ボットから LINE へ" }, outward ? "→" : "←"),
      make("span.what", {}, outward ? eventsOf(entry) : `${entry.method} ${entry.path.replace("/v2/bot/", "")}`),
      make(`span.status${bad ? ".bad" : ""}`, {}, String(entry.status ?? "×")),
      make("span.ms", {}, `${entry.ms} ms`));
    const details = make("details", {}, summary);
    details.addEventListener("toggle", () => fill(details, entry), { once: true });
    this.list.prepend(make("li", {}, details));
    while (this.list.children.length > KEPT) this.list.lastElementChild.remove();
  }
}

function eventsOf(entry) {
  const names = entry.request.events.map((event) => [event.type, event.postback?.data ?? event.message?.text ?? event.message?.type].filter(Boolean).join(" "));
  return names.join(", ") || "（イベントなし）";
}

function fill(details, entry) {
  for (const [title, body] of [["送った内容", entry.request], ["答え", entry.response ?? entry.error]]) {
    if (body === null || body === undefined) continue;
    const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
    details.append(make("p.part", {}, title), make("pre", { tabIndex: 0 }, text));
  }
}
