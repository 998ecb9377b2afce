import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { createTokenCounter } from "#composition/analysis/token-counter.ts";
import { loadTokenCounter } from "#retrieval/answer/count-tokens.ts";
import type { TokenCounter } from "#retrieval/answer/token-counter.ts";
import type { BatchThreadOptions } from "#runtime/batches/batch-thread.ts";
import { createCountTokens } from "#service/answer/tokens.ts";
import { fitSources, newNonce } from "#service/answer/sources.ts";
import { readStartCommand } from "../../scripts/start-command.ts";
import { makeFolder } from "../e2e/support/process.ts";

const ROOT = join(import.meta.dirname, "../..");
const NEVER = new AbortController().signal;
const MISSING = { module: new URL("./support/no-such-file.ts", import.meta.url), restartDelayMs: 60_000 };

const opened: TokenCounter[] = [];
afterEach(async () => {
  for (const counter of opened.splice(0)) await counter.close();
});

function open(options: Partial<BatchThreadOptions> = {}): TokenCounter {
  const counter = createTokenCounter(options);
  opened.push(counter);
  return counter;
}

describe("token counter", () => {
  it("the token counter counts as the vocabulary does, in order, for concurrent callers", async () => {
    const counter = open();
    const count = await loadTokenCounter();
    const texts = ["", "The harbour opens at six.", "<|endoftext|>", "満潮は正午です", "x".repeat(30_000)];
    const expected = texts.map(count);
    const results = await Promise.all(Array.from({ length: 5 }, () => counter.count(texts, NEVER)));
    for (const result of results) expect(result).toEqual(expected);
    expect(await counter.count([], NEVER)).toEqual([]);
  });

  it("the token counter ends what waits with the signal's reason, and with an error when it is closed", async () => {
    const counter = open();
    const controller = new AbortController();
    const unwanted = counter.count(["one"], controller.signal);
    const left = counter.count(["two"], NEVER);
    const rejected = Promise.all([expect(unwanted).rejects.toThrow("Not wanted."), expect(left).rejects.toThrow(/closed/)]);
    controller.abort(new Error("Not wanted."));
    await counter.close();
    await rejected;
    await expect(createCountTokens({ tokenCounter: counter, log: NO_LOG }, controller.signal)(["x"])).rejects.toThrow("Not wanted.");
  });

  it("the token counter counts bytes while the thread can't be started, and starts it only after a delay", async () => {
    const warnings: object[] = [];
    const log = { ...NO_LOG, warn: (fields: object) => void warnings.push(fields) };
    const count = createCountTokens({ tokenCounter: open(MISSING), log }, NEVER);
    expect(await count(["harbour", "é"])).toEqual([7, 2]);
    expect(await count(["tide"])).toEqual([4]);
    // A second start would fail with another error, which would be logged too.
    expect(warnings).toEqual([{ cause: expect.stringContaining("The thread of the token counter failed.") }]);
  });
});

it("the sources that fit never exceed the budget, and are counted in a few calls however many there are", async () => {
  let calls = 0;
  const count = async (texts: readonly string[]): Promise<readonly number[]> => {
    calls++;
    return texts.map((text) => text.split(/\s+/).length);
  };
  const source = (text: string) => ({
    tileId: "til",
    title: "Tide",
    type: "TEXT" as const,
    sourceUrl: null,
    text,
    start: 0,
    end: 0,
    around: { text, start: 0 },
  });
  const texts = Array.from({ length: 500 }, (_, at) => (at % 3 === 0 ? "word ".repeat(90) : "short one"));
  const { sources, tokens } = await fitSources(texts.map(source), 1_000, newNonce(), count);
  expect(tokens).toBeLessThanOrEqual(1_000);
  expect(tokens).toBeGreaterThan(950);
  expect(sources.filter(({ text }) => text === "short one").length).toBeGreaterThan(10);
  expect(calls).toBeLessThan(10);
});

const SCRIPT = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load(url, context, next) { if (/node_modules\\/(gpt-tokenizer|@energetic-ai)\\//.test(url)) loaded.push(url); return next(url, context); } });
  const { openAppContext } = await import("#composition/app-context.ts");
  const { readConfig } = await import("#config");
  const { askBoard } = await import("#service/answer/ask.ts");
  const { authorizeBoard } = await import("#service/access.ts");
  const { draftTile } = await import("#service/content/drafts.ts");
  const { createTile } = await import("#service/content/tiles.ts");
  const { deps, close } = await openAppContext(readConfig(process.env));
  const [business] = await deps.store.boards.businesses();
  const [board] = await deps.store.boards.list(business.id);
  const actor = { kind: "operator", businessId: business.id };
  const scope = await authorizeBoard(deps, actor, board.id, "write");
  await createTile(deps, scope, draftTile(deps, { content: "The harbour opens at six in the morning." }));
  const { contextTokens, answered } = await askBoard(deps, await authorizeBoard(deps, actor, board.id, "ask"), "When does the harbour open?", false);
  console.log(JSON.stringify({ loaded, contextTokens, answered }));
  await close();
`;

it("a first question loads no model and no vocabulary in the main thread", async () => {
  const folder = makeFolder();
  const env = { ...process.env, DATA_DIR: folder.dataDir, EMBEDDINGS: "local", BASE_URL: "", ...readStartCommand(ROOT).environment };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", SCRIPT], { cwd: ROOT, env }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
  });
  const { loaded, contextTokens, answered } = JSON.parse(output);
  expect({ loaded, answered }).toEqual({ loaded: [], answered: true });
  expect(contextTokens).toBeGreaterThan(5);
  expect(contextTokens).toBeLessThan(40);
  folder.remove();
});
