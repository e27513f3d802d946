// Draws a Flex message from its JSON, as LINE lays it out.
import { make, tappable } from "./dom.js";
import { labelOf } from "./actions.js";
import * as values from "./flexvalues.js";

export function drawFlex(container, perform) {
  const pencil = new Pencil(perform);
  const drawn = container.type === "carousel" ? pencil.carousel(container) : pencil.bubble(container);
  requestAnimationFrame(() => drawn.querySelectorAll("[data-shrink]").forEach(shrink));
  return drawn;
}

class Pencil {
  constructor(perform) {
    this.perform = perform;
  }

  carousel(carousel) {
    const bubbles = carousel.contents.map((bubble) => this.bubble(bubble));
    return make("div.flex-carousel", { role: "group", "aria-label": "カルーセル", tabIndex: 0 }, ...bubbles);
  }

  bubble(bubble) {
    const size = bubble.size ?? "mega";
    const drawn = make("div.flex-bubble", { dir: bubble.direction ?? "ltr" });
    drawn.classList.add(`size-${size}`);
    drawn.style.width = `min(100%, ${values.BUBBLE_WIDTHS[size]}px)`;
    for (const name of ["header", "hero", "body", "footer"]) {
      if (bubble[name]) drawn.append(this.block(name, bubble[name], bubble.styles?.[name] ?? {}));
    }
    return this.acting(drawn, bubble.action);
  }

  block(name, component, style) {
    const drawn = make(`div.flex-block.flex-${name}`);
    drawn.style.backgroundColor = style.backgroundColor ?? "";
    if (style.separator && name !== "header") {
      drawn.classList.add("separated");
      drawn.style.borderTopColor = style.separatorColor ?? "";
    }
    const inner = this.component(component, "vertical");
    if (component.type === "box") inner.classList.add("flex-root");
    drawn.append(inner);
    return drawn;
  }

  // One component inside a box of that layout.
  component(component, layout, spacing) {
    const drawn = this[`draw_${component.type}`](component, layout);
    place(drawn, component, layout, spacing);
    return component.type === "button" ? drawn : this.acting(drawn, component.action);
  }

  acting(drawn, action) {
    return action ? tappable(drawn, action.label ?? null, () => this.perform(action)) : drawn;
  }

  draw_box(box) {
    const drawn = make(`div.flex-box.${box.layout}`);
    const style = drawn.style;
    style.backgroundColor = box.backgroundColor ?? "";
    if (box.background) style.backgroundImage = gradient(box.background);
    if (box.borderWidth || box.borderColor) {
      style.border = `${values.border(box.borderWidth ?? "none")} solid ${box.borderColor ?? "#111111"}`;
    }
    style.borderRadius = values.space(box.cornerRadius) ?? "";
    for (const name of ["width", "maxWidth", "height", "maxHeight", "justifyContent", "alignItems"]) {
      if (box[name]) style[name] = box[name];
    }
    pad(style, box);
    box.contents.forEach((child, index) => {
      drawn.append(this.component(child, box.layout, index ? box.spacing : undefined));
    });
    return drawn;
  }

  draw_text(text) {
    const letters = make("span.flex-letters");
    if (text.contents?.length) letters.append(...text.contents.map((span) => write(make("span"), span)));
    else letters.textContent = text.text;
    const drawn = write(make("div.flex-text", {}, letters), { ...text, text: undefined });
    drawn.style.textAlign = text.align ?? "";
    drawn.style.justifyContent = GRAVITIES[text.gravity] ?? "";
    if (text.lineSpacing) letters.style.lineHeight = `calc(1.4em + ${text.lineSpacing})`;
    if (text.wrap) letters.classList.add("wraps");
    if (text.wrap && text.maxLines) {
      letters.classList.add("clamped");
      letters.style.webkitLineClamp = text.maxLines;
    }
    if (text.adjustMode === "shrink-to-fit" && !text.wrap) drawn.dataset.shrink = "text";
    return drawn;
  }

