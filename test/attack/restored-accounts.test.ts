import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, makeFolder, type ServerProcess, startServer, tesseraJson, tesseraWith } from "../e2e/support/process.ts";
import { isPostgres, newStorage, readRows } from "../support/engine.ts";

const OLD_PASSWORD = "the old password";
const NEW_PASSWORD = "the new password";

const folder = makeFolder();
const file = folder.path(isPostgres() ? "backup.jsonl.gz" : "backup.sqlite");
const storages: Awaited<ReturnType<typeof newStorage>>[] = [];
let environment: Environment;
let keys: { readonly revoked: string; readonly kept: string };
let oldCookie: string;
let invitation: string;

async function newEnvironment(): Promise<Environment> {
  const storage = await newStorage();
  storages.push(storage);
  return { ...storage.environment, DATA_DIR: folder.dataDir, EMBEDDINGS: "off", WEBHOOK_ALLOW: "127.0.0.1:9" };
}

async function send(server: ServerProcess, method: string, path: string, body: unknown, cookie = "") {
  const response = await fetch(server.url + path, {
    method,
    headers: { Origin: server.url, Cookie: cookie, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = response.headers.getSetCookie().map((each) => each.split(";")[0]);
  return { status: response.status, cookie: cookies.join("; "), json: (await response.json()) as any };
}
const logIn = (server: ServerProcess, email: string, password: string) =>
  send(server, "POST", "/api/settings/session", { email, password });
const isAccepted = async (server: ServerProcess, headers: Record<string, string>): Promise<boolean> =>
  (await fetch(`${server.url}/api/board/boards`, { headers })).status === 200;
const addMember = (email: string, role: string, password: string) =>
  tesseraWith(environment, password, "member", "create", "--email", email, "--role", role, "--password-stdin");

/** What each way in is worth on the server of the current database. */
async function tryAll() {
  const server = await startServer(environment);
  try {
    const token = invitation.split("#")[1] ?? "";
    return {
      revokedKey: await isAccepted(server, { "X-API-Key": keys.revoked }),
      keptKey: await isAccepted(server, { "X-API-Key": keys.kept }),
      oldSession: await isAccepted(server, { Cookie: oldCookie }),
      oldPassword: (await logIn(server, "ada@example.com", OLD_PASSWORD)).status === 200,
      newPassword: (await logIn(server, "ada@example.com", NEW_PASSWORD)).status === 200,
      removedMember: (await logIn(server, "bo@example.com", OLD_PASSWORD)).status === 200,
      invitation: (await send(server, "POST", "/api/settings/invitations/look", { token })).status === 200,
    };
  } finally {
    await server.kill("SIGTERM");
  }
}

const readSealedSecret = async () => {
  const service = { dataDir: folder.dataDir, environment: environment as Record<string, string> };
  return readRows(service, "SELECT sealed_secret FROM webhook");
};

/** Restores the backup: over the database of the data directory, or into a new PostgreSQL database. */
async function restore(...options: string[]) {
  const previous = environment.DATABASE_URL;
  if (isPostgres()) environment = await newEnvironment();
  const replaces = previous === undefined || options.includes("--replaces") ? [] : ["--replaces", previous];
  return tesseraJson(environment, "restore", file, ...replaces, ...options);
}

let rotated: unknown[];
let server: ServerProcess | undefined;

beforeAll(async () => {
  environment = await newEnvironment();
  const [first, second] = [
    await tesseraJson(environment, "key", "create", "--name", "revoked since"),
    await tesseraJson(environment, "key", "create", "--name", "kept"),
  ];
  keys = { revoked: first.key, kept: second.key };
  await addMember("ada@example.com", "owner", OLD_PASSWORD);
  await addMember("bo@example.com", "member", OLD_PASSWORD);
  await tesseraJson(environment, "webhook", "set", "http://127.0.0.1:9/hook");
  server = await startServer(environment);
  oldCookie = (await logIn(server, "ada@example.com", OLD_PASSWORD)).cookie;
  const invited = await send(server, "POST", "/api/settings/invitations", { email: "cy@example.com", role: "member" }, oldCookie);
  invitation = invited.json.link;
  await tesseraJson(environment, "backup", file);

  await tesseraJson(environment, "key", "revoke", first.apiKey.id);
  await send(server, "DELETE", `/api/settings/invitations/${invited.json.invitation.id}`, undefined, oldCookie);
  const { members } = await tesseraJson(environment, "member", "list");
  const bo = members.find(({ email }: { email: string }) => email === "bo@example.com");
  expect((await send(server, "DELETE", `/api/settings/members/${bo.id}`, undefined, oldCookie)).status).toBe(200);
  await tesseraWith(environment, NEW_PASSWORD, "member", "password", "ada@example.com", "--password-stdin");
  await tesseraJson(environment, "webhook", "rotate");
  rotated = await readSealedSecret();
  await server.kill("SIGTERM");
}, 120_000);
afterAll(async () => {
  await server?.kill("SIGKILL");
  for (const storage of storages) await storage.drop();
  folder.remove();
});

const SAFE = {
  ...{ revokedKey: false, keptKey: true, oldSession: false, oldPassword: false, newPassword: true, removedMember: false },
  invitation: false,
};
const CHANGES = [
  { kind: "key", name: "revoked since", change: "revoked" },
  { kind: "member", name: "ada@example.com", change: "password" },
  { kind: "member", name: "bo@example.com", change: "removed" },
  { kind: "invitation", name: "cy@example.com", change: "removed" },
  { kind: "webhook", name: "http://127.0.0.1:9/hook", change: "changed" },
];

test("a restore keeps what was revoked and changed since the backup, and ends all sessions", { timeout: 60_000 }, async () => {
  const { restore: report } = await restore();
  expect(report).toMatchObject({ asItWas: false, replaced: "read", reason: null, sessionsEnded: 1, sessionsRevived: 0 });
  expect(report.changes).toMatchObject(CHANGES.map((change) => ({ ...change, state: "kept" })));
  expect(report.changes).toHaveLength(CHANGES.length);
  expect(await readSealedSecret()).toEqual(rotated);
  expect(await tryAll()).toEqual(SAFE);
});

test("--as-it-was brings everything back, and says what", { timeout: 60_000 }, async () => {
  const { restore: report } = await restore("--as-it-was");
  expect(report).toMatchObject({ asItWas: true, replaced: "read", sessionsEnded: 0, sessionsRevived: 1 });
  expect(report.changes).toMatchObject(CHANGES.map((change) => ({ ...change, state: "undone" })));
  const ways = await tryAll();
  expect(ways).toEqual({
    ...{ revokedKey: true, keptKey: true, oldSession: true, oldPassword: true, newPassword: false, removedMember: true },
    invitation: true,
  });
  expect(await readSealedSecret()).not.toEqual(rotated);
});

test("a replaced database that can't be read is named, and all sessions end", { timeout: 60_000 }, async () => {
  if (!isPostgres()) writeFileSync(databaseFile(folder.dataDir), "no database ".repeat(2_000));
  const { restore: report } = await restore(...(isPostgres() ? ["--replaces", "postgres://nobody@127.0.0.1:1/none"] : []));
  expect(report).toMatchObject({ replaced: "unreadable", reason: expect.stringMatching(/\w/), changes: [], sessionsEnded: 1 });
  expect(await tryAll()).toMatchObject({ revokedKey: true, oldSession: false, oldPassword: true });
  if (isPostgres()) environment = await newEnvironment();
  else writeFileSync(databaseFile(folder.dataDir), "no database ".repeat(2_000));
  const { code, stdout } = await runCommand(environment, "restore", file);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Restored .+\n.+, so keys, members, passwords and webhooks are those of the backup\. .+\nEnded 1 session/,
    ),
  });
});
