// What the thread shows in red: a message that LINE would refuse, and a bot that does not answer.
/** @import { RefusedEntry, WebhookEntry } from "../../console.d.ts" */
import { make } from "./dom.js";

/** @param {RefusedEntry} entry */
export function drawRefusal(entry) {
  const { message = "", details = [] } = entry.response ?? {};
  const reasons = details.map((detail) => {
    return make("li", {}, make("code", {}, detail.property), ` ${detail.message}`);
  });
  return make(
    "li.refused",
    { role: "alert" },
    make("strong", {}, `LINE が受けつけませんでした（${entry.status}）`),
    make("p", {}, message),
    reasons.length ? make("ul", {}, ...reasons) : null,
    make(
      "details",
      {},
      make("summary", {}, "送られた JSON"),
      make("pre", { tabIndex: 0 }, JSON.stringify(entry.request, null, 2)),
    ),
  );
}

/** @param {WebhookEntry} entry */
export function drawFailure(entry) {
  return make("li.refused", { role: "alert" }, make("strong", {}, failureText(entry)));
}

/** @param {WebhookEntry} entry */
function failureText({ status, error }) {
  if (status) return `ボットの Webhook が ${status} を返しました`;
  if (error === "request_timeout") return "ボットの Webhook が時間内に答えませんでした";
  return "ボットの Webhook がつながりません";
}
