// Replays a game: the state after any event is played anew from the deal, so forward and back are alike.
import { shade, swatch } from "./colours.js";

const root = document.querySelector("#replay");
const SVG = "http://www.w3.org/2000/svg";
const RED = new Set([16, 52, 88]);
const CALLS = { chi: "チー", pon: "ポン", kakan: "加槓", "open kan": "明槓", "closed kan": "暗槓", kita: "北抜き" };

export function begin(round) {
  return {
    hands: round.hands.map((hand) => [...hand].sort((a, b) => a - b)),
    rivers: round.hands.map(() => []), melds: round.hands.map(() => []), riichi: round.hands.map(() => null),
    scores: [...round.start], sticks: round.sticks, indicators: [round.indicator],
    drawn: 0, taken: 0, replacing: false, last: null, fresh: null,
  };
}

export function play(state, event) {
  const [kind, seat, ...rest] = event;
  if (kind === "n") {
    state.indicators.push(seat);
    return;
  }
  const hand = state.hands[seat];
  state.fresh = null;
  if (kind === "d") {
    hand.push(rest[0]);
    state.fresh = rest[0];
    state[state.replacing ? "taken" : "drawn"] += 1;
    state.replacing = false;
  } else if (kind === "x") {
    hand.splice(hand.indexOf(rest[0]), 1);
    hand.sort((a, b) => a - b);
    const river = state.rivers[seat];
    river.push({ tile: rest[0], drawn: rest[1], riichi: state.riichi[seat] === river.length, called: false });
  } else if (kind === "r") {
    if (rest[0] === 1) state.riichi[seat] = state.rivers[seat].length;
    else {
      state.scores[seat] -= 1000;
      state.sticks += 1;
    }
  } else if (kind === "c") {
    const [type, tiles, own, called, giver] = rest;
    for (const tile of own) hand.splice(hand.indexOf(tile), 1);
    hand.sort((a, b) => a - b);
    if (type === "kakan") {
      const pon = state.melds[seat].findIndex((meld) => meld.type === "pon" && meld.called >> 2 === called >> 2);
      state.melds[seat].splice(pon, 1);
    }
    if (["chi", "pon", "open kan"].includes(type)) state.rivers[state.last].at(-1).called = true;
    state.melds[seat].push({ type, tiles, called, giver });
    state.replacing = !["chi", "pon"].includes(type);
  }
  if (kind !== "r") state.last = seat;
}

export function stateAt(round, number) {
  const state = begin(round);
  round.events.slice(0, number).forEach((event) => play(state, event));
  return state;
}

