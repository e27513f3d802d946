// Draws a Flex message from its JSON, as LINE lays it out: a bubble, or a row of them.
/**
 * @import {
 *   BlockName, FlexBlockStyle, FlexBubble, FlexCarousel, FlexComponent, FlexContainer, Perform
 * } from "../../console.d.ts"
 */
import { make, tappable } from "./dom.js";
import { drawComponent } from "./flex_components.js";
import { BUBBLE_WIDTHS } from "./flex_values.js";

/** @type {BlockName[]} */
const BLOCKS = ["header", "hero", "body", "footer"];
const SMALLEST_LETTERS = 0.5; // of their full size
const SHRINK_STEP = 0.5; // pixels

/**
 * @param {FlexContainer} container
 * @param {Perform} perform
 * @returns {HTMLElement}
 */
export function drawFlex(container, perform) {
  const drawn = container.type === "carousel"
    ? drawCarousel(container, perform)
    : drawBubble(container, perform);
  requestAnimationFrame(() => {
    /** @type {NodeListOf<HTMLElement>} */
    const shrinking = drawn.querySelectorAll("[data-shrink]");
    shrinking.forEach(shrink);
  });
  return drawn;
}

/**
 * @param {FlexCarousel} carousel
 * @param {Perform} perform
 */
function drawCarousel(carousel, perform) {
  const bubbles = carousel.contents.map((bubble) => drawBubble(bubble, perform));
  const properties = { role: "group", "aria-label": "カルーセル", tabIndex: 0 };
  return make("div.flex-carousel", properties, ...bubbles);
}

/**
 * @param {FlexBubble} bubble
 * @param {Perform} perform
 */
function drawBubble(bubble, perform) {
  const size = bubble.size ?? "mega";
  const drawn = make(`div.flex-bubble.size-${size}`, { dir: bubble.direction ?? "ltr" });
  drawn.style.width = `min(100%, ${BUBBLE_WIDTHS[size]}px)`;
  for (const name of BLOCKS) {
    const component = bubble[name];
    if (component) drawn.append(drawBlock(name, component, bubble.styles?.[name] ?? {}, perform));
  }
  const { action } = bubble;
  if (!action) return drawn;
  return tappable(drawn, action.label ?? null, () => perform(action));
}

/**
 * @param {BlockName} name
 * @param {FlexComponent} component
 * @param {FlexBlockStyle} style
 * @param {Perform} perform
 */
function drawBlock(name, component, style, perform) {
  const drawn = make(`div.flex-block.flex-${name}`);
  drawn.style.backgroundColor = style.backgroundColor ?? "";
  if (style.separator && name !== "header") {
    drawn.classList.add("separated");
    drawn.style.borderTopColor = style.separatorColor ?? "";
  }
  const inner = drawComponent(component, "vertical", perform);
  if (component.type === "box") inner.classList.add("flex-root");
  drawn.append(inner);
  return drawn;
}

/**
 * Make letters that do not fit smaller, down to half.
 * @param {HTMLElement} drawn
 */
function shrink(drawn) {
  const letters = drawn.firstElementChild;
  if (!letters) return;
  const fullSize = parseFloat(getComputedStyle(drawn).fontSize);
  let size = fullSize;
  while (size > fullSize * SMALLEST_LETTERS && letters.scrollWidth > letters.clientWidth) {
    size -= SHRINK_STEP;
    drawn.style.fontSize = `${size}px`;
  }
}
