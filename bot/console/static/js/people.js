// The names of the bot, the users and the groups.
/** @import { ConsoleState } from "../../console.d.ts" */

const HUES = [212, 28, 145, 330, 262, 188, 48, 95, 0, 295];

export class People {
  /** @param {ConsoleState} state */
  constructor(state) {
    this.state = state;
  }

  /** @param {ConsoleState} state */
  update(state) {
    this.state = state;
  }

  get bot() {
    return this.state.bot;
  }

  get users() {
    return this.state.users;
  }

  /** The group that the page shows. */
  get group() {
    return this.state.groups[0];
  }

  /** @param {string | null} id null for the bot */
  nameOf(id) {
    if (id === null) return this.bot.name;
    return this.users.find((user) => user.id === id)?.name ?? "（名前なし）";
  }

  /** @param {string} id */
  hueOf(id) {
    return HUES[this.users.findIndex((user) => user.id === id) % HUES.length];
  }

  /**
   * @param {string} id
   * @returns {string} the id of the rich menu that the user sees; "" for none
   */
  menuIdOf(id) {
    return this.state.menus[id] ?? "";
  }

  /** @param {string} id of a rich menu */
  menu(id) {
    return this.state.richmenus[id];
  }
}
