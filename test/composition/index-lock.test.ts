import { expect, onTestFinished, test, vi } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { reindexBoard, startIndexing } from "#composition/background.ts";
import { EMPTY_ANALYSIS } from "#domain/answers/analysis.ts";
import { systemClock } from "#domain/core/system.ts";
import { databaseFile, openStore } from "#storage/sqlite/store.ts";
import { seedBusiness } from "../support/boards.ts";
import { addText } from "../contract/store-context.ts";
import { newFolder } from "../storage/folder.ts";

const log = { ...NO_LOG, error: vi.fn() };

/** Opens the data directory as a process does, and starts its indexer. */
function open(dataDir: string) {
  const store = openStore(databaseFile(dataDir));
  const pending = vi.spyOn(store.search, "pending");
  const deps = {
    store,
    clock: systemClock,
    log,
    analyser: {
      analyse: async (tiles: readonly unknown[]) => tiles.map(() => ({ ...EMPTY_ANALYSIS, chunks: [{ start: 0, end: 1, length: 1 }] })),
    },
  } as never;
  const indexer = startIndexing({ databaseUrl: "", dataDir }, { deps }, () => false);
  onTestFinished(async () => {
    await indexer.stop();
    await store.close();
  });
  return { store, deps, indexer, pending };
}

test("one process at a time indexes a database, and a command waits for it", async () => {
  const dataDir = newFolder();
  const server = open(dataDir);
  const seed = await seedBusiness(server.store);
  await addText({ store: server.store, ...seed }, "A harbour.");
  await server.indexer.idle();
  const command = open(dataDir);
  expect(await reindexBoard({ deps: command.deps }, seed.board, command.indexer, () => undefined)).toBe(1);
  expect(command.pending).not.toHaveBeenCalled();
  expect((await server.store.search.statistics(seed.board.businessId, seed.board.id)).documents).toBe(1);
  // When the server ends, the command goes on.
  await server.indexer.stop();
  expect(await reindexBoard({ deps: command.deps }, seed.board, command.indexer, () => undefined)).toBe(1);
  expect(command.pending).toHaveBeenCalled();
  expect(log.error).not.toHaveBeenCalled();
});
