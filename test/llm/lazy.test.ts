import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../e2e/support/process.ts";
import { startOpenAiServer } from "../support/servers/openai-server.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPT = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load(url, context, next) { const found = /node_modules\\/(ai|@ai-sdk\\/[^/]+)\\//.exec(url); if (found) loaded.add(found[1]); return next(url, context); } });
  const { openAppContext } = await import("#composition/app-context.ts");
  const { readConfig } = await import("#config");
  const { deps, close } = await openAppContext(readConfig(process.env));
  const before = [...loaded];
  for await (const _ of deps.model.stream({ system: "s", prompt: "p", maxOutputTokens: 20, signal: new AbortController().signal }).text);
  console.log(JSON.stringify({ before, after: loaded.size }));
  await close();
`;

test("the AI SDK is loaded with the first request", async () => {
  const folder = makeFolder();
  const server = await startOpenAiServer(() => ({ text: "Yes." }));
  const env = {
    ...process.env,
    DATA_DIR: folder.dataDir,
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "m",
    LLM_BASE_URL: server.url,
    BASE_URL: "",
  };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", SCRIPT], { cwd: ROOT, env }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
  });
  const { before, after } = JSON.parse(output);
  expect(before).toEqual([]);
  expect(after).toBeGreaterThan(0);
  await server.close();
  folder.remove();
});
