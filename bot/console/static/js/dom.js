// Makes elements: make("button.round", {type: "button"}, "text", child...).
export function make(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

// Lets any element be tapped, by finger and by keyboard.
export function tappable(element, label, tap) {
  element.classList.add("tappable");
  if (element.tagName !== "BUTTON") {
    element.tabIndex = 0;
    element.setAttribute("role", "button");
    element.addEventListener("keydown", (event) => {
      if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      element.click();
    });
  }
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", (event) => {
    event.stopPropagation();
    tap();
  });
  return element;
}

let toastTimer;
export function toast(text) {
  const shown = byId("toast");
  shown.textContent = text;
  shown.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { shown.hidden = true; }, 2500);
}
