import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { call } from "../../e2e/support/process.ts";
import { type LocalServer, type Receiver, listen, openReceiver, sendPage } from "../../e2e/support/servers.ts";
import type { Access } from "./nodes.ts";

export type HoldingOrigin = LocalServer & {
  /** The requested paths in order. */
  readonly requestedPaths: readonly string[];
  /** Responds to requests from now on; earlier ones stay pending. */
  release(): void;
};

/** Starts an origin that keeps every request pending until it is released. */
export async function openHoldingOrigin(respond = (response: ServerResponse, path: string) => sendPage(response, `Page ${path}`)) {
  const requestedPaths: string[] = [];
  let isReleased = false;
  const server = await listen((request, response) => {
    const path = request.url ?? "";
    requestedPaths.push(path);
    if (isReleased) respond(response, path);
  });
  onTestFinished(() => server.close());
  return { ...server, requestedPaths, release: () => void (isReleased = true) } satisfies HoldingOrigin;
}

/** Starts a webhook receiver that is closed after the test. */
export async function openTestReceiver(): Promise<Receiver> {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Posts links as one batch and returns the ids of the tiles. */
export async function postLinks(url: string, { key, boardId }: Access, links: readonly string[]): Promise<string[]> {
  const tiles = links.map((link) => ({ board_id: boardId, url: link }));
  const { status, text, json } = await call(url, key, "POST", "/api/inbound/tiles/batch", { tiles });
  if (status !== 200) throw new Error(`The batch returned ${status}: ${text}`);
  return json.results.map(({ tile }: { tile: { id: string } }) => tile.id);
}

export type ListedTile = { readonly id: string; readonly title: string; readonly status: string; readonly sourceUrl: string | null };

/** Lists the tiles of the board, without their text. */
export async function listTiles(url: string, { key, boardId }: Access): Promise<readonly ListedTile[]> {
  const { status, text, json } = await call(url, key, "GET", `/api/board/${boardId}/tiles?text=false`);
  if (status !== 200) throw new Error(`The listing was answered ${status}: ${text}`);
  return json.tiles;
}

/** The number of received events per tile. */
export function countEvents(receiver: Receiver, event: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of receiver.received) {
    const told = JSON.parse(body.toString()) as { event: string; payload: { tileId: string } };
    if (told.event === event) counts.set(told.payload.tileId, (counts.get(told.payload.tileId) ?? 0) + 1);
  }
  return counts;
}
