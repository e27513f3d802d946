// Template messages and imagemaps: LINE's older cards.
import { make, tappable } from "./dom.js";
import { labelOf } from "./actions.js";

export function drawTemplate(template, perform) {
  if (template.type === "carousel") return strip(template.columns.map((column) => card(column, template, perform)));
  if (template.type === "image_carousel") return strip(template.columns.map((column) => pictureCard(column, perform)));
  return card(template, template, perform);
}

const strip = (cards) => make("div.card-strip", { role: "group", "aria-label": "カルーセル", tabIndex: 0 }, ...cards);

function card(column, looks, perform) {
  const drawn = make("div.card");
  if (column.thumbnailImageUrl) drawn.append(thumbnail(column, looks));
  const words = make("div.card-words", {}, column.title ? make("p.card-title", {}, column.title) : null, make("p", {}, column.text));
  if (column.defaultAction) tappable(words, null, () => perform(column.defaultAction));
  const buttons = column.actions.map((action) =>
    tappable(make("button.card-action", { type: "button" }, action.label), null, () => perform(action)));
  drawn.append(words, make(`div.card-actions.${looks.type}`, {}, ...buttons));
  return drawn;
}

function thumbnail(column, looks) {
  const picture = make("img.card-picture", { src: column.thumbnailImageUrl, alt: "" });
  picture.style.aspectRatio = looks.imageAspectRatio === "square" ? "1" : "1.51";
  picture.style.objectFit = looks.imageSize === "contain" ? "contain" : "cover";
  picture.style.backgroundColor = column.imageBackgroundColor ?? "#ffffff";
  return picture;
}

function pictureCard(column, perform) {
  const label = column.action.label;
  const picture = make("img", { src: column.imageUrl, alt: "" });
  const drawn = make("button.picture-card", { type: "button" }, picture, label ? make("span", {}, label) : null);
  return tappable(drawn, labelOf(column.action), () => perform(column.action));
}

// A picture with tap areas, for imagemaps and rich menus. `size` is what the areas are measured in.
export function drawAreas(picture, size, areas, perform) {
  const drawn = make("div.areas", {}, picture);
  drawn.style.aspectRatio = `${size.width} / ${size.height}`;
  for (const { bounds, action } of areas) {
    const area = make("button.area", { type: "button" });
    area.style.left = `${(100 * bounds.x) / size.width}%`;
    area.style.top = `${(100 * bounds.y) / size.height}%`;
    area.style.width = `${(100 * bounds.width) / size.width}%`;
    area.style.height = `${(100 * bounds.height) / size.height}%`;
    drawn.append(tappable(area, labelOf(action) ?? action.type, () => perform(action)));
  }
  return drawn;
}

export function drawImagemap(message, perform) {
  const picture = make("img", { src: `${message.baseUrl}/1040`, alt: message.altText });
  const meanings = { message: (a) => a, clipboard: (a) => a, uri: (a) => ({ ...a, uri: a.linkUri }) };
  const areas = message.actions.map((action) => ({ bounds: action.area, action: meanings[action.type](action) }));
  return make("div.imagemap", {}, drawAreas(picture, message.baseSize, areas, perform));
}
