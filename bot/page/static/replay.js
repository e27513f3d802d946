// Replays a game: which moment is shown, and what moves to another one.
/** @import { Game, GameEvent } from "../page.d.ts" */
import { ChancesChart } from "./chances.js";
import { button, element, isPressed, setPressed } from "./dom.js";
import { stateAfter } from "./round_state.js";
import { ALL_SEATS, tableParts } from "./table.js";
import { loadFaces, tileName } from "./tiles.js";
import { TopTable } from "./top_table.js";

/** @typedef {[value: string | number, label: string]} Choice */

const SHORTEST_SWIPE = 30; // pixels
const CALLS = {
  chi: "チー",
  pon: "ポン",
  kakan: "加槓",
  "open kan": "明槓",
  "closed kan": "暗槓",
  kita: "北抜き",
};

/** The replay of one game, in an element of any page. */
export class Replay {
  /**
   * @param {HTMLElement} root
   * @param {Game} game
   * @param {number} openSeat the only seat with an open hand, or ALL_SEATS
   */
  constructor(root, game, openSeat = ALL_SEATS) {
    this.game = game;
    this.round = 0;
    this.at = 0; // events played; one more than the round has shows its result
    this.openSeat = openSeat;
    loadFaces(game.tiles);
    this.table = element("div", "table");
    this.caption = element("p", "said");
    this.caption.setAttribute("role", "status");
    this.rounds = this.roundChoice();
    this.hands = this.handChoice();
    this.moments = this.momentChoice();
    this.slider = this.drawSlider();
    this.chances = null;
    if (game.chances) {
      this.chances = new ChancesChart(game, game.chances, (round) => this.goTo(round, 0));
    }
    this.topTable = null;
    if (game.choices) this.topTable = new TopTable(game.choices);
    this.topTableSwitch = button("上位卓", () => {
      setPressed(this.topTableSwitch, !isPressed(this.topTableSwitch));
      this.show();
    });
    setPressed(this.topTableSwitch, true);
    this.layOut(root);
    this.listen();
  }

  /** @param {HTMLElement} root */
  layOut(root) {
    const choices = element("div", "tops", this.rounds, this.hands);
    if (this.game.moments.length) choices.append(this.moments);
    const board = element("div", "board", choices);
    if (this.topTable) board.append(this.topTableButtons());
    board.append(this.caption, this.table);
    const aside = element("div", "beside");
    if (this.chances) aside.append(this.chances.box);
    const bar = element(
      "div",
      "bar",
      signButton("前の局", "«", () => this.goTo(this.round - 1, 0)),
      signButton("1つ前", "◀", () => this.step(-1)),
      this.slider,
      signButton("1つ先", "▶", () => this.step(1)),
      signButton("次の局", "»", () => this.goTo(this.round + 1, 0)),
    );
    root.replaceChildren(element("p", "when", this.game.when), board, aside, bar);
  }

  topTableButtons() {
    return element(
      "div",
      "tops",
      this.topTableSwitch,
      signButton("前の珍しい打牌", "◁ 珍しい打牌", () => this.goToUnusual(-1)),
      signButton("次の珍しい打牌", "▷", () => this.goToUnusual(1)),
    );
  }

  roundChoice() {
    /** @type {Choice[]} */
    const rounds = this.game.rounds.map((round, n) => [n, round.name]);
    return choiceOf("局", rounds, (value) => this.goTo(Number(value), 0));
  }

  handChoice() {
    /** @type {Choice[]} */
    const seats = this.game.players.map((name, seat) => [seat, `${name}だけ`]);
    const choice = choiceOf("手牌", [[ALL_SEATS, "全員の手牌"], ...seats], (value) => {
      this.openSeat = Number(value);
      this.show();
    });
    choice.value = String(this.openSeat);
    return choice;
  }

  momentChoice() {
    /** @type {Choice[]} */
    const moments = this.game.moments.map(([text], n) => [n, text]);
    return choiceOf("名場面", [["", "名場面"], ...moments], (value) => {
      if (value === "") return;
      const [_, round, at] = this.game.moments[Number(value)];
      this.goTo(round, at);
    });
  }

  drawSlider() {
    const slider = element("input");
    slider.type = "range";
    slider.setAttribute("aria-label", "場面");
    slider.addEventListener("input", () => this.goTo(this.round, Number(slider.value)));
    return slider;
  }