function start(game) {
  const sprite = document.createElementNS(SVG, "svg");
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  sprite.innerHTML = game.tiles;
  document.body.prepend(sprite);
  const asked = new URLSearchParams(location.search);
  const scene = game.scenes[asked.get("scene")] ?? [Number(asked.get("round") ?? 0), Number(asked.get("at") ?? 0)];
  let at = 0, round = 0, own = asked.has("seat") ? Number(asked.get("seat")) : -1;
  const seats = game.players.map((_, seat) => seat);
  const table = element("div", "table");
  const said = element("p", "said");
  said.setAttribute("role", "status");
  const slider = element("input");
  slider.type = "range";
  slider.setAttribute("aria-label", "場面");
  const rounds = select("局", game.rounds.map((one, n) => [n, one.name]), (value) => go(Number(value), 0));
  const hands = select("手牌", [[-1, "全員の手牌"], ...game.players.map((name, n) => [n, `${name}だけ`])], (value) => {
    own = Number(value);
    show();
  });
  hands.value = own;
  const told = select("名場面", [["", "名場面"], ...game.moments.map(([words], n) => [n, words])], (value) => {
    if (value !== "") go(...game.moments[value].slice(1));
  });
  const story = game.chances && chances(game, (number) => go(number, 0));
  const bar = element("div", "bar");
  bar.append(button("前の局", "«", () => go(round - 1, 0)), button("1つ前", "◀", () => step(-1)), slider,
    button("1つ先", "▶", () => step(1)), button("次の局", "»", () => go(round + 1, 0)));
  const tops = element("div", "tops");
  tops.append(rounds, hands, ...(game.moments.length ? [told] : []));
  const board = element("div", "board"), beside = element("div", "beside");
  board.append(tops, said, table);
  beside.append(...(story ? [story.box] : []));
  root.replaceChildren(Object.assign(element("p", "when"), { textContent: game.when }), board, beside, bar);
  slider.oninput = () => go(round, Number(slider.value));
  addEventListener("keydown", (key) => {
    const moves = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => go(round - 1, 0), ArrowDown: () => go(round + 1, 0) };
    if (!moves[key.key] || key.target.matches("select, input")) return;
    key.preventDefault();
    moves[key.key]();
  });
  let touched = null;
  table.addEventListener("pointerdown", (touch) => { touched = touch.clientX; });
  table.addEventListener("pointerup", (touch) => {
    const way = touch.clientX - (touched ?? touch.clientX);
    if (Math.abs(way) > 30) step(way < 0 ? 1 : -1);
  });
  table.addEventListener("pointercancel", () => { touched = null; });
  go(...scene);

  function step(way) {
    const length = game.rounds[round].events.length + 1;
    if (at + way < 0 && round > 0) go(round - 1, game.rounds[round - 1].events.length + 1);
    else if (at + way > length && round + 1 < game.rounds.length) go(round + 1, 0);
    else go(round, at + way);
  }

  function go(number, place) {
    round = Math.max(0, Math.min(game.rounds.length - 1, number || 0));
    at = Math.max(0, Math.min(game.rounds[round].events.length + 1, place || 0));
    show();
  }

  function show() {
    const deal = game.rounds[round], over = at > deal.events.length;
    const state = stateAt(deal, at);
    if (over) Object.assign(state, { scores: deal.after, sticks: deal.wins.length ? 0 : state.sticks });
    rounds.value = round;
    const shown = game.moments.findIndex(([, number, place]) => number === round && place === at);
    told.value = shown < 0 ? "" : shown;
    story?.mark(over ? round + 1 : round);
    slider.max = deal.events.length + 1;
    slider.value = at;
    const last = deal.events[at - 1];
    said.textContent = over ? [deal.ends, ...deal.yaku, ...deal.moments].join("　") : last ? words(last) : "配牌";
    const middle = element("div", "middle");
    const left = deal.live ? deal.live.slice(state.drawn, deal.live.length - state.taken) : null;
    const count = (left ? left.length : (seats.length === 3 ? 55 : 70) - state.drawn - state.taken);
    middle.append(text("ドラ表示"), tiles(state.indicators));
    if (over && deal.ura.length) middle.append(text("裏"), tiles(deal.ura));
    middle.append(text(`残り${count}枚`), text(state.sticks ? `供託${state.sticks}` : ""));
    const panels = seats.map((seat) => panel(deal, state, seat, over, last));
    table.replaceChildren(middle, ...panels);
    if (left && own < 0) {
      const next = element("div", "next");
      next.append(text("これからの山"), tiles(left));
      table.append(next);
    }
  }

  function words(event) {
    const name = game.players[event[1]];
    if (event[0] === "d") return `${name} ツモ ${own < 0 || own === event[1] ? tileName(event[2]) : ""}`;
    if (event[0] === "x") return `${name} 打 ${tileName(event[2])}`;
    if (event[0] === "r") return `${name} リーチ${event[2] === 2 ? "（供託）" : ""}`;
    if (event[0] === "c") return `${name} ${CALLS[event[2]]}`;
    return "新ドラ";
  }

  function panel(deal, state, seat, over, last) {
    const box = element("section", "seat" + (last && last[0] !== "n" && last[1] === seat && !over ? " acts" : ""));
    const wind = "東南西北"[(seat - deal.dealer + seats.length) % seats.length];
    const head = element("h2");
    const change = over ? deal.after[seat] - deal.start[seat] : 0;
    head.append(`${wind} ${game.players[seat]}　${state.scores[seat].toLocaleString("ja")}`);
    if (change) {
      const moved = element("span", change > 0 ? "better" : "worse");
      moved.textContent = ` ${change > 0 ? "▲" : "▼"}${Math.abs(change).toLocaleString("ja")}`;
      head.append(moved);
    }
    if (state.riichi[seat] !== null) head.append(Object.assign(element("span", "stick"), { textContent: "リーチ" }));
    const won = over && deal.wins.find(([winner]) => winner === seat);
    const open = own < 0 || own === seat || won;
    const hand = element("div", "tiles hand");
    const held = state.hands[seat].filter((tile) => tile !== state.fresh);
    held.forEach((tile) => hand.append(face(open ? tile : null)));
    const drawn = state.fresh !== null && state.hands[seat].includes(state.fresh) ? state.fresh : null;
    if (drawn !== null) hand.append(face(open ? drawn : null, "drawn"));
    if (won && drawn === null) hand.append(face(won[1], "drawn"));
    for (const meld of state.melds[seat]) {
      const group = element("span", "meld");
      meld.tiles.forEach((tile) => group.append(face(tile, tile === meld.called && meld.giver ? "called" : "")));
      hand.append(group);
    }
    const river = element("div", "tiles river");
    for (const one of state.rivers[seat]) {
      river.append(face(one.tile, [one.riichi && "turned", one.called && "gone", one.drawn && "passed"].filter(Boolean).join(" ")));
    }
    box.append(head, hand, river);
    return box;
  }
}

