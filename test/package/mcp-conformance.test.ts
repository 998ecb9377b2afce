import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, startTestService } from "../support/service.ts";
import { installTools, runProgram } from "./support/tools.ts";

const RUNNER = { "@modelcontextprotocol/conformance": "0.1.16" };
const INSTALL_MS = 300_000;

const OWN_TOOLS = "calls a tool of the runner's own test server by its name";
const NO_RESOURCES = "needs resources; content is read by tools, which mark it as data";
const NO_PROMPTS = "needs prompts, which this server does not have";
const NO_REQUESTS = "needs requests from server to client, which this server does not send";
const NO_STREAMS = "needs sessions with event streams; each message gets one response";

/** Scenarios that do not apply, with their reason. The runner fails if one of them passes. docs/reference/mcp.md lists them too. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "tools-call-simple-text": OWN_TOOLS,
  "tools-call-image": OWN_TOOLS,
  "tools-call-audio": OWN_TOOLS,
  "tools-call-embedded-resource": OWN_TOOLS,
  "tools-call-mixed-content": OWN_TOOLS,
  "tools-call-with-logging": OWN_TOOLS,
  "tools-call-error": OWN_TOOLS,
  "tools-call-with-progress": OWN_TOOLS,
  "json-schema-2020-12": OWN_TOOLS,
  "tools-call-sampling": NO_REQUESTS,
  "tools-call-elicitation": NO_REQUESTS,
  "elicitation-sep1034-defaults": NO_REQUESTS,
  "elicitation-sep1330-enums": NO_REQUESTS,
  "server-sse-polling": NO_STREAMS,
  "server-sse-multiple-streams": NO_STREAMS,
  "logging-set-level": "needs log messages to the client; a call that fails says so in its result",
  "completion-complete": "needs prompts or resource templates to complete",
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
};

const folder = mkdtempSync(join(tmpdir(), "tessera-mcp-"));
let tools: string;
let service: TestService;
let proxy: Server;

/** Passes requests on with the key, since the runner can't send one. */
const startProxy = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const call = request(new URL(url ?? "/", service.url), { method, headers: { ...headers, "x-api-key": service.key } }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      call.on("error", () => outgoing.destroy());
      incoming.pipe(call);
    }).listen(0, "127.0.0.1", () => resolve(server));
  });

beforeAll(async () => {
  tools = await installTools(RUNNER);
  service = await startTestService({ ROLE: "api" });
  proxy = await startProxy();
}, INSTALL_MS);
afterAll(async () => {
  proxy.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the official conformance runner finds no scenario that fails, except those that do not apply", async () => {
  const baseline = join(folder, "baseline.yml");
  const lines = Object.entries(NOT_APPLICABLE).map(([name, reason]) => `  - ${name} # ${reason}`);
  writeFileSync(baseline, ["server:", ...lines, ""].join("\n"));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const command = join(tools, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const args = [command, "server", "--suite", "all", "--url", url, "--expected-failures", baseline, "--output-dir", folder];
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder });
  expect(`${stdout}${stderr}\n${code}`).toMatch(/\n0$/);
  for (const scenario of ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])
    expect(stdout).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
});
