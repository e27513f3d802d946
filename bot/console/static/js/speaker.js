// Who speaks, and where: the head of the page, which a reload of the page keeps.
/** @import { People } from "./people.js" */
import { byId, elementOf, make } from "./dom.js";

const ASKER_KEY = "asker";
const PRIVATE_KEY = "private";

export class Speaker {
  /**
   * @param {People} people
   * @param {() => void} onChange after another person or chat was chosen
   */
  constructor(people, onChange) {
    this.people = people;
    this.onChange = onChange;
    this.select = elementOf("asker", HTMLSelectElement);
    const ids = people.users.map((user) => user.id);
    const lastAsker = sessionStorage.getItem(ASKER_KEY) ?? "";
    this.asker = ids.includes(lastAsker) ? lastAsker : ids[0];
    this.isPrivate = sessionStorage.getItem(PRIVATE_KEY) === "yes";
    this.listen();
  }

  /** The id of the chat that is shown. */
  get chat() {
    return this.isPrivate ? this.asker : this.people.group.id;
  }

  listen() {
    byId("in-group").addEventListener("click", () => this.setPrivate(false));
    byId("in-private").addEventListener("click", () => this.setPrivate(true));
    this.select.addEventListener("change", () => {
      this.asker = this.select.value;
      this.onChange();
    });
    for (const id of ["in-group", "in-private"]) {
      byId(id).addEventListener("keydown", (event) => {
        if (!event.key.startsWith("Arrow")) return;
        event.preventDefault();
        this.setPrivate(!this.isPrivate);
        byId(this.isPrivate ? "in-private" : "in-group").focus();
      });
    }
  }

  /** @param {boolean} isPrivate */
  setPrivate(isPrivate) {
    this.isPrivate = isPrivate;
    this.onChange();
  }

  draw() {
    const { bot, group, users } = this.people;
    let speakers = users;
    if (!this.isPrivate) {
      speakers = users.filter((user) => group.members.includes(user.id));
      if (!group.members.includes(this.asker)) this.asker = group.members[0];
    }
    sessionStorage.setItem(ASKER_KEY, this.asker);
    sessionStorage.setItem(PRIVATE_KEY, this.isPrivate ? "yes" : "no");
    checkRadio("in-group", !this.isPrivate);
    checkRadio("in-private", this.isPrivate);
    byId("chat-name").textContent = this.isPrivate ? bot.name : group.name;
    byId("chat-count").textContent = this.isPrivate ? "" : `(${group.members.length + 1})`;
    this.select.replaceChildren(...speakers.map(({ id, name }) => {
      return make("option", { value: id, selected: id === this.asker }, name);
    }));
  }
}

/**
 * @param {string} id
 * @param {boolean} isChecked
 */
function checkRadio(id, isChecked) {
  byId(id).setAttribute("aria-checked", String(isChecked));
  byId(id).tabIndex = isChecked ? 0 : -1;
}