  /** Arrow keys and swipes over the table. */
  listen() {
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ArrowUp: () => this.goTo(this.round - 1, 0),
      ArrowDown: () => this.goTo(this.round + 1, 0),
      p: () => this.goToUnusual(-1),
      n: () => this.goToUnusual(1),
    };
    addEventListener("keydown", (press) => {
      const move = moves[press.key];
      const isInForm = press.target instanceof Element && press.target.matches("select, input");
      if (!move || isInForm) return;
      press.preventDefault();
      move();
    });
    /** @type {number | null} */
    let touchedAt = null;
    this.table.addEventListener("pointerdown", (touch) => {
      touchedAt = touch.clientX;
    });
    this.table.addEventListener("pointerup", (touch) => {
      const distance = touch.clientX - (touchedAt ?? touch.clientX);
      if (Math.abs(distance) > SHORTEST_SWIPE) this.step(distance < 0 ? 1 : -1);
    });
    this.table.addEventListener("pointercancel", () => {
      touchedAt = null;
    });
  }

  /** @param {number} round */
  lastPlaceOf(round) {
    return this.game.rounds[round].events.length + 1;
  }

  /**
   * Go one event on or back, over the ends of rounds.
   * @param {1 | -1} direction
   */
  step(direction) {
    const at = this.at + direction;
    if (at < 0 && this.round > 0) {
      this.goTo(this.round - 1, this.lastPlaceOf(this.round - 1));
    } else if (at > this.lastPlaceOf(this.round) && this.round + 1 < this.game.rounds.length) {
      this.goTo(this.round + 1, 0);
    } else {
      this.goTo(this.round, at);
    }
  }

  /**
   * Go to the next or the previous discard that the top table hardly makes.
   * @param {1 | -1} direction
   */
  goToUnusual(direction) {
    const place = this.topTable?.unusualFrom(this.round, this.at, direction);
    if (place) this.goTo(...place);
  }

  /**
   * Show a moment, or the nearest that there is.
   * @param {number} round
   * @param {number} at
   */
  goTo(round, at) {
    this.round = clamp(round, this.game.rounds.length - 1);
    this.at = clamp(at, this.lastPlaceOf(this.round));
    this.show();
  }

  show() {
    const round = this.game.rounds[this.round];
    const isOver = this.at > round.events.length;
    const state = stateAfter(round, this.at);
    if (isOver) {
      state.scores = round.after;
      if (round.wins.length) state.sticks = 0;
    }
    const lastEvent = round.events[this.at - 1];
    let choice;
    if (isPressed(this.topTableSwitch)) {
      choice = this.topTable?.choiceAt(this.round, round.events, this.at);
    }
    const view = { round, state, isOver, lastEvent, openSeat: this.openSeat, choice };
    this.table.replaceChildren(...tableParts(this.game, view));
    if (isOver) {
      this.caption.textContent = [round.ends, ...round.yaku, ...round.moments].join("　");
    } else {
      this.caption.textContent = lastEvent ? this.eventText(lastEvent) : "配牌";
    }
    this.chances?.show(isOver ? this.round + 1 : this.round);
    this.showPlace();
  }

  /** Set the slider and the choices to the shown moment. */
  showPlace() {
    this.rounds.value = String(this.round);
    this.slider.max = String(this.lastPlaceOf(this.round));
    this.slider.value = String(this.at);
    const moment = this.game.moments.findIndex(
      ([_, round, at]) => round === this.round && at === this.at,
    );
    this.moments.value = moment < 0 ? "" : String(moment);
  }

  /**
   * @param {GameEvent} event
   * @returns {string}
   */
  eventText(event) {
    if (event[0] === "n") return "新ドラ";
    const name = this.game.players[event[1]];
    if (event[0] === "d") {
      const isOpen = this.openSeat === ALL_SEATS || this.openSeat === event[1];
      return `${name} ツモ ${isOpen ? tileName(event[2]) : ""}`;
    }
    if (event[0] === "x") return `${name} 打 ${tileName(event[2])}`;
    if (event[0] === "c") return `${name} ${CALLS[event[2]]}`;
    return event[2] === 2 ? `${name} リーチ（供託）` : `${name} リーチ`;
  }
}

/**
 * @param {number} number
 * @param {number} highest
 * @returns {number} the nearest number from 0 to `highest`; 0 for what is no number
 */
function clamp(number, highest) {
  return Math.max(0, Math.min(highest, number || 0));
}

/**
 * A button with a sign, and a label for readers who do not see it.
 * @param {string} label
 * @param {string} sign
 * @param {() => void} act
 */
function signButton(label, sign, act) {
  const made = button(sign, act);
  made.setAttribute("aria-label", label);
  return made;
}

/**
 * @param {string} label
 * @param {Choice[]} choices
 * @param {(value: string) => void} act
 */
function choiceOf(label, choices, act) {
  const made = element("select");
  made.setAttribute("aria-label", label);
  for (const [value, text] of choices) made.append(new Option(text, String(value)));
  made.addEventListener("change", () => act(made.value));
  return made;
}
