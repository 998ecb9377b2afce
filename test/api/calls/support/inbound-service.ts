import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { type TestService, startTestService } from "../../../support/service.ts";

const PAGE = `<!doctype html><html><head><title>Tides of the harbour</title></head><body><article><h1>Tides of the harbour</h1>
<p>${"The tide turns at noon and the ferries wait for it, as they have always done. ".repeat(12)}</p></article></body></html>`;

const pages = createServer((request, response) => {
  const isPage = request.url?.startsWith("/page") === true;
  response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(isPage ? PAGE : "nothing");
});

/** `quiet` has no background work; `busy` fetches the pages above. */
export let quiet: TestService;
export let busy: TestService;
export let origin: string;
export let zoneId: string;
export let otherZoneId: string;

export const FOREIGN_ZONE = "The zone does not belong to this board.";
export const post = (body: unknown, more: { key?: string; headers?: Record<string, string> } = {}) =>
  quiet.call("POST", "/api/inbound/tiles", { body, ...more });
export const read = async (id: string): Promise<any> => (await quiet.call("GET", `/api/board/tiles/${id}`)).json.tile;

/** Registers the hooks that set up and close what the tests of a file share. */
export function useInboundService(): void {
  beforeAll(async () => {
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(pages.address() as AddressInfo).port}`;
    origin = `http://${host}`;
    quiet = await startTestService({ ROLE: "api" });
    busy = await startTestService({ FETCH_ALLOW: host, INGEST_ATTEMPTS: "1" });
    zoneId = (await quiet.call("POST", `/api/board/${quiet.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
    const { id } = (await quiet.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board;
    otherZoneId = (await quiet.call("POST", `/api/board/${id}/zones`, { body: { name: "Foreign" } })).json.zone.id;
  });
  afterAll(async () => {
    await Promise.all([quiet.stop(), busy.stop()]);
    pages.closeAllConnections();
    pages.close();
  });
}
