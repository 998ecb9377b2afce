import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { receiveParts } from "#http/request/body/receive-body.ts";
import type { Actor } from "#domain/core/access.ts";
import type { Semaphore } from "#runtime/turns/semaphore.ts";
import { parseLines } from "#service/content/transfer/format.ts";
import type { Deps } from "#service/deps.ts";
import { toOwner } from "#service/work-queue.ts";
import { type Browser, claimOwner, joinAs } from "../support/people/people.ts";
import { exchangeAfterSending, readRaw } from "../support/clients/raw.ts";
import { type TestService, startTestService } from "../support/service.ts";

const MIB = 1_048_576;
/** A quarter of 128 MiB, 2 MiB for each upload and 8 MiB for each import. */
const MAX_UPLOADS = 16;
const MAX_IMPORTS = 4;
const IMPORT = "/api/settings/boards/import";
const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n';
const HEADER = '{"format":"tessera-board","version":2,"board":{"name":"Harbour"}}\n';

let service: TestService;
let owner: Browser;
let admin: Browser;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
  owner = await claimOwner(service);
  admin = await joinAs(service, owner, "admin");
});
afterAll(() => service.stop());

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const asMember = ({ cookie }: Browser): string => `Cookie: ${cookie}\r\nOrigin: ${service.url}\r\nSec-Fetch-Site: same-origin\r\n`;
const headOf = (path: string, headers: string, bytes = 40 * MIB): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\n${headers}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Begins an upload and keeps its connection open. Returns the socket and, once there is one, the status of the response. */
async function stall(path: string, headers: string, begin: string): Promise<{ status: number | null }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, "connect");
  const upload: { status: number | null } = { status: null };
  socket.on("error", () => undefined).on("data", (data) => (upload.status ??= readRaw(String(data)).status));
  socket.write(headOf(path, headers) + begin);
  return upload;
}

/** Expects that all but `max` of the uploads are refused. */
async function expectHeld(uploads: readonly { readonly status: number | null }[], max: number): Promise<void> {
  await expect.poll(() => uploads.filter(({ status }) => status === 429).length).toBe(uploads.length - max);
  expect(uploads.filter(({ status }) => status === null)).toHaveLength(max);
}

const importAs = (member: Browser, text: string) =>
  member.call("POST", IMPORT, {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: `${FORM_START}${text}\r\n--b--\r\n`,
  });

test("uploads that stall are counted for their key, and others upload", async () => {
  const path = `/api/board/${service.boardId}/files`;
  const begin = FORM_START + "x".repeat(100_000);
  const uploads = await Promise.all(Array.from({ length: MAX_UPLOADS + 8 }, () => stall(path, `X-API-Key: ${service.key}\r\n`, begin)));
  await expectHeld(uploads, MAX_UPLOADS);
  const { key } = await service.newKey();
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const form = `${FORM_START}${"Harbour. ".repeat(1_000)}\r\n--b--\r\n`;
  expect((await service.call("POST", path, { key, headers, body: form })).status).toBe(200);
});

test("imports that stall are counted for their member, and others import", async () => {
  const imports = await Promise.all(Array.from({ length: MAX_IMPORTS + 4 }, () => stall(IMPORT, asMember(owner), FORM_START + HEADER)));
  await expectHeld(imports, MAX_IMPORTS);
  expect((await importAs(admin, `${HEADER}${"\n".repeat(5_000)}`)).status).toBe(200);
});

test("the line that an import is receiving is counted", async () => {
  // Not the owner, whose imports of the last test may still be counted.
  await stall(IMPORT, asMember(admin), FORM_START + HEADER + "€".repeat(9_000_000));
  // Until the server has nearly all of it: a small import at the same time would have it refused.
  await new Promise((resolve) => sockets[0]?.write("€", resolve));
  // Often enough to be no upload that is too slow.
  const sending = setInterval(() => sockets[0]?.write("€".repeat(10_000)), 1_000);
  onTestFinished(() => clearInterval(sending));
  const importSmall = async () => (await importAs(admin, `${HEADER}${"\n".repeat(5_000)}`)).status;
  // Those without room wait, until so many wait that one is refused.
  const statuses: number[] = [];
  const imports: Promise<unknown>[] = [];
  const sendAnother = (): readonly number[] => {
    imports.push(importSmall().then((status) => statuses.push(status)));
    return statuses;
  };
  await expect.poll(sendAnother).toContain(429);
  for (const socket of sockets) socket.destroy();
  await Promise.all(imports);
  expect(new Set(statuses)).toEqual(new Set([429, 200]));
  await expect.poll(importSmall).toBe(200);
});

test.each([
  ["many parts", `{"tile":{},"x":[${"{},".repeat(200_000)}{}]}`, "Line 2 has too many parts."],
  ["deep nesting", `{"tile":${'{"a":'.repeat(100)}1${"}".repeat(101)}`, "Line 2 is nested too deeply."],
  ["a length beyond the limit", `"${"x".repeat(16_000_000)}"\n`, "The file has a line that is too long. It is not an exported board."],
])("a line of an import with %s is refused before it is parsed", async (_name, line, error) => {
  const { status, json } = await importAs(admin, HEADER + line);
  expect([status, json]).toEqual([400, { error }]);
});

test("a long line of an import is parsed in the turn of its member, and a short one at once", async () => {
  const owners: unknown[] = [];
  const workQueue: Semaphore = {
    waiting: 0,
    run(work, options) {
      owners.push(options?.owner);
      return work();
    },
  };
  const deps = { ...service.appContext.deps, workQueue } as unknown as Deps;
  const zone = { id: "a", name: "Pier", connectedToChat: true, color: null, emoji: null, size: "md", sortOrder: 0 };
  async function* lines(): AsyncGenerator<string> {
    yield HEADER;
    yield JSON.stringify({ zone });
    yield JSON.stringify({ zone: { ...zone, ignored: "x".repeat(300_000) } });
  }
  const actor: Actor = { kind: "operator", businessId: service.businessId };
  let parsed = 0;
  for await (const _line of parseLines(deps, actor, lines())) parsed++;
  expect(parsed).toBe(3);
  expect(owners).toEqual([toOwner(actor)]);
});

test("a client reads why its upload was refused while it sends the rest", async () => {
  const body = Buffer.concat([Buffer.from(`${FORM_START}no header\n`), Buffer.alloc(40 * MIB, 0x61)]);
  const answer = await exchangeAfterSending(service.url, headOf(IMPORT, asMember(admin), body.length), body);
  expect([answer.status, answer.body]).toEqual([400, '{"error":"Line 1 is not a line of an exported board."}']);
});

test("an upload that brings too little while the server waits for it ends, and one that the server keeps waiting does not", async () => {
  const rate = { graceMs: 20, windowMs: 50, minBytes: 10 };
  const ended: { readonly path: string; readonly code: unknown }[] = [];
  const gate = Promise.withResolvers<void>();
  const server: Server = createServer((request) => {
    const read = async (): Promise<void> => {
      for await (const _part of receiveParts(request, rate)) if (request.url === "/busy") await gate.promise;
    };
    const path = request.url ?? "";
    const end = (code: unknown): void => void ended.push({ path, code });
    read().then(
      () => end(null),
      (error: { readonly code?: unknown }) => end(error.code),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const open = async (path: string): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab`);
    return socket;
  };
  const busy = await open("/busy");
  await open("/stalled");
  await expect.poll(() => ended).toEqual([{ path: "/stalled", code: "request_timeout" }]);
  busy.write("cd");
  gate.resolve();
  await expect.poll(() => ended.find(({ path }) => path === "/busy")).toEqual({ path: "/busy", code: null });
});
