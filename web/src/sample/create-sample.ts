import type { Tile } from "@tessera-board/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "../api/client/client.ts";
import { BOARDS_KEY, zonesKey } from "../api/query-keys.ts";
import { cacheTile } from "../api/tiles/tile-cache.ts";
import { SAMPLE_NAME, SAMPLE_ZONES, type SampleTile } from "./content.ts";
import { fetchSampleFile } from "./file-urls.ts";
import { readSampleRecord, writeSampleRecord } from "./sample-memory.ts";

type Target = { readonly boardId: string; readonly zoneId: string; readonly runId: string };

const MEDIA_TYPES: Readonly<Record<string, string>> = { html: "text/html", pdf: "application/pdf" };

/** Creates the board and its zones, or returns those of an interrupted run. Rejects if the server refuses or can't be reached. */
export async function createSampleBoard(client: QueryClient, memberId: string): Promise<string> {
  const { runId, boardId: known } = getRun(memberId);
  const boardId = known ?? (await tessera.boards.create({ name: SAMPLE_NAME }, { idempotencyKey: `${runId}-board` })).id;
  writeSampleRecord(memberId, { state: "started", runId, boardId });
  await createZones(boardId, runId);
  await client.invalidateQueries({ queryKey: BOARDS_KEY });
  return boardId;
}

/**
 * Creates the tiles that the board does not have yet, one after the other so that they keep their order. Titles are compared, because an
 * idempotency key is remembered for a day only.
 */
export async function fillSampleBoard(client: QueryClient, memberId: string, boardId: string): Promise<void> {
  const { runId } = getRun(memberId);
  const zoneIds = await createZones(boardId, runId);
  void client.invalidateQueries({ queryKey: zonesKey(boardId) });
  const { tiles: existing } = await tessera.tiles.list(boardId, { text: false });
  const titles = new Set(existing.map(({ title }) => title));
  for (const [index, { tiles }] of SAMPLE_ZONES.entries()) {
    const zoneId = zoneIds[index] as string;
    for (const tile of tiles)
      if (!titles.has(tile.title)) cacheTile(client, { etag: null, ...(await createTile(tile, { boardId, zoneId, runId })) });
  }
  writeSampleRecord(memberId, { state: "complete", boardId });
}

/** The run that was interrupted, or a new one. */
function getRun(memberId: string): { readonly runId: string; readonly boardId: string | null } {
  const record = readSampleRecord(memberId);
  if (record?.state === "started") return record;
  const run = { state: "started", runId: newIdempotencyKey(), boardId: null } as const;
  writeSampleRecord(memberId, run);
  return run;
}

/** The ids of the zones in the order of the sample; those that exist are kept. */
async function createZones(boardId: string, runId: string): Promise<readonly string[]> {
  const existing = await tessera.zones.list(boardId);
  const ids: string[] = [];
  for (const [index, { name, color, emoji }] of SAMPLE_ZONES.entries()) {
    const zone = existing.find((one) => one.name === name);
    const body = { name, color, emoji };
    ids.push((zone ?? (await tessera.zones.create(boardId, body, { idempotencyKey: `${runId}-zone-${index}` }))).id);
  }
  return ids;
}

async function createTile({ title, file }: SampleTile, { boardId, zoneId, runId }: Target): Promise<Tile> {
  const blob = await fetchSampleFile(file);
  const call = { idempotencyKey: `${runId}-${file}` };
  const type = MEDIA_TYPES[file.slice(file.lastIndexOf(".") + 1)];
  if (type === undefined)
    return tessera.tiles.create(boardId, { title, zoneId, content: await blob.text(), externalId: `sample/${file}` }, call);
  return tessera.tiles.upload(boardId, { file: new File([blob], file, { type }), title, zoneId }, call);
}