// Everybody's chance of the first place over the deals as lines; `mark` says the chances at one of them.
function chances(game, go) {
  const box = element("section", "chances"), last = game.chances.length - 1;
  const plot = document.createElementNS(SVG, "svg");
  for (const [key, value] of [["viewBox", `0 0 ${last} 100`], ["preserveAspectRatio", "none"], ["aria-hidden", "true"]]) plot.setAttribute(key, value);
  const draw = (points, colour, kind) => {
    const line = plot.appendChild(document.createElementNS(SVG, "polyline"));
    for (const [key, value] of [["points", points], ["stroke", colour], ["class", kind]]) line.setAttribute(key, value);
    return line;
  };
  draw(`0,50 ${last},50`, "currentColor", "half");
  const cursor = draw("", "currentColor", "cursor");
  game.players.forEach((_, seat) => draw(game.chances.map((places, n) => `${n},${100 - 100 * places[seat][0][0]}`).join(" "), shade(game.colours[seat]), "line"));
  plot.onclick = (tap) => {
    const { left, width } = plot.getBoundingClientRect();
    go(Math.min(last - 1, Math.round(last * (tap.clientX - left) / width)));
  };
  const rows = element("table");
  box.append(Object.assign(element("h2"), { textContent: "着順の確率" }), plot, rows);
  return {
    box,
    mark(deal) {
      cursor.setAttribute("points", `${deal},0 ${deal},100`);
      const words = game.rounds[deal] ? `${game.rounds[deal].name}のはじめ` : "終局";
      const head = rows.createTHead();
      head.replaceChildren();
      const top = head.insertRow();
      [words, ...game.players.map((_, place) => `${place + 1}位`)].forEach((each) => top.append(Object.assign(element("th"), { textContent: each, scope: "col" })));
      const body = rows.tBodies[0] ?? rows.createTBody();
      body.replaceChildren(...game.players.map((name, seat) => {
        const row = element("tr"), who = element("th");
        who.scope = "row";
        who.append(swatch(shade(game.colours[seat])), name);
        row.append(who, ...game.chances[deal][seat].map(([, words]) => Object.assign(element("td"), { textContent: words })));
        return row;
      }));
    },
  };
}

function tileName(tile) {
  const kind = tile >> 2;
  const name = kind < 27 ? "一二三四五六七八九"[kind % 9] + "萬筒索"[Math.floor(kind / 9)] : "東南西北白發中"[kind - 27];
  return RED.has(tile) ? `赤${name}` : name;
}

function face(tile, kind = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 40 54.4");
  svg.setAttribute("class", `tile ${kind}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", tile === null ? "伏せ牌" : tileName(tile));
  const use = svg.appendChild(document.createElementNS(SVG, "use"));
  use.setAttribute("href", tile === null ? "#back" : `#${RED.has(tile) ? "r" : "t"}${tile >> 2}`);
  return svg;
}

function tiles(all) {
  const box = element("span", "tiles");
  all.forEach((tile) => box.append(face(tile)));
  return box;
}

function element(name, kind = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  return made;
}

function text(words) {
  return Object.assign(element("span"), { textContent: words });
}

function button(label, sign, act) {
  const made = element("button");
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.textContent = sign;
  made.onclick = act;
  return made;
}

function select(label, options, act) {
  const made = element("select");
  made.setAttribute("aria-label", label);
  for (const [value, words] of options) made.append(new Option(words, value));
  made.onchange = () => act(made.value);
  return made;
}

if (root) {
  const answer = await fetch(`${location.pathname}/record${location.search}`);
  if (answer.ok) start(await answer.json());
  else root.textContent = "この対局の牌譜は残っていません。「対局」からほかの対局を選んでください。";
}
