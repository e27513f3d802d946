// The rich menu at the foot of the 1:1 chat, and the bar that opens and closes it.
import { byId, make } from "./dom.js";
import { drawAreas } from "./templates.js";

export class RichMenu {
  constructor(actions) {
    this.actions = actions;
    this.place = byId("rich-menu");
    this.bar = byId("menu-bar");
    this.bar.addEventListener("click", () => this.open(!this.isOpen));
    byId("keyboard").addEventListener("click", () => this.typing(!this.isTyping));
    this.isTyping = false;
  }

  show(id, menu) {
    const fresh = id !== this.id;
    this.id = id;
    this.menu = menu;
    if (!menu) this.place.replaceChildren();
    else if (fresh) {
      const picture = make("img", { src: `menu-image/${id}`, alt: menu.name });
      this.place.replaceChildren(drawAreas(picture, menu.size, menu.areas, (action) => this.actions.perform(action)));
      if (this.isOpen === undefined || this.isOpen === null) this.isOpen = menu.selected;
      this.isTyping = false;
    }
    this.draw();
  }

  open(isOpen) {
    this.isOpen = isOpen;
    if (isOpen) this.isTyping = false;
    this.draw();
  }

  typing(isTyping) {
    this.isTyping = isTyping;
    this.draw();
    if (isTyping) byId("text").focus();
  }

  draw() {
    const has = Boolean(this.menu);
    byId("composer").classList.toggle("with-menu", has && !this.isTyping);
    byId("keyboard").hidden = !has;
    byId("keyboard").classList.toggle("typing", this.isTyping);
    byId("keyboard").setAttribute("aria-label", this.isTyping ? "メニューに切りかえる" : "キーボードに切りかえる");
    this.bar.hidden = !has || this.isTyping;
    this.place.hidden = !has || this.isTyping || !this.isOpen;
    if (has) this.bar.textContent = `${this.menu.chatBarText} ${this.isOpen ? "▾" : "▴"}`;
    this.bar.setAttribute("aria-expanded", String(Boolean(this.isOpen)));
  }
}
