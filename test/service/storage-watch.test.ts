import { expect, test, vi } from "vitest";
import { StorageError, type StorageProblem } from "#domain/core/errors/storage-error.ts";
import { watchStorage } from "#service/background/storage-watch.ts";

const POLL_MS = 10;
const fail = (problem: StorageProblem) => new StorageError(problem, new Error("cause"));

function open(pollMs = POLL_MS) {
  const state = { problem: null as StorageError | null, probes: 0 };
  let report: (error: StorageError) => void = () => {};
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const watch = watchStorage(
    {
      async probe() {
        state.probes++;
        if (state.problem !== null) throw state.problem;
      },
      onFailure(listener) {
        report = listener;
        return () => {};
      },
    },
    log,
    pollMs,
  );
  return { state, watch, log, report: (error: StorageError) => report(error) };
}

test("an error of any call counts at once, is logged once, and ends by itself after recovery work", async () => {
  const { state, watch, log, report } = open();
  const order: string[] = [];
  watch.onRecovery(async () => void order.push(`recovered, may write: ${watch.mayWrite()}`));
  state.problem = fail("full");
  for (let n = 0; n < 3; n++) report(fail("full"));
  expect(watch.problem()).toMatchObject({ code: "storage_full" });
  expect(watch.mayWrite()).toBe(false);
  state.problem = null;
  await vi.waitFor(() => expect(watch.problem()).toBeNull(), { timeout: 10_000 });
  expect(order).toEqual(["recovered, may write: false"]);
  expect(watch.mayWrite()).toBe(true);
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(log.info).toHaveBeenCalledTimes(1);
  await watch.stop();
});

test("many checks share one probe", async () => {
  const { state, watch } = open(60_000);
  state.problem = fail("read_only");
  const found = await Promise.all(Array.from({ length: 100 }, () => watch.check()));
  expect(found.every((problem) => problem?.code === "storage_unavailable")).toBe(true);
  await watch.check();
  expect(state.probes).toBe(1);
  await watch.stop();
});

test("damage stays known when a probe does not meet it, and stops no background work", async () => {
  const { watch, report } = open(60_000);
  report(fail("damaged"));
  expect((await watch.check())?.problem).toBe("damaged");
  expect(watch.mayWrite()).toBe(true);
  await watch.stop();
});
