// The page's calls to the console.
/** @import { ConsoleState, EveningState, Updates, UserAction } from "../../console.d.ts" */

/** @returns {Promise<ConsoleState>} */
export async function readState() {
  return await json(await fetch("state"));
}

/**
 * The entries after a number, as soon as there is one.
 * @param {string} epoch
 * @param {number} after
 * @returns {Promise<Updates>}
 */
export async function readUpdates(epoch, after) {
  return await json(await fetch(`updates?epoch=${encodeURIComponent(epoch)}&after=${after}`));
}

/** @param {UserAction & { chat: string, user: string }} action */
export async function sendAction(action) {
  await json(
    await fetch("events", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(action),
    }),
  );
}

/** @returns {Promise<EveningState & { here: boolean }>} */
export async function readEvening() {
  return await json(await fetch("evening"));
}

/** @returns {Promise<EveningState>} */
export async function beginEvening() {
  return await json(await fetch("evening", { method: "POST" }));
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
function json(response) {
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}
