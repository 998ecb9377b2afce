import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rotateWebhook, sendTestEvent, setWebhook } from "#service/settings/webhooks.ts";
import { signStandard } from "#net/signature.ts";
import { renderRecipes } from "../../scripts/write/recipes.ts";
import { buildRecipes } from "../../web/src/settings/recipes/recipes.ts";
import { until } from "../e2e/support/servers.ts";
import { type TestService, startTestService } from "../support/service.ts";

const run = promisify(execFile);
/** Routes the example site to a port on which nothing listens, so that no test uses the network. */
const NOWHERE = "https://example.com=http://127.0.0.1:9";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** The first code of a recipe section: the program or the flow. */
function renderCode(id: string, part: "send" | "verify", place = { base: NOWHERE, boardId: "brd_1" }): string {
  const code = buildRecipes(place)
    .find((recipe) => recipe.id === id)
    ?.[part].find((step) => step.code !== undefined)?.code;
  if (code === undefined) throw new Error(`There is no code for ${id}.`);
  return code;
}

/** The headers of a request that the server signed at this time, in seconds. */
const signAs = (id: string, timestamp: number, body: string, secret: string): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signStandard(id, timestamp, body, secret),
});

test("docs/reference/recipes.md equals the recipes of the page", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/reference/recipes.md"), "utf8")).toBe(renderRecipes());
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends a test event, and returns its delivery once that has ended. */
async function deliverTestEvent({ appContext: { deps }, businessId }: TestService) {
  const id = await sendTestEvent(deps, businessId, "operator");
  return until("the delivery", async () => {
    const delivery = await deps.store.webhooks.delivery(businessId, id);
    return delivery !== null && ["succeeded", "failed"].includes(delivery.status) && delivery;
  });
}

describe.each([
  ["node", process.execPath, "mjs", true],
  ["python", "python3", "py", hasPython],
] as const)("recipes for %s", (name, program, ending, isHere) => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-recipe-"));
  let service: TestService;
  let port: number;
  let receiver: ChildProcess | undefined;
  let heard = "";

  beforeAll(async () => {
    port = await freePort();
    service = await startTestService({ WEBHOOK_ALLOW: `127.0.0.1:${port}`, INGEST_ATTEMPTS: "1", FETCH_ROUTES: NOWHERE });
    const place = { base: service.url, boardId: service.boardId };
    for (const part of ["send", "verify"] as const) writeFileSync(join(folder, `${part}.${ending}`), renderCode(name, part, place));
  });
  afterAll(async () => {
    receiver?.kill("SIGKILL");
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.runIf(isHere)("the recipes create a tile, and report why if none is created", async () => {
    const { key } = await service.newKey({ permission: "inbound" });
    const call = (env: object) => run(program, [join(folder, `send.${ending}`)], { env: { PATH: process.env.PATH, ...env } });
    const { stdout } = await call({ TESSERA_KEY: key });
    const [id, status] = stdout.trim().split(" ");
    expect(status).toBe("processing");
    expect((await service.call("GET", `/api/board/tiles/${id}`)).json.tile).toMatchObject({ sourceUrl: "https://example.com/article" });
    await expect(call({ TESSERA_KEY: `tsr_${"a".repeat(38)}` })).rejects.toMatchObject({
      stderr: expect.stringMatching(name === "node" ? /Invalid API key\./ : /401/),
    });
  });

  test.runIf(isHere)("the recipes accept a genuine event only", { timeout: 300_000 }, async () => {
    const { deps } = service.appContext;
    const url = `http://127.0.0.1:${port}/`;
    const { secret } = await setWebhook(deps, service.businessId, { url, actor: "operator" });
    receiver = spawn(program, [join(folder, `verify.${ending}`)], {
      env: { PATH: process.env.PATH, PORT: String(port), TESSERA_SECRET: secret },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [receiver.stdout, receiver.stderr]) stream?.on("data", (part: Buffer) => (heard += part.toString()));
    const post = (headers: Record<string, string>) => fetch(url, { method: "POST", body: "{}", headers });
    await until("the receiver", () => post({}).catch(() => false));
    const now = Math.floor(Date.now() / 1_000);
    const signed = (timestamp: number, by = secret) => signAs("evt_1", timestamp, "{}", by);
    const stranger = `whsec_${randomBytes(32).toString("base64")}`;
    for (const headers of [signed(now, stranger), signed(now - 400), signed(now + 400), { ...signed(now), "webhook-id": "evt_2" }])
      expect((await post(headers)).status).toBe(401);
    for (const signature of ["", "zz", "v1,", `v1,${"00".repeat(32)}`])
      expect((await post({ ...signed(now), "webhook-signature": signature })).status).toBe(401);
    const repeated = '{"event":"repeated","payload":{}}';
    for (let times = 0; times < 2; times++) {
      const headers = signAs("evt_3", now, repeated, secret);
      expect((await fetch(url, { method: "POST", body: repeated, headers })).status).toBe(204);
    }
    await until("the repeated event", () => heard.includes("repeated"));
    expect(heard.match(/repeated/g)).toHaveLength(1);
    expect(await deliverTestEvent(service)).toMatchObject({ status: "succeeded", responseStatus: 204 });
    await until("the event", () => heard.includes("test") && heard.includes("message"));
    await rotateWebhook(deps, service.businessId, 0, "operator");
    expect(await deliverTestEvent(service)).toMatchObject({ status: "failed", responseStatus: 401 });
  });
});
