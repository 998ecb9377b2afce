import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { newStorage } from "../support/engine.ts";
import { call, makeFolder, startServer, tessera, tesseraJson } from "./support/process.ts";
import { articlePage, listen, until } from "./support/servers.ts";

const DAY = 86_400_000;
const PRELOAD = pathToFileURL(join(import.meta.dirname, "support/shifted-clock.ts")).href;

describe("a server whose clock is set 40 days ahead and back", () => {
  test("goes on reading links, making backups and counting calls", { timeout: 120_000 }, async () => {
    const folder = makeFolder();
    const storage = await newStorage();
    const file = folder.path("shift");
    const setClock = async (shift: number): Promise<void> => {
      writeFileSync(`${file}.new`, String(shift));
      renameSync(`${file}.new`, file);
      // Looked at every 50 ms by the server; backups are looked for every second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
    };
    await setClock(0);
    const origin = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(articlePage("Hours", "The harbour gate opens at six in the morning."));
    });
    const environment = {
      ...storage.environment,
      DATA_DIR: folder.dataDir,
      FETCH_ALLOW: origin.host,
      FETCH_ROUTES: `https://pages.example=${origin.url}`,
      RATE_LIMIT_PER_MINUTE: "500",
      LOG_LEVEL: "error",
    };
    const server = await startServer({ ...environment, CLOCK_SHIFT_FILE: file, NODE_OPTIONS: `--import=${PRELOAD}` });
    try {
      const { key } = await tesseraJson(environment, "key", "create", "--name", "test");
      const boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
      const backups = async (): Promise<{ status: string; startedAt: string }[]> => (await tesseraJson(environment, "backups")).backups;
      const readLink = async (name: string): Promise<void> => {
        const made = await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: `https://pages.example/${name}` });
        const { json } = await call(server.url, key, "GET", `/api/board/tiles/${made.json.tile.id}?wait=25`);
        expect(json.tile, name).toMatchObject({ status: "ready" });
      };
      expect((await tessera(environment, "backups", "set", "--every", "day", "--hour", "3")).code).toBe(0);
      await readLink("before");
      const known = (await backups()).length;

      await setClock(40 * DAY);
      await readLink("ahead");
      await until(
        "a backup while the clock is ahead",
        async () => (await backups()).filter(({ status }) => status === "done").length > known,
      );
      const ahead = (await backups()).length;

      await setClock(0);
      await readLink("back");
      await until(
        "a backup once the clock is right",
        async () => (await backups()).filter(({ status }) => status === "done").length > ahead,
      );
      const { headers, status } = await call(server.url, key, "GET", "/api/me");
      expect(status).toBe(200);
      const reset = Number(/;t=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
      expect(reset).toBeLessThanOrEqual(60);

      await setClock(-40 * DAY);
      await readLink("behind");
      await setClock(0);
      await readLink("right again");
      expect(server.stderr()).toBe("");
    } finally {
      await server.kill("SIGTERM");
      await origin.close();
      await storage.drop();
      folder.remove();
    }
  });
});
