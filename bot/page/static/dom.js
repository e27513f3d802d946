// Elements of the page with their class and content.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className = "", ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} text
 * @param {() => void} act
 */
export function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/**
 * @param {HTMLElement} pressable a button that is on or off
 * @returns {boolean}
 */
export function isPressed(pressable) {
  return pressable.getAttribute("aria-pressed") === "true";
}

/**
 * @param {HTMLElement} pressable
 * @param {boolean} isOn
 */
export function setPressed(pressable, isOn) {
  pressable.setAttribute("aria-pressed", String(isOn));
}

/**
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {HTMLElement} the element that the page's HTML has
 */
export function child(parent, selector) {
  const match = parent.querySelector(selector);
  if (!(match instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return match;
}
