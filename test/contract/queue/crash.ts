import { describe, expect, it } from "vitest";
import { newJob, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, withStore, type OpenStore } from "../store-context.ts";

export function describeCrashes(open: OpenStore): void {
  describe("a crash of the process", () => {
    it(
      "counts against the reported jobs, which are due at once without counting the attempt",
      withStore(open, async ({ store, scope }) => {
        await addLink({ store, scope }, "https://one.example/", { job: newJob("one.example", { maxAttempts: 1 }) });
        await addLink({ store, scope }, "https://two.example/", { job: newJob("two.example", { maxAttempts: 1 }) }, T0 + 1);
        const [one, two] = await store.queue.claim(2, 1, T0 + 1);
        expect([one, two]).toMatchObject([
          { attempt: 1, crashes: 0, isSuspect: false },
          { attempt: 1, crashes: 0, isSuspect: false },
        ]);
        expect(await store.queue.recordCrash([one!], T0 + 2, true)).toEqual(new Set());
        const again = await store.queue.claim(9, 9, T0 + 2);
        expect(again).toMatchObject([
          { id: one!.id, url: "https://one.example/", attempt: 1, maxAttempts: 1, crashes: 1, isSuspect: false },
        ]);
        // The former holder has lost its lease, and the other job is unchanged.
        expect(await store.queue.fail(one!, { code: "e", message: "m", stage: "s", retryable: false, attempts: 1 }, T0 + 3)).toBe(false);
        expect(await store.queue.renew([two!], T0 + 3)).toEqual(new Set([two!.id]));
      }),
    );

    it(
      "fails the tile permanently the second time, with code, message and event",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        for (const [crashes, failed] of [
          [0, 0],
          [1, 1],
        ]) {
          const [job] = await store.queue.claim(1, 1, T0 + 1);
          expect(job).toMatchObject({ tileId: tile.id, crashes });
          expect([...(await store.queue.recordCrash([job!], T0 + 1, true))]).toEqual(failed === 1 ? [job!.id] : []);
        }
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
          status: "failed",
          error: { code: "worker_crashed", message: expect.stringMatching(/^[A-Z].*paste.*\.$/i), stage: "worker", retryable: false },
        });
        expect(await store.queue.nextDue()).toBeNull();
      }),
    );

    it(
      "stays counted when the job is released or retried later, and is reset by a manual retry",
      withStore(open, async ({ store, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        const claim = async () => (await store.queue.claim(1, 1, T0 + 1))[0]!;
        await store.queue.recordCrash([await claim()], T0 + 1, false);
        await store.queue.release([await claim()], T0 + 1);
        const job = await claim();
        expect(job).toMatchObject({ crashes: 1, isSuspect: true, attempt: 1 });
        const error = { code: "e", message: "m", stage: "s", retryable: true, attempts: 1 };
        await store.queue.retryLater(job, error, T0 + 1, T0 + 1);
        const later = await claim();
        expect(later).toMatchObject({ crashes: 1, isSuspect: true, attempt: 2 });
        await store.queue.fail(later, error, T0 + 1);
        await store.tiles.retry(scope, tile.id, newJob(), T0 + 1);
        expect(await claim()).toMatchObject({ crashes: 0, isSuspect: false, attempt: 1 });
      }),
    );

    it(
      "leaves a job suspect that is claimed again while several businesses have jobs",
      withStore(open, async ({ store, scope }) => {
        const other = await seedBusiness(store, "Other Lab");
        const tile = await addLink({ store, scope }, "https://one.example/");
        await store.queue.recordCrash(await store.queue.claim(1, 1, T0 + 1), T0 + 1, false);
        await addLink({ store, scope: other.scope }, "https://two.example/", {}, T0 + 2);
        const jobs = await store.queue.claim(2, 1, T0 + 2);
        expect(jobs.find(({ tileId }) => tileId === tile.id)).toMatchObject({ crashes: 1, isSuspect: true });
      }),
    );

    it(
      "does not change a job whose lease was lost or that was completed",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        const [job] = await store.queue.claim(1, 1, T0 + 1);
        await store.queue.complete(job!, { type: "WEBSITE", title: null, text: "Words", metadata: {}, warnings: [] }, T0 + 1);
        expect(await store.queue.recordCrash([{ ...job!, crashes: 1 }], T0 + 2, true)).toEqual(new Set());
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "ready", error: null });
      }),
    );
  });
}
