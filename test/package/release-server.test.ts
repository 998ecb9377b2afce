import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { VERSION } from "#domain/core/version.ts";
import { packServer } from "../../scripts/package/server.ts";
import { writeBill } from "../../scripts/release/bill.ts";
import { getAddress, listen, OLD, start, type Started, writeOldData } from "./support/old-installation.ts";
import { installTarballs, installTools, listInstalled, runProgram } from "./support/tools.ts";

const PAGE =
  "<!doctype html><title>The ferry</title><article><h1>The ferry</h1><p>The ferry to Nordholm sails every morning at eight, and it needs forty minutes for the crossing.</p></article>";

/** Checks documents against the schema of CycloneDX. */
const VALIDATOR = { "@cyclonedx/cyclonedx-library": "10.3.0", ajv: "8.20.0", "ajv-formats": "3.0.1", "ajv-formats-draft2019": "1.6.1" };
/** Node itself, in a package for each system that a script of `node` installs. */
const NODE_BINARY = /^node-(?:bin-)?(?:linux|darwin|win)-/;

const ROOT = join(import.meta.dirname, "../..");
const INSTALL_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), "tessera-upgrade-"));
const dataDir = join(folder, "data");
const database = join(dataDir, "tessera.sqlite");
const command = join(folder, "node_modules/@tessera-board/server/bin/tessera-server.mjs");
const received: { readonly body: string; readonly headers: Record<string, unknown> }[] = [];
let tarball: string;
let bill: any;
let site: Server;
let receiver: Server;
let server: Started;

beforeAll(async () => {
  const packed = await packServer(ROOT, folder);
  tarball = packed.file;
  bill = JSON.parse(readFileSync(writeBill(ROOT, packed), "utf8"));
  await installTarballs(folder, tarball);
  site = await listen((_body, _headers) => PAGE);
  receiver = await listen((body, headers) => {
    received.push({ body, headers });
    return "";
  });
  writeOldData(dataDir, getAddress(site), getAddress(receiver));
  server = await start(command, environment());
}, INSTALL_MS);

afterAll(async () => {
  await stop();
  for (const one of [site, receiver]) {
    one?.close();
    one?.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The variables of the tests' own process would change how the installed server runs. */
const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: folder,
  DATA_DIR: dataDir,
  PORT: "0",
  EMBEDDINGS: "off",
  FETCH_ALLOW: getAddress(site),
  WEBHOOK_ALLOW: getAddress(receiver),
});

/** Runs a command of the package to its end. */
const run = (...args: readonly string[]) =>
  runProgram(process.execPath, [command, ...args], {
    cwd: folder,
    env: { ...environment(), BASE_URL: undefined, NODE_COMPILE_CACHE: undefined },
  });

async function stop(): Promise<void> {
  if (server === undefined || server.child.exitCode !== null) return;
  const ended = new Promise((resolve) => server.child.once("exit", resolve));
  server.child.kill("SIGTERM");
  await ended;
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = { "X-API-Key": OLD.key }) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text), headers: response.headers };
}

const board = `/api/board/${OLD.boardId}`;

/** The packages in the bill that are part of the server, the page or the installation, as name@version. */
const listParts = (part: string): readonly string[] =>
  bill.components
    .filter(({ properties }: any) => properties.some(({ value }: any) => value === part))
    .map((component: any) => component["bom-ref"]);

