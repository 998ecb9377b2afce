import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openAppContext } from "#composition/app-context.ts";
import { readConfig } from "#config";

const VERSION = { businessId: "biz_1", boardId: "brd_1", tileId: "til_1", version: 1 };

it("text for questions is analysed in a thread that page reading cannot block", { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-analysis-"));
  const appContext = await openAppContext(readConfig({ DATA_DIR: folder }));
  onTestFinished(async () => {
    await appContext.close();
    rmSync(folder, { recursive: true });
  });
  // Long texts are analysed even if there is no thread for pages.
  await appContext.pool.close();
  const [analysis] = await appContext.deps.analyser.analyse([{ ...VERSION, title: "Long", text: "Some words of a text. ".repeat(8_000) }]);
  expect(analysis?.chunks.length).toBeGreaterThan(10);
});
