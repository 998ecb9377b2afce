import { expect, test } from "vitest";
import { readConfig } from "#config";
import { openAppContext } from "#composition/app-context.ts";
import { makeFolder } from "../e2e/support/process.ts";

test("the store is closed although another part can't be", async () => {
  const folder = makeFolder();
  const appContext = await openAppContext(readConfig({ DATA_DIR: folder.dataDir, EMBEDDINGS: "off" }));
  await appContext.deps.store.ping();
  const { close } = appContext.fetcher as unknown as { close(): Promise<void> };
  Object.assign(appContext.fetcher, { close: () => Promise.reject(new Error("The fetcher is stuck.")) });
  await expect(appContext.close()).rejects.toThrow("The fetcher is stuck.");
  await expect(appContext.deps.store.ping()).rejects.toThrow();
  await close();
  folder.remove();
});