describe("bill of materials", () => {
  it("the bill of materials is valid CycloneDX", { timeout: INSTALL_MS }, async () => {
    const tools = await installTools(VALIDATOR);
    const { Spec, Validation } = createRequire(join(tools, "package.json"))("@cyclonedx/cyclonedx-library");
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    expect(await validator.validate(JSON.stringify(bill))).toBeNull();
    expect(bill.bomFormat).toBe("CycloneDX");
  });

  it("the bill of materials names the tarball by its hash", () => {
    const { component } = bill.metadata;
    expect(component).toMatchObject({ name: "@tessera-board/server", version: VERSION });
    expect(component.hashes[0]).toEqual({ alg: "SHA-256", content: createHash("sha256").update(readFileSync(tarball)).digest("hex") });
  });

  it("the bill of materials lists what npm installs", () => {
    const installed = listInstalled(join(folder, "node_modules"))
      .filter((name) => !name.startsWith("@tessera-board/") && !NODE_BINARY.test(name))
      .map((name) => name.replace(/@[^@]+$/, ""));
    const listed = listParts("installed").map((name) => name.replace(/@[^@]+$/, ""));
    expect(new Set(listed)).toEqual(new Set(installed));
  });

  it("the bill of materials lists the code in the bundles, in the versions of the lock file", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const locked = (name: string) => `${name}@${packages[`node_modules/${name}`].version}`;
    expect(listParts("server")).toEqual(expect.arrayContaining(["fastify", "undici", "pg", "linkedom", "typebox"].map(locked)));
    expect(listParts("page")).toEqual(expect.arrayContaining(["react", "react-dom", "marked", "tailwindcss"].map(locked)));
    expect(listParts("server").filter((name) => /^(?:vitest|typescript|oxlint)@/.test(name))).toEqual([]);
  });

  it("the bill of materials has the license and the hash of each package, and no reference to a package that it does not list", () => {
    const references = new Set([bill.metadata.component, ...bill.components].map((component: any) => component["bom-ref"]));
    expect(references.size).toBe(bill.components.length + 1);
    for (const component of bill.components) {
      expect(component.licenses, component.purl).toHaveLength(1);
      expect(component.hashes[0], component.purl).toMatchObject({ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) });
    }
    for (const { ref, dependsOn } of bill.dependencies) expect([ref, ...dependsOn].filter((one) => !references.has(one))).toEqual([]);
  });
});

it("the packaged server lists the boards, zones and tiles", async () => {
  const { json: boards } = await call("GET", "/api/board/boards");
  expect(boards.boards.map(({ id }: any) => id)).toEqual([OLD.boardId, OLD.otherBoardId]);
  const { json: zones } = await call("GET", `${board}/zones`);
  expect(zones.zones).toMatchObject([
    { id: OLD.zoneId, name: "Plans", color: "teal", emoji: "🧪", size: "xl", connectedToChat: true },
    { id: OLD.closedZoneId, name: "Not in chat", connectedToChat: false },
  ]);
  const { json: tiles } = await call("GET", `${board}/tiles`);
  const { [OLD.waitingId]: _, ...before } = OLD.tiles;
  const now = Object.fromEntries(tiles.tiles.map(({ id, title, type, status }: any) => [id, { title, type, status }]));
  expect(now).toMatchObject(before);
  expect(Object.keys(now)).toEqual(Object.keys(OLD.tiles));
});

it("the packaged server returns a tile with all its text", async () => {
  const { json } = await call("GET", `/api/board/tiles/${OLD.zoneTileId}`);
  const text = "The new pier will be finished in the spring of 2027. 🌊";
  expect(json.tile).toMatchObject({ zoneId: OLD.zoneId, title: "Pier", rawContent: text, extractedText: text });
  const link = await call("GET", `/api/board/tiles/${OLD.linkId}`);
  expect(link.json.tile.extractedText).toMatch(/^The lighthouse of Nordholm was built in 1887 on a rock of granite/);
  expect((await call("GET", `/api/board/tiles/${OLD.deletedTileId}`)).status).toBe(404);
});

it("the packaged server keeps saved drafts out of answers", async () => {
  const { json } = await call("GET", `/api/board/tiles/${OLD.savedTileId}`);
  expect(json.tile).toMatchObject({ connectedToChat: false });
  expect((await call("GET", `/api/v1/generations/${OLD.generationId}`)).json.generation).toMatchObject({ status: "complete" });
});

it("the packaged server accepts the keys with their scope and permission, and refuses the revoked one", async () => {
  const read = (path: string) => call("GET", path, undefined, { "X-API-Key": OLD.boardKey });
  expect((await read(`${board}/zones`)).status).toBe(200);
  expect((await read(`/api/board/${OLD.otherBoardId}/zones`)).status).toBe(403);
  const write = await call("POST", `${board}/tiles`, { content: "No." }, { "X-API-Key": OLD.boardKey });
  expect(write.status).toBe(403);
  expect((await call("GET", "/api/me", undefined, { "X-API-Key": OLD.revokedKey })).status).toBe(401);
});