  draw_button(button) {
    const style = button.style ?? "link";
    const face = make(`button.flex-button.${style}.${button.height ?? "md"}`, { type: "button" });
    face.append(make("span.flex-button-label", {}, button.action.label));
    if (button.color) face.style[style === "link" ? "color" : "backgroundColor"] = button.color;
    if (button.adjustMode) face.dataset.shrink = "button";
    tappable(face, null, () => this.perform(button.action));
    const drawn = make("div.flex-button-place", {}, face);
    drawn.style.justifyContent = GRAVITIES[button.gravity] ?? "";
    return drawn;
  }

  draw_image(image) {
    const shown = make("img.flex-picture", { src: image.url, alt: image.action ? labelOf(image.action) : "", loading: "eager" });
    shown.style.width = values.picture(image.size);
    shown.style.aspectRatio = values.ratio(image.aspectRatio);
    shown.style.objectFit = image.aspectMode === "cover" ? "cover" : "contain";
    shown.style.backgroundColor = image.backgroundColor ?? "";
    const drawn = make("div.flex-image", {}, shown);
    drawn.style.alignItems = ALIGNS[image.align] ?? "";
    drawn.style.justifyContent = GRAVITIES[image.gravity] ?? "";
    return drawn;
  }

  draw_icon(icon) {
    const drawn = make("img.flex-icon", { src: icon.url, alt: "" });
    drawn.style.height = values.letter(icon.size ?? "md");
    drawn.style.aspectRatio = values.ratio(icon.aspectRatio);
    return drawn;
  }

  draw_separator(separator) {
    const drawn = make("div.flex-separator", { role: "separator" });
    drawn.style.backgroundColor = separator.color ?? "";
    return drawn;
  }

  draw_filler() {
    return make("div.flex-filler");
  }
}

const GRAVITIES = { top: "flex-start", center: "center", bottom: "flex-end" };
const ALIGNS = { start: "flex-start", center: "center", end: "flex-end" };
const UNFLEXED = new Set(["separator", "icon"]);

// A child takes its share of the width of a horizontal box; in a vertical one it is as high as it needs to be.
function place(drawn, component, layout, spacing) {
  const style = drawn.style;
  const across = layout !== "vertical";
  const sized = component.type === "box" && (across ? component.width : component.height);
  const share = component.flex ?? (across && !sized && !UNFLEXED.has(component.type) ? 1 : component.type === "filler" ? 1 : 0);
  style.flex = share === 0 ? "0 0 auto" : across ? `${share} 1 0` : `${share} 0 auto`;
  if (across && share === 0) style.maxWidth ||= "100%";
  const before = values.space(component.margin) ?? values.space(spacing);
  if (before) style[across ? "marginInlineStart" : "marginTop"] = before;
  if (component.position === "absolute") style.position = "absolute";
  const sides = { offsetTop: "top", offsetBottom: "bottom", offsetStart: "insetInlineStart", offsetEnd: "insetInlineEnd" };
  for (const [name, side] of Object.entries(sides)) {
    if (component[name]) style[side] = values.space(component[name]);
  }
}

function pad(style, box) {
  const sides = { paddingAll: "padding", paddingTop: "paddingTop", paddingBottom: "paddingBottom",
    paddingStart: "paddingInlineStart", paddingEnd: "paddingInlineEnd" };
  for (const [name, side] of Object.entries(sides)) {
    if (box[name]) style[side] = values.space(box[name]);
  }
}

function write(drawn, letters) {
  const style = drawn.style;
  if (letters.text !== undefined) drawn.textContent = letters.text;
  if (letters.size) style.fontSize = values.letter(letters.size);
  if (letters.color) style.color = letters.color;
  if (letters.weight) style.fontWeight = letters.weight === "bold" ? "700" : "400";
  if (letters.style) style.fontStyle = letters.style;
  if (letters.decoration) style.textDecoration = letters.decoration;
  return drawn;
}

function gradient(background) {
  const middle = background.centerColor ? `, ${background.centerColor} ${background.centerPosition ?? "50%"}` : "";
  return `linear-gradient(${background.angle}, ${background.startColor}${middle}, ${background.endColor})`;
}

// Letters that do not fit are made smaller, down to half.
function shrink(drawn) {
  const letters = drawn.firstElementChild;
  const full = parseFloat(getComputedStyle(drawn).fontSize);
  for (let size = full; size > full / 2 && letters.scrollWidth > letters.clientWidth; size -= 0.5) {
    drawn.style.fontSize = `${size - 0.5}px`;
  }
}
