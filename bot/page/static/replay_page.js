// The page of a game's replay: reads the record, and opens it at the moment that the address names.
/** @import { Game, Place } from "../page.d.ts" */
import { child } from "./dom.js";
import { Replay } from "./replay.js";
import { ALL_SEATS } from "./table.js";

const NO_RECORD = "この対局の牌譜は残っていません。「対局」からほかの対局を選んでください。";

/**
 * @param {Game} game
 * @param {URLSearchParams} query
 * @returns {Place} that of `scene`, or that of `round` and `at`
 */
function placeOf(game, query) {
  const scene = game.scenes[query.get("scene") ?? ""];
  return scene ?? [Number(query.get("round") ?? 0), Number(query.get("at") ?? 0)];
}

const root = child(document, "#replay");
const response = await fetch(`${location.pathname}/record${location.search}`);
if (response.ok) {
  /** @type {Game} */
  const game = await response.json();
  const query = new URLSearchParams(location.search);
  const replay = new Replay(root, game, Number(query.get("seat") ?? ALL_SEATS));
  replay.goTo(...placeOf(game, query));
} else {
  root.textContent = NO_RECORD;
}
