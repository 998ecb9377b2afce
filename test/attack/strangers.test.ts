import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../e2e/support/servers.ts";
import { isPostgres } from "../support/engine.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

/** Calls of the stranger under way at any time: many times the connections to the database. */
const PARALLEL = 80;
/** More than one network may have waiting. */
const BEYOND_LIMIT = 300;
const CALLS_OF_OTHERS = 4;
/** The network of the stranger. Others connect from 127.0.0.1. */
const STRANGER = "127.0.0.2";
const TIMEOUT_MS = 60_000;

let victim: Victim;
let dispatcher: Agent;
beforeAll(async () => {
  victim = await startVictim({ EMBEDDINGS: "off" });
  dispatcher = new Agent({ connections: BEYOND_LIMIT, connect: { localAddress: STRANGER } });
}, TIMEOUT_MS);
afterAll(async () => {
  await dispatcher?.destroy();
  await victim?.stop();
});

type Call = { readonly path: string; readonly headers?: Record<string, string>; readonly body?: object };

const createKey = (): string => `tsr_${randomBytes(24).toString("hex").slice(0, 46)}`;
const createToken = (kind: "s" | "c" | "j"): string => `ts${kind}_${randomBytes(32).toString("base64url")}`;
const withCookie = (): Record<string, string> => {
  const token = createToken("s");
  return { cookie: `tessera_session=${token}; __Host-tessera_session=${token}` };
};
const PASSWORD = "a password of a stranger";
const logIn = (email: string): Call => ({ path: "/api/settings/session", body: { email, password: PASSWORD } });
const accept = (): Call => ({ path: "/api/settings/invitations/accept", body: { token: createToken("j"), password: PASSWORD } });

async function send({ path, headers = {}, body }: Call): Promise<number> {
  const response = await request(victim.server.url + path, {
    dispatcher,
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await response.body.dump();
  return response.statusCode;
}

async function callOthers(): Promise<void> {
  const { other } = victim;
  for (let n = 0; n < CALLS_OF_OTHERS; n++) {
    expect((await callAs(victim, other, "POST", `/api/board/${other.boardId}/tiles`, { content: `Note ${n}` })).status).toBe(200);
    expect((await callAs(victim, other, "GET", `/api/board/${other.boardId}/search?q=note`)).status).toBe(200);
  }
}

const listing = (): string => `/api/board/${victim.other.boardId}/tiles`;
const FLOODS: readonly (readonly [name: string, create: (n: number) => Call, statuses: readonly number[]])[] = [
  ["wrong keys", () => ({ path: listing(), headers: { "x-api-key": createKey() } }), [401]],
  ["unknown ids without a key", (n) => ({ path: `/api/board/tiles/til_${n}` }), [401]],
  ["wrong sessions", () => ({ path: "/api/settings/boards", headers: withCookie() }), [401, 429]],
  ["log-ins to one account and to others", (n) => logIn(`owner${n % 2 === 0 ? "" : n}@example.com`), [401, 429, 503]],
  ["links of invitations", () => ({ path: "/api/settings/invitations/look", body: { token: createToken("j") } }), [404, 429]],
  [
    "links of the first start",
    () => ({ path: "/api/settings/claim", body: { token: createToken("c"), email: "a@example.com", password: PASSWORD } }),
    [404, 429, 503],
  ],
  ["checks of health", (n) => ({ path: ["/health/ready", "/health/live", "/metrics"][n % 3] ?? "" }), [200, 403]],
  ["files of the page", (n) => ({ path: ["/", "/openapi.json", "/docs", "/log-in"][n % 4] ?? "" }), [200, 302, 404]],
];

test.each(FLOODS)("many %s of a stranger keep nobody out", { timeout: TIMEOUT_MS }, async (_name, create, statuses) => {
  const seen = new Set<number>();
  let sent = 0;
  let isOver = false;
  const flood = Array.from({ length: PARALLEL }, async () => {
    while (!isOver) seen.add(await send(create(sent++)));
  });
  onTestFinished(() => void (isOver = true));
  await until("The first response to the flood", () => seen.size > 0);
  await callOthers();
  isOver = true;
  await Promise.all(flood);
  expect(statuses).toEqual(expect.arrayContaining([...seen]));
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

// What a stranger asks takes as long as the test wants, so that it would take all connections of the pool.
describe.runIf(isPostgres())("slow database", () => {
  test.each<readonly [name: string, table: string, create: (n: number) => Call]>([
    ["log-ins", "log_in_throttle", (n) => logIn(`owner${n}@example.com`)],
    ["links of invitations", "log_in_throttle", accept],
    ["wrong sessions", "session", () => ({ path: "/api/settings/boards", headers: withCookie() })],
  ])(
    "%s do not take the connections of others while the database is slow for what strangers ask",
    { timeout: TIMEOUT_MS },
    async (_name, table, create) => {
      const client = new Client(victim.environment["DATABASE_URL"]);
      await client.connect();
      // The end of the connection releases the lock.
      onTestFinished(() => client.end());
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const answers: number[] = [];
      const flood = Array.from({ length: BEYOND_LIMIT }, async (_, n) => void answers.push(await send(create(n))));
      // Beyond what may wait, calls are refused at once: by then the others wait.
      await until("The calls that are refused", () => answers.length > 0);
      await callOthers();
      expect(new Set(answers)).toEqual(new Set([429]));
      await client.query("ROLLBACK");
      await Promise.all(flood);
      expect([401, 404, 429, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
    },
  );
});
