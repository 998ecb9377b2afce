import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { newStorage } from "../support/engine.ts";
import { call, makeFolder, startServer, tessera, tesseraJson } from "./support/process.ts";
import { articlePage, listen, until } from "./support/servers.ts";

const DAY = 86_400_000;
const PRELOAD = pathToFileURL(join(import.meta.dirname, "support/shifted-clock.ts")).href;

test(
  "a server whose clock is set 40 days ahead and back continues to read links, make backups and count requests",
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder();
    const storage = await newStorage();
    const file = folder.path("shift");
    const setClock = (shift: number): void => {
      writeFileSync(`${file}.new`, String(shift));
      renameSync(`${file}.new`, file);
    };
    setClock(0);
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
      const countBackups = async (): Promise<number> => {
        const { backups } = await tesseraJson(environment, "backups");
        return backups.filter(({ status }: { status: string }) => status === "done").length;
      };
      const readLink = async (name: string): Promise<void> => {
        const made = await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: `https://pages.example/${name}` });
        const { json } = await call(server.url, key, "GET", `/api/board/tiles/${made.json.tile.id}?wait=25`);
        expect(json.tile, name).toMatchObject({ status: "ready" });
      };
      expect((await tessera(environment, "backups", "set", "--every", "day", "--hour", "3")).code).toBe(0);
      await readLink("before");
      /** Each jump by more than a day makes a backup due, so a new backup proves that the server uses the new time. */
      const jump = async (shift: number, name: string): Promise<void> => {
        const known = await countBackups();
        setClock(shift);
        await until(`a backup once the clock is ${name}`, async () => (await countBackups()) > known);
        await readLink(name);
      };
      await jump(40 * DAY, "ahead");
      await jump(0, "back");
      const { headers, status } = await call(server.url, key, "GET", "/api/me");
      expect(status).toBe(200);
      const reset = Number(/;t=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
      expect(reset).toBeLessThanOrEqual(60);

      await jump(-40 * DAY, "behind");
      await jump(0, "right-again");
      expect(server.stderr()).toBe("");
    } finally {
      await server.kill("SIGTERM");
      await origin.close();
      await storage.drop();
      folder.remove();
    }
  },
);
