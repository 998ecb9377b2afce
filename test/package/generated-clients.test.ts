import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, startTestService } from "../support/service.ts";
import { installTools, runOrThrow } from "./support/tools.ts";

const GENERATORS = { "@hey-api/openapi-ts": "0.99.0", "openapi-fetch": "0.17.0", "openapi-typescript": "7.13.0", typescript: "5.9.3" };
const INSTALL_MS = 300_000;
const LIMIT_MS = 120_000;

/** What both programs print after the quick start: a board, a note, a question, and an error. */
const EXPECTED = {
  board: expect.any(String),
  title: "Lighthouse",
  answered: true,
  quote: expect.stringContaining("1887"),
  error: "Tile not found.",
};

let service: TestService;
let tools: string;
const folder = mkdtempSync(join(tmpdir(), "tessera-clients-"));

beforeAll(async () => {
  tools = await installTools(GENERATORS);
  service = await startTestService();
}, INSTALL_MS);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder in which the generators are installed. */
function newProject(name: string): string {
  const project = join(folder, name);
  mkdirSync(project);
  symlinkSync(join(tools, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    strict: true,
    skipLibCheck: true,
    outDir: "out",
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts", "client"] }));
  return project;
}

const runTool = (project: string, name: string, ...args: readonly string[]): Promise<string> =>
  runOrThrow(process.execPath, [join(tools, "node_modules/.bin", name), ...args], { cwd: project });

/** Compiles the program against the generated types, runs it, and returns what it printed. */
async function compileAndRun(project: string, program: string): Promise<unknown> {
  writeFileSync(join(project, "main.ts"), `declare const process: { readonly env: Record<string, string> };\n${program}`);
  await runTool(project, "tsc");
  const env = { BASE_URL: service.url, API_KEY: service.key };
  return JSON.parse(await runOrThrow(process.execPath, ["out/main.js"], { cwd: project, env }));
}

test("a client of openapi-typescript and openapi-fetch runs the quick start", { timeout: LIMIT_MS }, async () => {
  const project = newProject("openapi-fetch");
  await runTool(project, "openapi-typescript", `${service.url}/openapi.json`, "--output", "api.ts");
  const printed = await compileAndRun(
    project,
    `import createClient from "openapi-fetch";
import type { paths } from "./api.js";
const client = createClient<paths>({ baseUrl: process.env["BASE_URL"]!, headers: { "X-API-Key": process.env["API_KEY"]! } });
const { data: listing } = await client.GET("/api/board/boards");
const boardId = listing!.boards[0]!.id;
const { data: created } = await client.POST("/api/board/{boardId}/tiles", {
  params: { path: { boardId }, header: { "Idempotency-Key": "one" } },
  body: { title: "Lighthouse", content: "The lighthouse of Nordholm was built in 1887." },
});
const { data: answer } = await client.POST("/api/board/{boardId}/ask", {
  params: { path: { boardId } },
  body: { question: "When was the lighthouse of Nordholm built?" },
});
// A client that accepts an event stream gets text.
if (answer === undefined || typeof answer === "string") throw new Error("There is no answer.");
const { error } = await client.GET("/api/board/tiles/{tileId}", { params: { path: { tileId: "til_none" } } });
console.log(JSON.stringify({ board: boardId, title: created!.tile!.title, answered: answer.answered, quote: answer.citations[0]!.quote, error: error!.error }));
`,
  );
  expect(printed).toEqual(EXPECTED);
});

test("a client of @hey-api/openapi-ts runs the quick start", { timeout: LIMIT_MS }, async () => {
  const project = newProject("hey-api");
  await runTool(project, "openapi-ts", "--input", `${service.url}/openapi.json`, "--output", "client");
  const printed = await compileAndRun(
    project,
    `import { askBoard, createTile, getTile, listBoards } from "./client/index.js";
import { client } from "./client/client.gen.js";
client.setConfig({ baseUrl: process.env["BASE_URL"]!, headers: { "X-API-Key": process.env["API_KEY"]! } });
const { data: listing } = await listBoards();
const boardId = listing!.boards[0]!.id;
const { data: created } = await createTile({
  path: { boardId },
  body: { title: "Lighthouse", content: "The lighthouse of Nordholm was built in 1887." },
});
const { data: answer } = await askBoard({ path: { boardId }, body: { question: "When was the lighthouse of Nordholm built?" } });
const { error } = await getTile({ path: { tileId: "til_none" } });
console.log(JSON.stringify({ board: boardId, title: created!.tile!.title, answered: answer!.answered, quote: answer!.citations[0]!.quote, error: error!.error }));
`,
  );
  expect(printed).toEqual(EXPECTED);
});
