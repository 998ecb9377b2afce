import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { newStorage } from "../support/engine.ts";
import { call, type Environment, makeFolder, runServer } from "./support/process.ts";
import { startEntry } from "./support/start-entry.ts";
import { until } from "./support/servers.ts";

type Line = { readonly level: string; readonly time: string; readonly msg: string } & Readonly<Record<string, unknown>>;

/** Parses output of which every line must be a JSON object with level, time and message. */
function parseLines(output: string): Line[] {
  expect(output === "" || output.endsWith("\n")).toBe(true);
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const parsed = JSON.parse(line) as Line;
      expect(parsed, line).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
      expect(new Date(parsed.time).toISOString(), line).toBe(parsed.time);
      return parsed;
    });
}

const folders: ReturnType<typeof makeFolder>[] = [];
afterAll(() => folders.forEach((folder) => folder.remove()));

function newEnvironment(more: Environment = {}): Environment {
  const folder = makeFolder();
  folders.push(folder);
  return { DATA_DIR: folder.dataDir, LOG_FORMAT: "json", ...more };
}

/** Runs a server until `use` is done, then ends it by SIGTERM. Returns its whole output. */
async function runFor(environment: Environment, use: (url: string, stderr: () => string) => Promise<void>, entry = "src/main.ts") {
  const child = startEntry(entry, [], { PORT: "0", ...environment });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (out.stdout += text));
  child.stderr.on("data", (text: string) => (out.stderr += text));
  const closed = once(child, "close");
  const findUrl = (): string | undefined => /Tessera is ready on (http:\/\/[^\s"]+)/.exec(out.stdout)?.[1];
  await until("the ready line", () => findUrl() !== undefined || child.exitCode !== null);
  try {
    await use(findUrl() ?? "", () => out.stderr);
  } finally {
    child.kill("SIGTERM");
  }
  const [code] = (await closed) as [number | null];
  return { code, ...out };
}

test("the output with LOG_FORMAT=json is JSON in every line: ready, set-up link, requests, warnings of Node, and the end", async () => {
  const storage = await newStorage();
  const environment = newEnvironment({ ...storage.environment, LOG_LEVEL: "debug" });
  const { code, stdout, stderr } = await runFor(
    environment,
    async (url, stderr) => {
      await until("the warning of the thread", () => stderr().includes("A warning of a thread."));
      for (const path of ["/", "/docs/static/index.css", "/health/live", "/api/me"]) await call(url, null, "GET", path);
    },
    "test/e2e/support/warning-server.ts",
  );
  await storage.drop();
  expect(code).toBe(0);
  const lines = parseLines(stdout);
  const find = (start: string): Line | undefined => lines.find(({ msg }) => msg.startsWith(start));
  expect(find("Tessera is ready on")).toMatchObject({ level: "info", url: expect.stringMatching(/^http:/) });
  expect(find("This install has no owner yet.")).toMatchObject({ setupUrl: expect.stringMatching(/\/claim#tsc_.{20}/) });
  expect(find("Stopping:")).toMatchObject({ level: "info", signal: "SIGTERM" });
  expect(lines.at(-1)).toMatchObject({ level: "info", msg: "Tessera has stopped." });
  const requests = lines.filter(({ msg }) => msg === "request").map(({ route, level }) => `${String(route)} ${level}`);
  expect(requests).toContain("/docs/static/* debug");
  expect(requests).toContain("/health/live info");
  const warnings = parseLines(stderr);
  expect(warnings).toContainEqual(expect.objectContaining({ level: "warn", warning: "DeprecationWarning", code: "DEP_TEST", msg: "Old." }));
  const others = warnings.map(({ msg }) => msg).join("\n");
  expect(others).toContain("A warning of a thread.");
  expect(others).toContain("Text of a library,");
  expect(others).toContain("over two lines.");
});

test("the output with LOG_FORMAT=json is JSON if the start fails", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  for (const [more, message] of [
    [{ PORT: "70000" }, /^Invalid setting: PORT /],
    [{ PORT: String(port) }, /^Tessera could not start: /],
    [{ DATA_DIR: "/dev/null/x" }, /^Tessera could not start: /],
  ] as const) {
    const { code, stdout, stderr } = await runServer(newEnvironment(more));
    expect(code).toBe(1);
    expect(parseLines(stdout)).toEqual([]);
    expect(parseLines(stderr)).toMatchObject([{ level: "fatal", msg: expect.stringMatching(message) }]);
  }
  taken.close();
});

test("the ready line stays text for programs by default", async () => {
  const { code, stdout, stderr } = await runFor({ ...newEnvironment(), LOG_FORMAT: "auto" }, async () => {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trim().split("\n");
  expect(lines.filter((line) => /^Tessera is ready on http:\/\/\S+$/.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/^\{.*"msg":"Tessera has stopped\."\}$/);
});

test("the output with LOG_FORMAT=text is readable text", async () => {
  const { stdout } = await runFor(
    { ...newEnvironment(), LOG_FORMAT: "text" },
    async (url) => void (await call(url, null, "GET", "/api/me")),
  );
  expect(stdout).not.toMatch(/^\{/m);
  expect(stdout).toMatch(/INFO: Tessera has stopped\./);
});
