// Draws the components of a Flex message, each by its type.
/**
 * @import {
 *   FlexBox, FlexButton, FlexComponent, FlexGradient, FlexIcon, FlexImage, FlexLetters,
 *   FlexSeparator, FlexText, Layout, Perform
 * } from "../../console.d.ts"
 */
import { labelOf } from "./actions.js";
import { make, tappable } from "./dom.js";
import { pad, place } from "./flex_layout.js";
import { borderWidth, letterSize, pictureWidth, ratio, space } from "./flex_values.js";

/** @type {Record<string, string>} */
const GRAVITIES = { top: "flex-start", center: "center", bottom: "flex-end" };
/** @type {Record<string, string>} */
const ALIGNS = { start: "flex-start", center: "center", end: "flex-end" };
const BOX_SIZES = /** @type {const} */ ([
  "width",
  "maxWidth",
  "height",
  "maxHeight",
  "justifyContent",
  "alignItems",
]);

/**
 * @param {FlexComponent} component
 * @param {Layout} layout of the box around it
 * @param {Perform} perform
 * @param {string} [spacing] of that box
 * @returns {HTMLElement}
 */
export function drawComponent(component, layout, perform, spacing) {
  const drawn = draw(component, perform);
  place(drawn, component, layout, spacing);
  if (component.type === "button" || !component.action) return drawn;
  const { action } = component;
  return tappable(drawn, action.label ?? null, () => perform(action));
}

/**
 * @param {FlexComponent} component
 * @param {Perform} perform
 */
function draw(component, perform) {
  switch (component.type) {
    case "box":
      return drawBox(component, perform);
    case "text":
      return drawText(component);
    case "button":
      return drawButton(component, perform);
    case "image":
      return drawImage(component);
    case "icon":
      return drawIcon(component);
    case "separator":
      return drawSeparator(component);
    case "filler":
      return make("div.flex-filler");
  }
}

/**
 * @param {FlexBox} box
 * @param {Perform} perform
 */
function drawBox(box, perform) {
  const drawn = make(`div.flex-box.${box.layout}`);
  const style = drawn.style;
  style.backgroundColor = box.backgroundColor ?? "";
  if (box.background) style.backgroundImage = gradient(box.background);
  if (box.borderWidth || box.borderColor) {
    const width = borderWidth(box.borderWidth ?? "none");
    style.border = `${width} solid ${box.borderColor ?? "#111111"}`;
  }
  style.borderRadius = space(box.cornerRadius) ?? "";
  for (const name of BOX_SIZES) style[name] = box[name] ?? "";
  pad(style, box);
  box.contents.forEach((child, n) => {
    drawn.append(drawComponent(child, box.layout, perform, n ? box.spacing : undefined));
  });
  return drawn;
}

/** @param {FlexText} text */
function drawText(text) {
  const letters = make("span.flex-letters");
  if (text.contents?.length) {
    letters.append(...text.contents.map(drawSpan));
  } else {
    letters.textContent = text.text ?? "";
  }
  const drawn = make("div.flex-text", {}, letters);
  styleLetters(drawn.style, text);
  drawn.style.textAlign = text.align ?? "";
  drawn.style.justifyContent = GRAVITIES[text.gravity ?? ""] ?? "";
  if (text.lineSpacing) letters.style.lineHeight = `calc(1.4em + ${text.lineSpacing})`;
  if (text.wrap) letters.classList.add("wraps");
  if (text.wrap && text.maxLines) {
    letters.classList.add("clamped");
    letters.style.webkitLineClamp = String(text.maxLines);
  }
  if (text.adjustMode === "shrink-to-fit" && !text.wrap) drawn.dataset.shrink = "text";
  return drawn;
}

/** @param {FlexLetters} span */
function drawSpan(span) {
  const drawn = make("span", {}, span.text ?? "");
  styleLetters(drawn.style, span);
  return drawn;
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {FlexLetters} letters
 */
function styleLetters(style, letters) {
  if (letters.size) style.fontSize = letterSize(letters.size);
  if (letters.color) style.color = letters.color;
  if (letters.weight) style.fontWeight = letters.weight === "bold" ? "700" : "400";
  if (letters.style) style.fontStyle = letters.style;
  if (letters.decoration) style.textDecoration = letters.decoration;
}

/**
 * @param {FlexButton} button
 * @param {Perform} perform
 */
function drawButton(button, perform) {
  const style = button.style ?? "link";
  const label = make("span.flex-button-label", {}, button.action.label ?? "");
  const face = make(`button.flex-button.${style}.${button.height ?? "md"}`, { type: "button" });
  face.append(label);
  if (button.color && style === "link") face.style.color = button.color;
  else if (button.color) face.style.backgroundColor = button.color;
  if (button.adjustMode) face.dataset.shrink = "button";
  tappable(face, null, () => perform(button.action));
  const drawn = make("div.flex-button-place", {}, face);
  drawn.style.justifyContent = GRAVITIES[button.gravity ?? ""] ?? "";
  return drawn;
}

/** @param {FlexImage} image */
function drawImage(image) {
  const alt = (image.action && labelOf(image.action)) ?? "";
  const picture = make("img.flex-picture", { src: image.url, alt, loading: "eager" });
  picture.style.width = pictureWidth(image.size ?? "md");
  picture.style.aspectRatio = ratio(image.aspectRatio ?? "1:1");
  picture.style.objectFit = image.aspectMode === "cover" ? "cover" : "contain";
  picture.style.backgroundColor = image.backgroundColor ?? "";
  const drawn = make("div.flex-image", {}, picture);
  drawn.style.alignItems = ALIGNS[image.align ?? ""] ?? "";
  drawn.style.justifyContent = GRAVITIES[image.gravity ?? ""] ?? "";
  return drawn;
}

/** @param {FlexIcon} icon */
function drawIcon(icon) {
  const drawn = make("img.flex-icon", { src: icon.url, alt: "" });
  drawn.style.height = letterSize(icon.size ?? "md");
  drawn.style.aspectRatio = ratio(icon.aspectRatio ?? "1:1");
  return drawn;
}

/** @param {FlexSeparator} separator */
function drawSeparator(separator) {
  const drawn = make("div.flex-separator", { role: "separator" });
  drawn.style.backgroundColor = separator.color ?? "";
  return drawn;
}

/** @param {FlexGradient} background */
function gradient({ angle, startColor, endColor, centerColor, centerPosition }) {
  const middle = centerColor ? `, ${centerColor} ${centerPosition ?? "50%"}` : "";
  return `linear-gradient(${angle}, ${startColor}${middle}, ${endColor})`;
}
