// Where a component of a Flex message is in its box, and the space inside a box.
/** @import { FlexBox, FlexComponent, Layout } from "../../console.d.ts" */
import { space } from "./flex_values.js";

const UNFLEXED = new Set(["separator", "icon"]);

/**
 * @param {HTMLElement} drawn
 * @param {FlexComponent} component
 * @param {Layout} layout of the box around it
 * @param {string} [spacing] of that box; none before its first component
 */
export function place(drawn, component, layout, spacing) {
  const style = drawn.style;
  const isAcross = layout !== "vertical";
  const share = shareOf(component, isAcross);
  if (share === 0) style.flex = "0 0 auto";
  else style.flex = isAcross ? `${share} 1 0` : `${share} 0 auto`;
  if (isAcross && share === 0) style.maxWidth ||= "100%";
  const before = space(component.margin ?? spacing);
  if (before && isAcross) style.marginInlineStart = before;
  else if (before) style.marginTop = before;
  if (component.position === "absolute") style.position = "absolute";
  setSpaces(style, {
    top: component.offsetTop,
    bottom: component.offsetBottom,
    insetInlineStart: component.offsetStart,
    insetInlineEnd: component.offsetEnd,
  });
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {FlexBox} box
 */
export function pad(style, box) {
  setSpaces(style, {
    padding: box.paddingAll,
    paddingTop: box.paddingTop,
    paddingBottom: box.paddingBottom,
    paddingInlineStart: box.paddingStart,
    paddingInlineEnd: box.paddingEnd,
  });
}

/**
 * A component's share of a box across; in a vertical one it is as high as it needs to be.
 * @param {FlexComponent} component
 * @param {boolean} isAcross
 */
function shareOf(component, isAcross) {
  if (component.flex !== undefined) return component.flex;
  if (component.type === "filler") return 1;
  if (!isAcross || UNFLEXED.has(component.type)) return 0;
  const hasWidth = component.type === "box" && component.width !== undefined;
  return hasWidth ? 0 : 1;
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {Record<string, string | undefined>} values LINE's, by the property of CSS
 */
function setSpaces(style, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value) Object.assign(style, { [name]: space(value) });
  }
}
