import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartCommand } from "../../scripts/start-command.ts";
import { makeFolder, tessera } from "../e2e/support/process.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPT = `
  import { registerHooks } from "node:module";
  let loaded = 0;
  registerHooks({ load(url, context, next) { if (url.includes("/node_modules/@energetic-ai/")) loaded++; return next(url, context); } });
  const { openAppContext } = await import("#composition/app-context.ts");
  const { readConfig } = await import("#config");
  const { deps, close } = await openAppContext(readConfig(process.env));
  const memory = () => process.memoryUsage().rss / 1048576;
  const before = memory();
  const signal = new AbortController().signal;
  const [vector] = await deps.embedder.embed(["The harbour opens at six."], { isUrgent: true, signal });
  console.log(JSON.stringify({ loaded, length: vector.length, before, after: memory() }));
  await close();
`;

test("the sentence model is loaded by the first text, in its own thread, and lets the process exit", { timeout: 300_000 }, async () => {
  const folder = makeFolder();
  const env = { ...process.env, DATA_DIR: folder.dataDir, EMBEDDINGS: "local", BASE_URL: "", ...readStartCommand(ROOT).environment };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", SCRIPT], { cwd: ROOT, env, timeout: 300_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
  });
  const { loaded, length, before, after } = JSON.parse(output);
  expect({ loaded, length }).toEqual({ loaded: 0, length: 512 });
  expect(before).toBeLessThan(150);
  expect(after - before).toBeLessThan(350);
  folder.remove();
});

test("doctor computes a vector, and reports an unreachable server or disabled vectors", { timeout: 300_000 }, async () => {
  const folder = makeFolder();
  const check = async (environment: Record<string, string>) => {
    const { code, stdout } = await tessera({ DATA_DIR: folder.dataDir, ...environment }, "doctor", "--json");
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] };
    const found = checks.find(({ name }) => name === "sentence vectors")!;
    return { code, ok: found.ok, message: found.message };
  };
  expect(await check({ EMBEDDINGS: "local" })).toEqual({
    code: 0,
    ok: true,
    message: "universal-sentence-encoder-lite answers with 512 dimensions",
  });
  expect(await check({ EMBEDDINGS: "off" })).toMatchObject({ code: 0, ok: true, message: expect.stringContaining("off") });
  const away = { EMBEDDINGS: "openai-compatible", EMBEDDINGS_MODEL: "m", EMBEDDINGS_BASE_URL: "http://127.0.0.1:59999/v1" };
  expect(await check(away)).toMatchObject({ code: 1, ok: false });
  folder.remove();
});
