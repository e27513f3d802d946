// The rich menu at the foot of the 1:1 chat, and the bar that opens and closes it.
import { labelOf } from "./actions.js";
import { byId, make, tappable } from "./dom.js";

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

// A picture with tap areas. `size` is what the areas are measured in.
function drawAreas(picture, size, areas, perform) {
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
