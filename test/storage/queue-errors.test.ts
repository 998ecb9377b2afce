import { describe, expect, it } from "vitest";
import { LEASE_MS } from "#domain/content/job.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { createQueue } from "#storage/sql/queue/queue.ts";
import { newJob, seedBusiness, T0 } from "../support/boards.ts";
import { addLink } from "../contract/store-context.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const NOTIFIER = { workers: new Set<never>(), senders: new Set<never>(), notifyWorkers: () => {}, notifySenders: () => {} };

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
] as const)("errors about single jobs on %s", (_name, open) => {
  /** A queue that cannot store the next `broken.times` outcomes. */
  const start = async () => {
    const { store, driver } = await open();
    const context = { store, ...(await seedBusiness(store)) };
    const broken = { times: 0 };
    const writeTogether: Driver["writeTogether"] = (boardId, unit) =>
      broken.times-- > 0 ? Promise.reject(new Error("The row is damaged.")) : driver.writeTogether(boardId, unit);
    return { ...context, broken, queue: createQueue({ ...driver, writeTogether }, NOTIFIER) };
  };

  it("a claim starts the other jobs if a lost job cannot be failed, and the next claim throws the error", async () => {
    const { queue, broken, business, ...context } = await start();
    const lost = await addLink(context, "https://lost.example/", { job: newJob("lost.example", { maxAttempts: 1 }) });
    expect(await queue.claim(1, 9, T0)).toHaveLength(1);
    const later = T0 + LEASE_MS + 1;
    await addLink(context, "https://waiting.example/", {}, later);
    broken.times = 1;
    expect(await queue.claim(9, 9, later)).toMatchObject([{ host: "waiting.example", attempt: 1 }]);
    await expect(queue.claim(9, 9, later)).rejects.toThrow("The row is damaged.");
    expect(await queue.claim(9, 9, later)).toEqual([]);
    await queue.claim(9, 9, later + LEASE_MS + 1);
    expect(await context.store.tiles.find(business.id, lost.id)).toMatchObject({ status: "failed", error: { code: "worker_lost" } });
  });

  it("a claim throws the error of a lost job that cannot be failed if there are no other jobs", async () => {
    const { queue, broken, ...context } = await start();
    await addLink(context, "https://lost.example/", { job: newJob("lost.example", { maxAttempts: 1 }) });
    await queue.claim(1, 9, T0);
    broken.times = 1;
    await expect(queue.claim(9, 9, T0 + LEASE_MS + 1)).rejects.toThrow("The row is damaged.");
  });

  it("jobs return to the queue although one of them cannot, and the error is thrown", async () => {
    const { queue, broken, ...context } = await start();
    for (const host of ["one.example", "two.example", "three.example"]) await addLink(context, `https://${host}/`);
    const jobs = await queue.claim(9, 9, T0);
    broken.times = 1;
    await expect(queue.release(jobs, T0 + 1)).rejects.toThrow("The row is damaged.");
    expect((await queue.claim(9, 9, T0 + 1)).map(({ id }) => id)).toEqual(jobs.slice(1).map(({ id }) => id));
  });
});
