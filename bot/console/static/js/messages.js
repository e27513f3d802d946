// Draws one message's content, by its type.
import { byId, make, tappable } from "./dom.js";
import { drawFlex } from "./flex.js";

const LINK = /(https?:\/\/[^\s　、。]+)/;

export function drawMessage(message, context) {
  const draw = DRAWINGS[message.type];
  return draw ? draw(message, context) : bubble(`（${message.type}）`);
}

const DRAWINGS = {
  text: (message, context) => bubble(...quoted(message, context), ...linked(message.text)),
  textV2: (message, context) => bubble(...linked(spoken(message, context.nameOf))),
  image: (message) => picture(message),
  file: (message) => bubble(`📄 ${message.fileName}（${message.fileSize.toLocaleString()} バイト）`),
  flex: (message, context) => drawFlex(message.contents, context.perform),
};

// Messages that stand on their own, wide, without a bubble of the chat.
export const standsAlone = (message) => message.type === "flex";

const spoken = (message, nameOf) =>
  message.text.replace(/{{|}}|{(\w+)}/g, (found, key) => (key ? `@${nameOf(message.substitution[key].mentionee.userId)}` : found[0]));

const bubble = (...contents) => make("div.bubble", {}, ...contents);

function linked(text) {
  return text.split(LINK).map((part) =>
    LINK.test(part) ? make("a", { href: part, target: "_blank", rel: "noopener noreferrer" }, part) : part);
}

function quoted(message, context) {
  const original = context.isFromBot
    ? message.quoteToken && context.quote(message.quoteToken)
    : message.quotedMessageId && context.original(message.quotedMessageId);
  return original ? [make("blockquote.quoted", {}, original)] : [];
}

function picture(message) {
  if (!message.previewImageUrl) return bubble("📷 画像");
  const image = make("img", { src: message.previewImageUrl, alt: "画像" });
  const drawn = make("button.picture", { type: "button" }, image);
  image.addEventListener("error", () => {
    drawn.replaceChildren(make("span.broken", {}, "画像を表示できません"));
  });
  return tappable(drawn, "画像を大きく表示", () => view(message.originalContentUrl));
}

function view(url) {
  byId("viewed").src = url;
  byId("viewer").showModal();
}
