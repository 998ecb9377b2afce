import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { packSdk } from "../../scripts/package/sdk.ts";
import { until } from "../e2e/support/servers.ts";
import { installTarballs, installTools, runOrThrow } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const INSTALL_MS = 300_000;
/** The oldest TypeScript that reads the declarations, which README.md names: 4.9 can't follow their imports. */
const OLDEST_TYPESCRIPT = "5.0.4";
const README = readFileSync(join(ROOT, "sdk/README.md"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "tessera-sdk-consumer-"));
let tools: string;

beforeAll(async () => {
  tools = await installTools({ typescript: OLDEST_TYPESCRIPT, express: "4.21.2" });
  const packed = join(folder, "packed");
  mkdirSync(packed);
  await installTarballs(packed, packSdk(ROOT, packed));
  mkdirSync(join(folder, "node_modules/@tessera-board"), { recursive: true });
  cpSync(join(packed, "node_modules/@tessera-board/sdk"), join(folder, "node_modules/@tessera-board/sdk"), { recursive: true });
  symlinkSync(join(tools, "node_modules/express"), join(folder, "node_modules/express"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
}, INSTALL_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `import { type Client, type Tile, createClient, verifyWebhook } from "@tessera-board/sdk";
const tessera: Client = createClient({ baseUrl: "http://localhost", apiKey: "k" });
export const tile: Promise<Tile> = tessera.tiles.create("brd_1", { content: "Text", languageHint: "de" });
// @ts-expect-error -- a tile has either content or url
void tessera.tiles.create("brd_1", { content: "Text", url: "https://example.com" });
export async function receive(): Promise<string> {
  const event = await verifyWebhook({ body: "", headers: {}, secret: "" });
  if (event.event === "test") return event.payload.message;
  if (event.event === "tile.failed" || event.event === "tile.updated") return event.payload.title;
  return event.event === "generation.failed" ? event.payload.generationId : event.event;
}
`;

const [major, minor] = OLDEST_TYPESCRIPT.split(".");

it.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])("the oldest supported TypeScript compiles a program of module %s and resolution %s", async (module, moduleResolution) => {
  expect(README).toContain(`TypeScript ${major}.${minor} and newer`);
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const lib = ["es2022", "dom", "dom.iterable"];
  const compilerOptions = { module, moduleResolution, target: "es2022", lib, types: [], strict: true, noEmit: true, skipLibCheck: false };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  await runOrThrow(process.execPath, [join(tools, "node_modules/typescript/bin/tsc"), "-p", folder], { cwd: folder });
});

test(
  "an editor describes each method of the client",
  async () => {
    const { default: ts } = await import(join(tools, "node_modules/typescript/lib/typescript.js"));
    const calls = [
      "tiles.get",
      "boards.follow",
      "zones.create",
      "inbound.batch",
      "generations.list",
      "people.logIn",
      "settings.keys.create",
    ];
    const hovered = [...calls, "settings.webhook.rotate", "ask", "generate", "tiles"].map((call) => `tessera.${call};`);
    const text = ['import { createClient } from "@tessera-board/sdk";', 'const tessera = createClient({ baseUrl: "" });', ...hovered].join(
      "\n",
    );
    const file = join(folder, "hover.ts");
    writeFileSync(file, text);
    const service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => true,
      getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [] }),
      getScriptFileNames: () => [file],
      getScriptVersion: () => "1",
      getScriptSnapshot: (name: string) => {
        const content = ts.sys.readFile(name);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
    const describeCall = (call: string): string =>
      ts.displayPartsToString(service.getQuickInfoAtPosition(file, text.indexOf(call) + call.length - 2)?.documentation);
    expect(hovered.filter((call) => describeCall(call) === "")).toEqual([]);
    expect(describeCall("tessera.tiles.get;")).toMatch(/^Returns a tile/);
    // Every member of a group has its description in the declarations.
    const declarations = ["boards", "inbound", "client", "tiles/methods", "answers/generations", "settings/people", "settings/settings"];
    for (const path of [...declarations, "settings/webhook"]) {
      const source = readFileSync(join(folder, `node_modules/@tessera-board/sdk/dist/${path}.d.ts`), "utf8");
      const bodies = [...source.matchAll(/export interface [^{]+\{\n([\s\S]*?)\n\}/g)].map(([, body = ""]) => `\n${body}`);
      const undocumented = bodies.flatMap((body) => [...body.matchAll(/(?<!\*\/)\n    (?:readonly )?(\w+)[(:]/g)].map(([, name]) => name));
      expect(bodies.length + undocumented.length, `${path}: ${undocumented.join(", ")}`).toBe(bodies.length);
      expect(bodies.length, path).toBeGreaterThan(0);
    }
  },
  INSTALL_MS,
);

const secret = `whsec_${Buffer.from("a secret of the receiver").toString("base64")}`;
let receiver: ChildProcess;
let url: string;
let printed = "";

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/hook`;
  const code = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = ""]) => text).find((text) => text.includes('"/hook"'));
  writeFileSync(join(folder, "receiver.ts"), (code ?? "").replace("app.listen(3000)", `app.listen(${port}, "127.0.0.1")`));
  receiver = spawn(process.execPath, ["receiver.ts"], { cwd: folder, env: { ...process.env, WEBHOOK_SECRET: secret } });
  for (const stream of [receiver.stdout, receiver.stderr]) stream?.on("data", (part: Buffer) => (printed += part.toString()));
  await until("the receiver", () => fetch(url).catch(() => false));
}, INSTALL_MS);
afterAll(() => receiver?.kill());

const send = async (id: string, secondsAgo: number, by = secret): Promise<number> => {
  const body = JSON.stringify({ event: "tile.ready", payload: { tileId: id, title: "Lighthouse" }, sentAt: new Date().toISOString() });
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signStandard(id, timestamp, body, by),
  };
  return (await fetch(url, { method: "POST", body, headers })).status;
};

it("the webhook receiver of the README, with Express 4, answers 401 to forged and old requests, and goes on", async () => {
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  expect(await send("evt_1", 0, `whsec_${Buffer.from("another secret").toString("base64")}`)).toBe(401);
  expect(await send("evt_1", 301)).toBe(401);
  expect(await send("evt_1", 0)).toBe(204);
  expect(receiver.exitCode).toBeNull();
});

it("the webhook receiver of the README, with Express 4, handles each event once", async () => {
  expect([await send("evt_2", 0), await send("evt_2", 0), await send("evt_3", 0)]).toEqual([204, 204, 204]);
  await until("the last event", () => printed.includes("evt_3"));
  expect(printed.match(/evt_2/g)).toHaveLength(1);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
