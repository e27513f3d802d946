// Draws one message's content, by its type.
/** @import { ImageMessage, Message, Perform, TextV2Message } from "../../console.d.ts" */
import { dialogById, elementOf, make, tappable } from "./dom.js";
import { drawFlex } from "./flex.js";

const LINK = /(https?:\/\/[^\s　、。]+)/;
const PLACES = /{{|}}|{(\w+)}/g; // escaped braces, and the places of a text

/**
 * What a drawn message needs of the thread.
 * @typedef {object} MessageContext
 * @property {Perform} perform
 * @property {(id: string) => string} nameOf
 * @property {string | undefined} quoted the message that this one quotes
 */

/**
 * @param {Message} message
 * @param {MessageContext} context
 * @returns {HTMLElement}
 */
export function drawMessage(message, context) {
  switch (message.type) {
    case "text":
      return bubble(...quote(context.quoted), ...linked(message.text));
    case "textV2":
      return bubble(...linked(filledText(message, context.nameOf)));
    case "image":
      return drawPicture(message);
    case "file":
      return bubble(`📄 ${message.fileName}（${message.fileSize.toLocaleString()} バイト）`);
    case "flex":
      return drawFlex(message.contents, context.perform);
    default:
      return bubble(typeText(message));
  }
}

/**
 * @param {Message} message
 * @returns {boolean} whether it is wide, without a bubble of the chat
 */
export function isWide(message) {
  return message.type === "flex";
}

/**
 * @param {Message} message
 * @returns {string} the message in a quotation or for a reader who does not see it
 */
export function textOf(message) {
  if (message.type === "text" || message.type === "textV2") return message.text;
  if (message.type === "flex") return message.altText;
  return typeText(message);
}

/** @param {{ type: string }} message */
function typeText(message) {
  return `（${message.type}）`;
}

/**
 * @param {TextV2Message} message
 * @param {(id: string) => string} nameOf
 */
function filledText(message, nameOf) {
  return message.text.replace(PLACES, (place, key) => {
    if (!key) return place[0];
    return `@${nameOf(message.substitution[key].mentionee.userId)}`;
  });
}

/** @param {(Node | string)[]} contents */
function bubble(...contents) {
  return make("div.bubble", {}, ...contents);
}

/** @param {string} text */
function linked(text) {
  return text.split(LINK).map((part) => {
    if (!LINK.test(part)) return part;
    return make("a", { href: part, target: "_blank", rel: "noopener noreferrer" }, part);
  });
}

/** @param {string | undefined} text */
function quote(text) {
  return text ? [make("blockquote.quoted", {}, text)] : [];
}

/** @param {ImageMessage} message */
function drawPicture(message) {
  if (!message.previewImageUrl) return bubble("📷 画像");
  const image = make("img", { src: message.previewImageUrl, alt: "画像" });
  const drawn = make("button.picture", { type: "button" }, image);
  image.addEventListener("error", () => {
    drawn.replaceChildren(make("span.broken", {}, "画像を表示できません"));
  });
  return tappable(drawn, "画像を大きく表示", () => view(message.originalContentUrl ?? ""));
}

/** @param {string} url */
function view(url) {
  elementOf("viewed", HTMLImageElement).src = url;
  dialogById("viewer").showModal();
}
