// The rich menu at the foot of the 1:1 chat, and the bar that opens and closes it.
/** @import { Menu, Perform } from "../../console.d.ts" */
import { labelOf } from "./actions.js";
import { byId, make, tappable } from "./dom.js";

export class RichMenu {
  /** @param {Perform} perform */
  constructor(perform) {
    this.perform = perform;
    this.id = "";
    /** @type {Menu | undefined} */
    this.menu = undefined;
    this.wasShown = false;
    this.isOpen = false;
    this.isTyping = false;
    this.area = byId("rich-menu");
    this.bar = byId("menu-bar");
    this.bar.addEventListener("click", () => this.setOpen(!this.isOpen));
    byId("keyboard").addEventListener("click", () => this.setTyping(!this.isTyping));
  }

  /**
   * Show a menu in the place of the former one; "" and no menu where there is none.
   * @param {string} id
   * @param {Menu | undefined} menu
   */
  show(id, menu) {
    const isNew = id !== this.id;
    this.id = id;
    this.menu = menu;
    if (!menu) {
      this.area.replaceChildren();
    } else if (isNew) {
      const picture = make("img", { src: `menu-image/${id}`, alt: menu.name });
      this.area.replaceChildren(drawAreas(picture, menu, this.perform));
      if (!this.wasShown) this.isOpen = menu.selected;
      this.wasShown = true;
      this.isTyping = false;
    }
    this.draw();
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    this.wasShown = true;
    this.isOpen = isOpen;
    if (isOpen) this.isTyping = false;
    this.draw();
  }

  /** @param {boolean} isTyping whether the text field is in the place of the bar */
  setTyping(isTyping) {
    this.isTyping = isTyping;
    this.draw();
    if (isTyping) byId("text").focus();
  }

  draw() {
    const hasBar = this.menu !== undefined && !this.isTyping;
    const keyboard = byId("keyboard");
    byId("composer").classList.toggle("with-menu", hasBar);
    keyboard.hidden = this.menu === undefined;
    keyboard.classList.toggle("typing", this.isTyping);
    const label = this.isTyping ? "メニューに切りかえる" : "キーボードに切りかえる";
    keyboard.setAttribute("aria-label", label);
    this.bar.hidden = !hasBar;
    this.area.hidden = !hasBar || !this.isOpen;
    if (this.menu) this.bar.textContent = `${this.menu.chatBarText} ${this.isOpen ? "▾" : "▴"}`;
    this.bar.setAttribute("aria-expanded", String(this.isOpen));
  }
}

/**
 * A menu's picture with its tap areas.
 * @param {HTMLElement} picture
 * @param {Menu} menu
 * @param {Perform} perform
 */
function drawAreas(picture, { size, areas }, perform) {
  const drawn = make("div.areas", {}, picture);
  drawn.style.aspectRatio = `${size.width} / ${size.height}`;
  for (const { bounds, action } of areas) {
    const area = make("button.area", { type: "button" });
    area.style.left = `${100 * bounds.x / size.width}%`;
    area.style.top = `${100 * bounds.y / size.height}%`;
    area.style.width = `${100 * bounds.width / size.width}%`;
    area.style.height = `${100 * bounds.height / size.height}%`;
    drawn.append(tappable(area, labelOf(action) ?? action.type, () => perform(action)));
  }
  return drawn;
}
