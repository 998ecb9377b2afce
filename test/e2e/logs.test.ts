import { readFileSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { type LocalServer, type Received, type Receiver, listen, openReceiver, sendPage, until } from "./support/servers.ts";

/** Sends a GET with an unnormalised request target. */
const raw = (url: string, path: string, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve) => {
    const sent = request(url, { path, headers }, (response) => response.resume().on("end", resolve));
    sent.on("error", () => resolve()).end();
  });

/** Values without the form of any known key. */
const MODEL_KEY = "my-0wn-model-server-credential";
const METRICS_TOKEN = "scraper credential 77";
const PASSWORD = "correct horse battery";

/** A site, and a model server that repeats the key that it was given, as providers do. */
const openOrigin = (): Promise<LocalServer> =>
  listen((request, response) => {
    if (request.url?.startsWith("/v1/") === true) {
      const message = `Incorrect API key provided: ${request.headers.authorization?.replace("Bearer ", "")}.`;
      return void response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
    }
    if (request.url?.startsWith("/moved") === true)
      return void response.writeHead(302, { location: "http://user:r3directpw@127.0.0.1:1/?token=t0kenvalue" }).end();
    sendPage(response, "A page\r\nwith lines");
  });

type Credentials = {
  readonly key: string;
  readonly keyId: string;
  readonly revoked: string;
  readonly wrong: string;
  readonly hooks: string[];
};

/** Creates a key, one that is revoked and one that is wrong, and a webhook whose secret is rotated. */
async function createCredentials(environment: Environment): Promise<Credentials> {
  const { key, apiKey: used } = await tesseraJson(environment, "key", "create", "--name", "line\r\nbreak");
  const { key: revoked, apiKey } = await tesseraJson(environment, "key", "create", "--name", "revoked");
  await tesseraJson(environment, "key", "revoke", apiKey.id);
  const { webhook } = await tesseraJson(environment, "webhook", "set", receiver.url);
  const { webhook: rotated } = await tesseraJson(environment, "webhook", "rotate");
  const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  return { key, keyId: used.id, revoked, wrong, hooks: [webhook.secret, rotated.secret] };
}

/** Makes calls with credentials in headers, paths, queries, addresses and texts. */
async function callWithCredentials(url: string, boardId: string, { key, revoked, wrong, hooks }: Credentials): Promise<void> {
  expect((await call(url, wrong, "GET", "/api/board/boards")).status).toBe(401);
  expect((await call(url, revoked, "GET", "/api/board/boards")).status).toBe(401);
  expect((await call(url, null, "GET", "/api/me", undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
  await call(url, null, "GET", "/api/me", undefined, { authorization: "Basic dXNlcjpiYXNpY3B3", cookie: "session=c00kievalue" });
  await call(url, null, "GET", `/api/board/boards?api_key=${key}&access_token=qu3rytoken`);
  await call(url, null, "GET", `/nowhere/${key}?x=${key}`);
  await raw(url, `/%00/${key}`, { "x-api-key": key });
  await raw(url, "/api/me", { "x-api-key": key, "x-huge": "h".repeat(20_000) });
  for (const address of [
    "http://user:us3rpw@example.com/",
    `${origin.url.replace("//", "//user:us3rpw@")}/x`,
    "http://10.0.0.1/?token=t0kenvalue",
  ]) {
    expect((await call(url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: address })).status).toBe(400);
  }
  await call(url, key, "POST", `/api/board/${boardId}/tiles`, { title: 'a\r\n{"level":"forged"}', content: `${key} ${hooks[0]}` });
  await call(url, key, "POST", `/api/board/${boardId}/zones`, { name: "zone\r\nforged" });
  await call(url, key, "GET", `/api/board/${boardId}/search?q=us3rpw`);
  for (let n = 0; n < 3; n++) await call(url, key, "GET", `/api/board/${boardId}/zones`);
}

/** Sets up the owner and an invitation, and sends their tokens where they do not belong. */
async function callWithTokens(url: string, boardId: string, key: string) {
  const token = /\/claim#(\S+)/.exec(server.stdout())?.[1];
  const claim = { token, email: "owner@example.com", password: PASSWORD };
  const claimed = await call(url, null, "POST", "/api/settings/claim", claim);
  const cookie = claimed.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const invitation = { method: "POST", path: "/api/settings/invitations", headers: { cookie, origin: url } };
  const invited = await call(url, null, invitation.method, invitation.path, { email: "bo@example.com" }, invitation.headers);
  const invitationToken = String(invited.json.link).split("#")[1] as string;
  for (const one of [token, invitationToken, cookie.split("=")[1]]) {
    await call(url, null, "GET", `/join/${one}?token=${one}#${one}`);
    await call(url, null, "GET", "/api/me", undefined, { authorization: `Bearer ${one}`, "x-api-key": String(one), cookie: `x=${one}` });
    await call(url, null, "POST", "/api/settings/invitations/accept", { token: `${one}x`, password: PASSWORD });
    await call(url, null, "POST", "/api/settings/claim", { token: one, email: `${one}@example.com`, password: one });
    await call(url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: `${origin.url}/page?invite=${one}#${one}` });
  }
  await call(url, key, "POST", `/api/board/${boardId}/ask`, { question: "What does the page with lines say?" });
  await call(url, null, "GET", "/metrics", undefined, { authorization: `Bearer ${METRICS_TOKEN}` });
  const { json: own } = await call(url, null, "GET", "/api/settings/session", undefined, { cookie });
  return { setUpToken: String(token), memberId: own.member.id as string, invitationToken, cookie };
}

/** Reads links that fail, and waits for the event that the receiver rejects. */
async function postFailingLinks(url: string, boardId: string, key: string): Promise<Received> {
  const paths = ["/plain?token=t0kenvalue", "/moved?token=t0kenvalue"];
  const posted = await Promise.all(
    paths.map((path) => call(url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: origin.url + path })),
  );
  for (const { json } of posted) await call(url, key, "GET", `/api/board/tiles/${json.tile.id}?wait=20`);
  await until("the rejected event", () => receiver.received.length >= 1 && server.stdout().includes("did not accept an event"));
  return receiver.received[0] as Received;
}

