// The page's few calls to the console.
async function json(response) {
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

export const state = async () => json(await fetch("state"));

export const updates = async (epoch, after) =>
  json(await fetch(`updates?epoch=${encodeURIComponent(epoch)}&after=${after}`));

export const act = async (deed) =>
  json(await fetch("events", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(deed),
  }));

export const evening = async () => json(await fetch("evening"));

export const beginEvening = async () => json(await fetch("evening", { method: "POST" }));
