import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { REQUIREMENTS } from "../../conformance/requirements.ts";
import { renderDocs } from "../../conformance/write-docs.ts";
import { serveArticle, startOrigin } from "../support/servers/origin.ts";
import { startTestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function runSuite(args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(ROOT, "scripts/run.mjs"), "conformance/main.ts", ...args], { cwd: ROOT });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output, errors })));
}

it("the service meets every requirement that the suite can check", { timeout: 300_000 }, async () => {
  const origin = await startOrigin(serveArticle);
  const webhookPort = await freePort();
  const service = await startTestService({
    FETCH_ALLOW: `127.0.0.1:${origin.port}`,
    WEBHOOK_ALLOW: `127.0.0.1:${webhookPort}`,
    RATE_LIMIT_PER_MINUTE: "100000",
    RATE_LIMIT_ASK_PER_MINUTE: "10000",
  });
  try {
    const webhook = await setWebhook(service.appContext.deps, service.businessId, {
      url: `http://127.0.0.1:${webhookPort}/`,
      actor: "operator",
    });
    const created = await service.call("POST", "/api/board/boards", { body: { name: "Scoped" } });
    const scopedBoard: string = created.json.board.id;
    const scoped = await service.newKey({ boardId: scopedBoard });
    const read = await service.newKey({ permission: "read" });
    const inbound = await service.newKey({ permission: "inbound" });
    const { code, output, errors } = await runSuite([
      ...["--url", service.url, "--key", service.key, "--json"],
      ...["--scoped-key", scoped.key, "--scoped-board", scopedBoard],
      ...["--read-key", read.key, "--inbound-key", inbound.key],
      ...["--webhook-port", String(webhookPort), "--webhook-secret", webhook.secret],
      ...["--page-url", `${origin.url}/article`],
    ]);
    const report = JSON.parse(output) as {
      passed: number;
      results: { outcome: string; claims: string[]; check: string; message?: string }[];
    };
    expect(report.results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "skipped")).toEqual([]);
    expect(report.passed).toBeGreaterThan(160);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  } finally {
    await service.stop();
    await origin.close();
  }
});

it("the suite rejects a server that responds to everything with 200", { timeout: 300_000 }, async () => {
  const origin = await startOrigin((_request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ boards: [{ id: "b", name: "B", isDefault: true, slug: "b" }] }));
  });
  try {
    const { code } = await runSuite(["--url", origin.url, "--key", "k", "--json"]);
    expect(code).not.toBe(0);
  } finally {
    await origin.close();
  }
});

it("docs/reference/conformance.md lists the requirements of the code", () => {
  expect(readFileSync(join(ROOT, "docs/reference/conformance.md"), "utf8")).toBe(renderDocs(REQUIREMENTS));
});
