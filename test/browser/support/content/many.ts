import type { Install, Session } from "../install.ts";

/** Maximum number of tiles in one request. */
const BATCH = 500;

/** Adds many texts to a zone, the first one at the top. */
export async function fillZone(
  install: Install,
  session: Session,
  place: { readonly boardId: string; readonly zoneId: string },
  tiles: readonly { readonly title?: string; readonly content: string }[],
): Promise<void> {
  const { key } = await install.call(session, "POST", "/api/settings/keys", { name: "fill" });
  for (let from = 0; from < tiles.length; from += BATCH) {
    const some = tiles.slice(from, from + BATCH).map((tile) => ({ ...tile, board_id: place.boardId, zone_id: place.zoneId }));
    const answer = await fetch(`${install.url}/api/inbound/tiles/batch`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ tiles: some }),
    });
    if (answer.status !== 200) throw new Error(`The batch was answered ${answer.status}: ${await answer.text()}`);
  }
}
