// Elements of the page: those of its HTML by their id, and new ones.

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return elementOf(id, HTMLElement);
}

/** @param {string} id */
export function inputById(id) {
  return elementOf(id, HTMLInputElement);
}

/** @param {string} id */
export function dialogById(id) {
  return elementOf(id, HTMLDialogElement);
}

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function elementOf(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} ${id}`);
  return element;
}

/**
 * A new element: make("button.round", {type: "button", onclick: act}, "text", child).
 * @param {string} what its tag and classes
 * @param {Record<string, any>} properties properties, attributes and listeners
 * @param {(Node | string | null)[]} children
 * @returns {HTMLElement}
 */
export function make(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-")) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * Let an element be tapped, by finger and by keyboard.
 * @param {HTMLElement} element
 * @param {string | null} label for readers who do not see it, where it has no text
 * @param {() => void} act
 * @returns {HTMLElement}
 */
export function tappable(element, label, act) {
  element.classList.add("tappable");
  if (element.tagName !== "BUTTON") actAsButton(element);
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return element;
}

/** @param {HTMLElement} element */
function actAsButton(element) {
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    element.click();
  });
}