it("the packaged server accepts the session and the password", async () => {
  const session = { cookie: `__Host-tessera_session=${OLD.session}` };
  const { json } = await call("GET", "/api/settings/session", undefined, session);
  expect(json.member).toMatchObject({ email: OLD.email, role: "owner" });
  const { json: keys } = await call("GET", "/api/settings/keys", undefined, session);
  expect(keys.keys.map(({ name }: any) => name).toSorted()).toEqual(["First key", "Lost", "Readers"]);
  const { json: deliveries } = await call("GET", "/api/settings/webhook/deliveries", undefined, session);
  expect(deliveries.deliveries.length).toBeGreaterThan(0);
  const login = await call("POST", "/api/settings/session", { email: OLD.email, password: OLD.password }, { origin: server.url });
  expect(login.status).toBe(200);
});

it("the packaged server reads the link that was waiting, and signs the event with the secret of before", async () => {
  const { json } = await call("GET", `/api/board/tiles/${OLD.waitingId}?wait=25`);
  expect(json.tile).toMatchObject({ status: "ready", title: "The ferry" });
  const event = await vi.waitUntil(() => received.find(({ body }) => body.includes(OLD.waitingId)), { timeout: 300_000 });
  expect(JSON.parse(event.body)).toMatchObject({ event: "tile.ready", payload: { tileId: OLD.waitingId } });
  expect(event.headers["x-service-signature"]).toBe(createHmac("sha256", OLD.webhookSecret).update(event.body).digest("hex"));
});

it("the packaged server finds and quotes what was there, from connected content only", async () => {
  const find = async (q: string) => (await call("GET", `${board}/search?q=${encodeURIComponent(q)}`)).json.results;
  expect((await find("keeper diary"))[0]).toMatchObject({ tileId: OLD.linkId });
  expect((await find("ferry sold Larsen")).map(({ tileId }: any) => tileId)).not.toContain(OLD.closedTileId);
  const { json } = await call("POST", `${board}/ask`, { question: "When does the harbour office open?" });
  expect(json).toMatchObject({ answered: true, citations: [{ tileId: OLD.noteId, quote: expect.stringContaining("opens at nine") }] });
});

it("the packaged server adds a tile, finds it, and updates one by the id of another system", async () => {
  const { json } = await call("POST", `${board}/tiles`, {
    title: "Museum",
    content: "The museum of Nordholm shows the diary of Greta Hansen.",
  });
  const { json: answer } = await call("POST", `${board}/ask`, { question: "What does the museum of Nordholm show?" });
  expect(answer.citations[0]).toMatchObject({ tileId: json.tile.id });
  const again = await call("POST", `${board}/tiles`, { content: "The office opens at ten.", external_id: "sync-1" });
  expect(again.json.tile).toMatchObject({ id: OLD.noteId, extractedText: "The office opens at ten." });
});

it("the packaged server starts again without another migration", async () => {
  const copies = readdirSync(join(dataDir, "backups"));
  await stop();
  server = await start(command, environment());
  expect((await call("GET", "/api/me")).status).toBe(200);
  expect(readdirSync(join(dataDir, "backups"))).toEqual(copies);
});

const getSchemaVersion = (file: string): unknown => {
  const db = new DatabaseSync(file);
  const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
  db.close();
  return version;
};

test("the way back is a copy of the data from before the upgrade, which restore takes", async () => {
  await stop();
  expect(readdirSync(join(dataDir, "backups"))).toEqual(["tessera-before-008.sqlite"]);
  const copy = join(dataDir, "backups/tessera-before-008.sqlite");
  expect(getSchemaVersion(copy)).toBe(7);
  const { code, stdout } = await run("restore", copy);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${database}.before-restore`) });
  expect(getSchemaVersion(database)).toBe(7);
  server = await start(command, environment());
  expect((await call("GET", `/api/board/tiles/${OLD.noteId}`)).json.tile.extractedText).toContain("opens at nine");
});

test("the way back is refused with a sentence while the data is newer than the server", async () => {
  await stop();
  const db = new DatabaseSync(database);
  db.exec("PRAGMA user_version = 999");
  db.close();
  const { code, stderr } = await run("start");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Tessera could not start: The database is of version 999, newer than this Tessera knows \(\d+\)\. Install the newer Tessera, or restore a backup\.\n$/,
  );
  expect(getSchemaVersion(database)).toBe(999);
});
