import { expect, it, onTestFinished } from "vitest";
import type { IndexRebuildStore, RebuiltBoard } from "#domain/answers/index-rebuild.ts";
import { startRebuilder } from "#ingest/indexing/rebuilder.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

it("the rebuilder goes on with other boards while the tiles of one wait for the indexer", async () => {
  const boards: RebuiltBoard[] = ["first", "second", "third"].map((id) => ({ businessId: "biz_1", id, isEmptied: false }));
  const waiting = new Map([["first", 501]]);
  const ended: string[] = [];
  const rebuild: IndexRebuildStore = {
    begin: async () => 1,
    step: async ({ id }) => {
      ended.push(id);
      boards.splice(
        boards.findIndex((board) => board.id === id),
        1,
      );
      return null;
    },
    unfinished: async () => [...boards],
    countWaiting: async ({ id }) => waiting.get(id) ?? 0,
    onRepair: () => () => undefined,
  };
  const rebuilder = startRebuilder({ rebuild, log });
  onTestFinished(() => rebuilder.stop());
  await expect.poll(() => ended).toEqual(["second", "third"]);
  waiting.clear();
  await expect.poll(() => ended).toEqual(["second", "third", "first"]);
});
