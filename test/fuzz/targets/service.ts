import { readFileSync } from "node:fs";
import { call, makeFolder, startServer, tesseraJson } from "../../e2e/support/process.ts";
import { pause } from "../../e2e/support/servers.ts";
import { articlePage } from "../../support/servers/origin.ts";
import { randomResponse } from "../support/http-bytes.ts";
import { mutateText } from "../support/mutate.ts";
import type { Random } from "../support/random.ts";
import { chooseBehaviour, startRawServer } from "../support/raw-server.ts";
import type { Target } from "../support/target.ts";

const LINKS_PER_ROUND = 6;
const SETTLE_MS = 40_000;
/** The maximum memory of the server and its threads above idle, in MiB. */
const MAX_GROWTH_MIB = 400;
const HOSTS = ["page", "www.youtube.com", "vimeo.com", "bsky.app", "old.reddit.com", "open.spotify.com", "github.com"];
const PATHS = [
  "page",
  "watch?v=abcdefghijk",
  "123456",
  "file.pdf",
  "file.docx",
  "feed.xml",
  "a/b.vtt",
  "r/a/comments/1a2b3c/x/",
  "episode/1",
];

const residentMib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0") / 1_024;

const createPageBody = (random: Random): Uint8Array => Buffer.from(random.chance(0.3) ? articlePage() : mutateText(articlePage(), random));

const createEnvironment = (dataDir: string, port: number, hosts: readonly string[]): Record<string, string> => ({
  DATA_DIR: dataDir,
  FETCH_ALLOW: `127.0.0.1:${port}`,
  WEBHOOK_ALLOW: `127.0.0.1:${port}`,
  FETCH_ROUTES: hosts.map((host) => `${host}=http://127.0.0.1:${port}`).join(","),
  LLM_PROVIDER: "openai-compatible",
  LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
  LLM_MODEL: "m",
  LLM_TIMEOUT_MS: "3000",
  INGEST_TIMEOUT_MS: "4000",
  INGEST_ATTEMPTS: "1",
  INGEST_PER_HOST: "16",
  WEBHOOK_TIMEOUT_MS: "2000",
  LOG_LEVEL: "warn",
});

/** The whole service: links, webhooks and questions to a model, with servers that respond with anything. */
export const service: Target = {
  name: "service",
  testRounds: 4,
  async open() {
    const raw = await startRawServer();
    const folder = makeFolder();
    const hosts = HOSTS.flatMap((host) => [`http://${host}.example`, `https://${host}`]);
    const environment = createEnvironment(folder.dataDir, raw.port, hosts);
    const server = await startServer(environment);
    const { key } = await tesseraJson(environment, "key", "create", "--name", "fuzz");
    await tesseraJson(environment, "webhook", "set", `http://127.0.0.1:${raw.port}/hook`);
    const boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
    const before = residentMib(server.pid);
    const state = { hasEnded: false };
    void server.ended.then(() => (state.hasEnded = true));
    const check = (what: string): void => {
      if (state.hasEnded)
        throw new Error(`The server ended while ${what}: ${server.stdout().slice(-3_000)}${server.stderr().slice(-3_000)}`);
      const grown = residentMib(server.pid) - before;
      if (grown > MAX_GROWTH_MIB) throw new Error(`The server grew by ${grown.toFixed(0)} MiB.`);
    };
    return {
      async round(random) {
        raw.behave(() => chooseBehaviour(randomResponse(createPageBody(random), random), random));
        const tiles = Array.from({ length: LINKS_PER_ROUND }, () => {
          const host = random.pick(hosts);
          return { board_id: boardId, url: `${host}/${random.pick(PATHS)}${random.chance(0.5) ? "" : `?n=${random.int(1_000)}`}` };
        });
        const { json } = await call(server.url, key, "POST", "/api/inbound/tiles/batch", { tiles });
        const ids: string[] = json.results.flatMap((result: { tile?: { id: string } }) => result.tile?.id ?? []);
        const { status } = await call(server.url, key, "POST", `/api/board/${boardId}/ask`, { question: "When does the lamp burn?" });
        if (status !== 200) throw new Error(`A question was answered with ${status}.`);
        const until = performance.now() + SETTLE_MS;
        for (const id of ids) {
          for (;;) {
            check("links were read");
            const { tile } = (await call(server.url, key, "GET", `/api/board/tiles/${id}`)).json;
            if (tile.status !== "processing") break;
            if (performance.now() > until) throw new Error(`The tile of ${tile.source_url ?? tile.sourceUrl} is stuck.`);
            await pause(50);
          }
          await call(server.url, key, "DELETE", `/api/board/tiles/${id}`);
        }
      },
      async close() {
        const { code } = await server.kill("SIGTERM");
        await raw.close();
        folder.remove();
        if (code !== 0 && !state.hasEnded) throw new Error(`The server ended with ${code}.`);
      },
    };
  },
};
