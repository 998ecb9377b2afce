import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signStandard } from "#net/signature.ts";
import { buildRecipes } from "../../../web/src/settings/recipes/recipes.ts";

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD9eVGRqNFHqM=";
const BODY = '{"event":"tile.ready","payload":{"tileId":"til_1","title":"Grüße – 日本"},"sentAt":"2026-11-22T00:00:00.000Z"}';
/** The headers of a request that was signed now. */
const sign = (body: string, id = "evt_1"): Record<string, string> => {
  const timestamp = Math.floor(Date.now() / 1_000);
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signStandard(id, timestamp, body, SECRET) };
};

const folder = mkdtempSync(join(tmpdir(), "tessera-recipes-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

const RECIPES = [
  ["node", "mjs", process.execPath],
  ["python", "py", "python3"],
] as const;

describe.each(RECIPES)("recipe for %s", (id, ending, program) => {
  it("the recipe verifies the raw body and rejects invalid signatures", { timeout: 300_000 }, async () => {
    const receiver = await start(renderCode(id, "verify"), `${id}-receiver.${ending}`, program);
    const post = (body: string, headers: Record<string, string>) => fetch(receiver, { method: "POST", body, headers });
    const headers = sign(BODY);
    expect((await post(BODY, headers)).status).toBe(204);
    expect((await post(BODY.replace("ready", "raedy"), headers)).status).toBe(401);
    expect((await post(BODY, { ...headers, "webhook-timestamp": "0" })).status).toBe(401);
    expect((await post(BODY, { ...headers, "webhook-signature": "" })).status).toBe(401);
    expect((await post(BODY, {})).status).toBe(401);
  });

  it("the recipe sends a link with the API key", { timeout: 300_000 }, async () => {
    const seen: { readonly key: unknown; readonly body: unknown; readonly path: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      seen.push({ key: request.headers["x-api-key"], path: request.url, body: JSON.parse(Buffer.concat(parts).toString()) });
      response.setHeader("content-type", "application/json").end('{"tile":{"id":"til_9","status":"processing","type":"WEBSITE"}}');
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const base = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
    const file = join(folder, `${id}-sender.${ending}`);
    writeFileSync(file, renderCode(id, "send", base));
    const child = spawn(program, [file], { env: { ...process.env, TESSERA_KEY: "tsr_test" } });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    await new Promise((done) => child.on("close", done));
    server.close();
    expect(printed.trim()).toBe("til_9 processing");
    expect(seen).toEqual([
      { key: "tsr_test", path: "/api/inbound/tiles", body: { board_id: "brd_1", url: "https://example.com/article" } },
    ]);
  });
});

let all: ReturnType<typeof buildRecipes>;
beforeAll(() => (all = buildRecipes({ base: "https://tessera.example", boardId: "brd_1" })));

it("the recipe for n8n names its package, and has nodes of it for the board", () => {
  const recipe = all.find(({ id }) => id === "n8n")!;
  const [name, ...nodes] = [...recipe.send, ...recipe.verify].flatMap(({ code }) => (code === undefined ? [] : [code]));
  expect(name).toBe("@tessera-board/n8n-nodes-tessera");
  const pasted = nodes.flatMap((code) => JSON.parse(code).nodes as any[]);
  expect(pasted.map(({ type }) => type)).toEqual([`${name}.tessera`, `${name}.tesseraTrigger`]);
  expect(pasted.map(({ parameters }) => parameters.board.value)).toEqual(["brd_1", "brd_1"]);
});

/** Tools whose nodes or integration make the calls, and verify events. */
const WITH_NODES = ["n8n", "Node-RED", "Zapier"];

it("every recipe contains the address and the board, and a receiver of its own checks the signature, the time and the id", () => {
  expect(all.map(({ name }) => name)).toEqual(["n8n", "Node-RED", "Make", "Zapier", "Node", "Python", "PHP"]);
  for (const { name, send, verify } of all) {
    const hasNodes = WITH_NODES.includes(name);
    expect(JSON.stringify(send), name).toContain(hasNodes ? "https://tessera.example" : "https://tessera.example/api/inbound/tiles");
    expect(JSON.stringify(send), name).toContain("brd_1");
    if (hasNodes) continue;
    const receiver = JSON.stringify(verify).toLowerCase().replaceAll("_", "-");
    expect(receiver, name).toMatch(/x-service-signature|webhook-signature/);
    expect(receiver, name).toMatch(/webhook-timestamp|sentat/);
    expect(receiver, name).toContain("webhook-id");
  }
});

it("the flows for Node-RED use its nodes, with one server and all wires connected", () => {
  const recipe = all.find(({ id }) => id === "node-red")!;
  const flows = [...recipe.send, ...recipe.verify].flatMap(({ code }) => (code?.startsWith("[") ? [JSON.parse(code) as any[]] : []));
  expect(flows.map((flow) => flow.map(({ type }) => type))).toEqual([
    ["tessera-server", "inject", "tessera-create", "debug"],
    ["tessera-server", "tessera-event-in", "debug"],
  ]);
  for (const flow of flows) {
    const ids = flow.map(({ id }) => id);
    expect(flow.flatMap(({ wires = [], server = ids[0] }) => [...wires.flat(), server]).filter((id) => !ids.includes(id))).toEqual([]);
    expect(flow[0].url).toBe("https://tessera.example");
  }
});

it("Make and Zapier subscribe, and learn the form of events from samples", () => {
  for (const id of ["make", "zapier"]) {
    const text = JSON.stringify(all.find((one) => one.id === id)!.verify);
    expect(text).toMatch(/subscribe/i);
    expect(text).toMatch(/sample/);
  }
});

/** The longest code of a recipe section: the program. */
function renderCode(id: string, part: "send" | "verify", base = "http://127.0.0.1:9"): string {
  const recipe = buildRecipes({ base, boardId: "brd_1" }).find((one) => one.id === id)!;
  return recipe[part].find(({ code }) => code !== undefined)!.code!;
}

/** Starts a receiver on a free port; resolves to its address once it listens. */
async function start(code: string, name: string, program: string): Promise<string> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address() as { readonly port: number };
  await new Promise((done) => probe.close(done));
  const file = join(folder, name);
  writeFileSync(file, code);
  const child = spawn(program, [file], { env: { ...process.env, PORT: String(port), TESSERA_SECRET: SECRET }, stdio: "ignore" });
  children.push(child);
  const address = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await fetch(address, { method: "POST" }).catch(() => null)) return address;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${name} does not listen.`);
}