/** What must not be in the log: secrets, and parts of them. */
function listSecrets({ key, revoked, wrong, hooks }: Credentials, { headers, body }: Received, tokens: readonly string[]): string[] {
  const signed = [
    String(headers["x-service-signature"]),
    ...String(headers["webhook-signature"])
      .split(" ")
      .map((entry) => entry.slice(3)),
  ];
  return [
    ...[key, revoked, wrong].flatMap((text) => [text, text.slice(-20)]),
    ...hooks.flatMap((text) => [text, text.slice(6), text.slice(-20)]),
    ...signed,
    body.toString("utf8"),
    readFileSync(folder.path("data/secret.key"), "utf8").trim(),
    ...["us3rpw", "r3directpw", "dXNlcjpiYXNpY3B3", "c00kievalue", "t0kenvalue", "qu3rytoken", PASSWORD, MODEL_KEY, METRICS_TOKEN],
    ...tokens,
  ];
}

const folder = makeFolder();
let origin: LocalServer;
let receiver: Receiver;
let server: ServerProcess;
let secrets: string[];
let setUpToken: string;
let lines: string[];
let callers: { readonly keyId: string; readonly memberId: string };

beforeAll(async () => {
  origin = await openOrigin();
  receiver = await openReceiver((_request, response) => void response.writeHead(500).end("no"));
  const environment: Environment = {
    DATA_DIR: folder.dataDir,
    LOG_LEVEL: "trace",
    METRICS_TOKEN,
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_BASE_URL: `${origin.url}/v1`,
    LLM_API_KEY: MODEL_KEY,
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    INGEST_ATTEMPTS: "1",
  };
  const credentials = await createCredentials(environment);
  const { key, keyId } = credentials;
  server = await startServer(environment);
  const { url } = server;
  const [board] = (await call(url, key, "GET", "/api/board/boards")).json.boards;
  await callWithCredentials(url, board.id, credentials);
  const owner = await callWithTokens(url, board.id, key);
  setUpToken = owner.setUpToken;
  callers = { keyId, memberId: owner.memberId };
  const event = await postFailingLinks(url, board.id, key);
  const { stdout } = await server.kill("SIGTERM");
  lines = stdout.split("\n").filter((line) => line !== "");
  secrets = listSecrets(credentials, event, [owner.invitationToken, owner.cookie.split("=")[1] ?? ""]);
}, 60_000);

afterAll(async () => {
  await server?.kill("SIGKILL");
  await Promise.all([origin?.close(), receiver?.close()]);
  folder.remove();
});

test("the log at level trace has one JSON object per line after the ready line and the set-up link", () => {
  const start = lines.findIndex((line) => line.startsWith("Tessera is ready on "));
  expect(start).toBeGreaterThanOrEqual(0);
  expect(lines.length).toBeGreaterThan(start + 15);
  // Until there is an owner, the set-up link is printed once, as plain text for a person.
  expect(lines[start + 1]).toMatch(/^This install has no owner yet\. .*\/claim#tsc_[\w-]{43}$/);
  for (const line of lines.slice(start + 2)) {
    const value = JSON.parse(line);
    expect(value).toMatchObject({ level: expect.any(String), time: expect.stringMatching(/^\d{4}-.*Z$/), msg: expect.any(String) });
    expect(value.level).not.toBe("forged");
  }
  expect(server.stderr()).toBe("");
});

test("the log at level trace names key or member and route of each request, also for cached listings", () => {
  const calls = lines.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
  const listings = calls.filter(({ method, route }) => method === "GET" && route === "/api/board/:boardId/zones");
  const { keyId, memberId } = callers;
  const whole = {
    status: 200,
    key: keyId,
    business: expect.any(String),
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^req_/),
  };
  expect(listings).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(whole)));
  const own = calls.find(({ route }) => route === "/api/settings/session");
  expect(own).toMatchObject({ member: memberId, business: listings[0].business });
  expect(own).not.toHaveProperty("key");
  const stranger = calls.find(({ status }) => status === 401);
  for (const name of ["key", "member", "business"]) expect(stranger).not.toHaveProperty(name);
});

test("the log at level trace contains no key, secret, signature, signed body, credential or token of an address", () => {
  // The set-up link is printed for a person.
  const log = lines.filter((line) => !line.startsWith("This install has no owner yet.")).join("\n");
  expect(log).toMatch(/"failure":"\w+"/);
  expect(setUpToken).toMatch(/^tsc_/);
  expect(log).not.toContain(setUpToken);
  for (const secret of secrets) expect(log.includes(secret), `"${secret.slice(0, 6)}…" is in the log`).toBe(false);
  expect(log).not.toMatch(/authorization|x-api-key|cookie/i);
});
