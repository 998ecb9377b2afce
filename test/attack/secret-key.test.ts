import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Environment, makeFolder, type ServerProcess, startServer, tesseraJson, tesseraWith } from "../e2e/support/process.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { listen, openReceiver, type Receiver, sendPage, until } from "../e2e/support/servers.ts";
import { newStorage } from "../support/engine.ts";

const RIGHT = "the right key, of thirty-two characters";
const WRONG = "another key, also of 32 characters or so";
const THIRD = "a third key, of more than thirty-two characters";
const FOURTH = "a fourth key, of more than thirty-two characters";

const folder = makeFolder();
let storage: Awaited<ReturnType<typeof newStorage>>;
let receiver: Receiver;
let origin: Awaited<ReturnType<typeof listen>>;
let environment: Environment;
let key: string;
let boardId: string;

beforeAll(async () => {
  storage = await newStorage();
  receiver = await openReceiver();
  origin = await listen((request, response) => sendPage(response, request.url ?? ""));
  environment = {
    ...storage.environment,
    DATA_DIR: folder.dataDir,
    WEBHOOK_ALLOW: receiver.host,
    FETCH_ALLOW: origin.host,
    EMBEDDINGS: "off",
    SECRET_KEY: RIGHT,
  };
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "test"));
  boardId = (await tesseraJson(environment, "board", "list")).boards[0].id;
  await tesseraJson(environment, "webhook", "set", receiver.url);
});
afterAll(async () => {
  await receiver.close();
  await origin.close();
  await storage.drop();
  folder.remove();
});

async function withServer(more: Environment, work: (server: ServerProcess) => Promise<void>): Promise<string> {
  const server = await startServer({ ...environment, ...more });
  try {
    await work(server);
  } finally {
    await server.kill("SIGTERM");
  }
  return server.stdout();
}

const examineKey = async (more: Environment) => {
  const { code, stdout } = await runCommand({ ...environment, ...more }, "doctor", "--json");
  return { code, ...JSON.parse(stdout).results.find(({ name }: { name: string }) => name === "secret key") };
};
/** Logs in as a new member, and returns what the page tells them. */
async function readNotice({ url }: ServerProcess, role: string): Promise<unknown> {
  const login = { email: `${role}@example.com`, password: "correct horse battery" };
  await tesseraWith(environment, login.password, "member", "create", "--email", login.email, "--role", role, "--password-stdin");
  const headers = { "Content-Type": "application/json", Origin: url };
  const { headers: sent } = await fetch(`${url}/api/settings/session`, { method: "POST", headers, body: JSON.stringify(login) });
  const cookie = sent.getSetCookie().map((each) => each.split(";")[0]);
  const response = await fetch(`${url}/api/settings/session`, { headers: { Cookie: cookie.join("; ") } });
  return ((await response.json()) as { readonly operatorNotice?: string }).operatorNotice;
}
const createLink = async ({ url }: ServerProcess, path: string): Promise<string> => {
  const { status, json } = await call(url, key, "POST", `/api/board/${boardId}/tiles`, { url: `${origin.url}/${path}` });
  expect(status).toBe(200);
  return json.tile.id;
};
const deliveries = async (): Promise<readonly { readonly status: string; readonly error: string | null; readonly body: string }[]> =>
  (await tesseraJson(environment, "webhook", "deliveries")).deliveries;

test("events wait under another key, and are sent under the right one", { timeout: 60_000 }, async () => {
  let waiting = "";
  const log = await withServer({ SECRET_KEY: WRONG }, async (server) => {
    waiting = await createLink(server, "waits");
    // The second event is claimed after the first was returned.
    await until("the first event", async () => server.stdout().includes("events wait"));
    await createLink(server, "waits-too");
    await until("both events", async () => (await deliveries()).length === 2);
    expect((await deliveries()).map(({ status }) => status)).toEqual(["pending", "pending"]);
    expect(await call(server.url, key, "GET", `/api/board/${boardId}/search?q=waits`)).toMatchObject({ status: 200 });
    expect([await readNotice(server, "owner"), await readNotice(server, "admin")]).toEqual(["secret_key_changed", undefined]);
  });
  expect(log).toContain("SECRET_KEY is not the key that this installation was used with");
  expect(receiver.received).toHaveLength(0);
  expect(await examineKey({ SECRET_KEY: WRONG })).toMatchObject({
    code: 1,
    state: "problem",
    fix: expect.stringContaining("webhook rotate"),
  });
  expect(await examineKey({})).toMatchObject({ state: "ok" });
  await withServer({}, async () => {
    await until("the events", () => receiver.received.length === 2);
    expect(receiver.of(waiting)).toHaveLength(1);
  });
  expect((await deliveries()).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

test.each([
  ["rotated", WRONG, ["rotate"]],
  ["set again at its address", THIRD, ["set", "its address"]],
])("a webhook that is %s under a new key ends the wait without a restart", { timeout: 60_000 }, async (_how, newKey, [verb, address]) => {
  const before = receiver.received.length;
  const renewed = { ...environment, SECRET_KEY: newKey };
  await withServer(renewed, async (server) => {
    const waiting = await createLink(server, `signed-by-a-new-secret-${verb}`);
    await until("the wait", () => server.stdout().includes("events wait"));
    const parameters = address === undefined ? [] : [receiver.url];
    const { code, stderr } = await runCommand(renewed, "webhook", verb!, ...parameters, "--json");
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: SECRET_KEY is not the key.*webhook rotate/),
    });
    await until("the event", () => receiver.received.length === before + 1);
    expect(receiver.of(waiting)).toHaveLength(1);
    // Every secret opens now, so the key is the right one without a restart.
    expect(await examineKey(renewed)).toMatchObject({ state: "ok" });
  });
  expect(await examineKey(environment)).toMatchObject({ code: 1, state: "problem" });
  environment = renewed;
});

test("a key that replaces another one is used once nothing needs the other", { timeout: 60_000 }, async () => {
  await tesseraJson(environment, "webhook", "set", receiver.url);
  const renewed = { ...environment, SECRET_KEY: FOURTH };
  expect(await examineKey(renewed)).toMatchObject({ code: 1, state: "problem" });
  expect((await runCommand(renewed, "webhook", "clear")).code).toBe(0);
  expect(await examineKey(renewed)).toMatchObject({ state: "ok" });
  expect(await examineKey(environment)).toMatchObject({ state: "warning", found: expect.stringContaining("nothing is encrypted") });
  const log = await withServer(environment, async () => {});
  expect(log).toContain("this one is used from now on");
  expect(await examineKey(environment)).toMatchObject({ state: "ok" });
});

test("doctor finds a short key of a new installation", async () => {
  expect(await examineKey({ SECRET_KEY: "short", DATA_DIR: folder.path("none"), DATABASE_URL: "" })).toMatchObject({
    state: "problem",
    fix: expect.stringContaining("openssl rand -base64 32"),
  });
});
