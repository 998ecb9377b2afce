import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import type { TileType } from "#domain/content/tile.ts";
import { ingested } from "../../../support/boards.ts";
import { type Origin, startOrigin } from "../../../support/servers/origin.ts";
import { pictures } from "../../../support/pictures.ts";
import { type Answer, type TestService, startTestService } from "../../../support/service.ts";

export type Serve = (response: ServerResponse, request: IncomingMessage) => void;

export const MIB = 1_048_576;
export const NONE = "This tile has no picture that can be shown.";

export const asPicture =
  (body: Buffer | string, type = "image/png"): Serve =>
  (response) =>
    response.writeHead(200, { "content-type": type }).end(body);

/** The responses of the other host by path, set by each test. */
export const served = new Map<string, Serve>();
export const requestCounts = new Map<string, number>();
export const countRequests = (path: string): number => requestCounts.get(path) ?? 0;
export let innerHits = 0;
export let origin: Origin;

/** On loopback like the other host, but not allowed. */
export let inner: Origin;
export let service: TestService;
let paths = 0;

/** A ready tile whose thumbnail has this address. */
export async function addTile(thumbnailUrl?: string): Promise<string> {
  const { store } = service.appContext.deps;
  const made = await service.call("POST", "/api/inbound/tiles", {
    body: { board_id: service.boardId, url: `https://site-${paths++}.example/page` },
  });
  await finish(made.json.tile.id, thumbnailUrl);
  expect(await store.tiles.find(service.businessId, made.json.tile.id)).toMatchObject({ status: "ready" });
  return made.json.tile.id;
}

export async function finish(tileId: string, thumbnailUrl?: string, type: TileType = "WEBSITE"): Promise<void> {
  const { queue } = service.appContext.deps.store;
  const [job] = await queue.claim(1, 1, Date.now());
  expect(job?.tileId).toBe(tileId);
  await queue.complete(job!, ingested("Words.", { type, metadata: thumbnailUrl === undefined ? {} : { thumbnailUrl } }), Date.now());
}

/** A ready tile whose thumbnail the other host serves, and its path there. */
export async function addServed(serve: Serve): Promise<{ readonly id: string; readonly path: string }> {
  const path = `/picture-${paths++}`;
  served.set(path, serve);
  return { id: await addTile(origin.url + path), path };
}

export const thumbnailPath = (tileId: string, boardId = service.boardId): string => `/api/board/${boardId}/tiles/${tileId}/thumbnail`;

export const getThumbnail = (tileId: string, options: Parameters<TestService["call"]>[2] = {}): Promise<Answer> =>
  service.call("GET", thumbnailPath(tileId), options);

export const toError = ({ status, json }: Answer): unknown => ({ status, json });
export const none = { status: 404, json: { error: NONE } };

/** Registers the hooks that set up and close what the tests of a file share. */
export function useThumbnailService(): void {
  beforeAll(async () => {
    origin = await startOrigin((request, response) => {
      const path = request.url ?? "";
      requestCounts.set(path, countRequests(path) + 1);
      const serve = served.get(path);
      if (serve === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<p>Gone.</p>");
      else serve(response, request);
    });
    inner = await startOrigin((_request, response) => {
      innerHits++;
      response.writeHead(200, { "content-type": "image/png" }).end(pictures.png(2, 2));
    });
    service = await startTestService({ ROLE: "api", FETCH_ALLOW: `127.0.0.1:${origin.port}` });
  });
  afterAll(async () => {
    await service?.stop();
    await origin?.close();
    await inner?.close();
  });
}
