import { describe, expect, it } from "vitest";
import { LEASE_MS, type NewWork } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { ingested, linkTile, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, withStore, type OpenStore } from "../store-context.ts";

const FAILURE: TileError = { code: "timeout", message: "It took too long.", stage: "fetch", retryable: true, attempts: 1 };

export function describeClaims(open: OpenStore): void {
  describe("claiming jobs", () => {
    it(
      "returns the oldest first, up to the limit, each once, of all businesses",
      withStore(open, async ({ store, business, board, scope }) => {
        const other = await seedBusiness(store, "Other Lab");
        const tiles = [];
        for (let i = 0; i < 5; i++)
          tiles.push(
            await addLink({ store, scope: i === 2 ? other.scope : scope }, `https://host-${i}.example/`, {}, T0 + (i === 4 ? -5 : i)),
          );
        expect(await store.queue.claim(0, 9, T0 + 10)).toEqual([]);
        const first = await store.queue.claim(2, 9, T0 + 10);
        expect(first.map(({ tileId }) => tileId)).toEqual([tiles[4]!.id, tiles[2]!.id]);
        expect(first[0]).toMatchObject({
          businessId: business.id,
          boardId: board.id,
          url: "https://host-4.example/",
          type: "WEBSITE",
          host: "host-4.example",
          attempt: 1,
          maxAttempts: 3,
        });
        const rest = await store.queue.claim(9, 9, T0 + 10);
        expect(rest.map(({ tileId }) => tileId)).toEqual([tiles[0]!.id, tiles[1]!.id, tiles[3]!.id]);
        expect(first[1]).toMatchObject({ businessId: other.business.id, boardId: other.board.id });
        expect(await store.queue.claim(9, 9, T0 + 10)).toEqual([]);
      }),
    );

    it(
      "returns jobs of the same time in the order of creation",
      withStore(open, async ({ store, scope }) => {
        const tiles = [];
        for (let i = 0; i < 6; i++) tiles.push(await addLink({ store, scope }, `https://host-${i}.example/`));
        expect((await store.queue.claim(9, 9, T0)).map(({ tileId }) => tileId)).toEqual(tiles.map(({ id }) => id));
      }),
    );

    it(
      "never returns one job to concurrent claims",
      withStore(open, async ({ store, scope }) => {
        for (let i = 0; i < 20; i++) await addLink({ store, scope }, `https://host-${i}.example/`);
        const claims = await Promise.all(Array.from({ length: 8 }, () => store.queue.claim(4, 9, T0)));
        const jobs = claims.flat();
        expect(new Set(jobs.map(({ id }) => id)).size).toBe(20);
        expect(new Set(jobs.map(({ lease }) => lease)).size).toBe(20);
      }),
    );

    it(
      "runs at most `perHost` jobs of one host, and others overtake them",
      withStore(open, async ({ store, scope }) => {
        for (let i = 0; i < 5; i++) await addLink({ store, scope }, `https://slow.example/${i}`);
        await addLink({ store, scope }, "https://fast.example/");
        const first = await store.queue.claim(9, 2, T0);
        expect(first.map(({ host }) => host).sort()).toEqual(["fast.example", "slow.example", "slow.example"]);
        expect(await store.queue.claim(9, 2, T0)).toEqual([]);
        await store.queue.complete(first[0]!, ingested("Text"), T0 + 1);
        expect((await store.queue.claim(9, 2, T0 + 1)).map(({ url }) => url)).toEqual(["https://slow.example/2"]);
        // Jobs with an expired lease do not count as running.
        const later = await store.queue.claim(9, 2, T0 + LEASE_MS + 5);
        expect(later.map(({ host }) => host).sort()).toEqual(["fast.example", "slow.example", "slow.example"]);
      }),
    );

    it(
      "finds jobs behind any number of jobs of hosts without a free slot",
      withStore(open, async ({ store, scope }) => {
        const other = await seedBusiness(store, "Other");
        for (const host of ["busy-1", "busy-2"])
          for (let i = 0; i < 60; i++) await addLink({ store, scope }, `https://${host}.example/${i}`);
        for (let i = 0; i < 60; i++) await addLink({ store, scope: other.scope }, `https://busy-1.example/other/${i}`, {}, T0 + 1);
        expect(await store.queue.claim(1, 1, T0 + 1)).toMatchObject([{ url: "https://busy-1.example/0" }]);
        expect(await store.queue.claim(9, 1, T0 + 1)).toMatchObject([{ url: "https://busy-2.example/0" }]);
        expect(await store.queue.claim(9, 1, T0 + 1)).toEqual([]);
        for (const at of [1, 2]) await addLink({ store, scope }, `https://free.example/${at}`, {}, T0 + at);
        await addLink({ store, scope: other.scope }, "https://free.example/other", {}, T0 + 3);
        expect(await store.queue.claim(9, 1, T0 + 2)).toMatchObject([{ url: "https://free.example/1" }]);
        await addLink({ store, scope: other.scope }, "https://another.example/", {}, T0 + 3);
        expect(await store.queue.claim(0, 1, T0 + 3, 9)).toMatchObject([{ url: "https://another.example/" }]);
      }),
    );

    it(
      "finds new jobs of a business whose waiting ones were deleted",
      withStore(open, async ({ store, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        await store.tiles.remove(scope, tile.id, T0 + 1);
        expect(await store.queue.claim(9, 9, T0 + 1)).toEqual([]);
        await addLink({ store, scope }, "https://two.example/", {}, T0 + 2);
        const [job] = await store.queue.claim(9, 9, T0 + 2);
        expect(job).toMatchObject({ url: "https://two.example/" });
        await store.queue.retryLater(job!, FAILURE, T0 + 60_000, T0 + 3);
        await addLink({ store, scope }, "https://three.example/", {}, T0 + 4);
        expect(await store.queue.claim(9, 9, T0 + 4)).toMatchObject([{ url: "https://three.example/" }]);
        expect(await store.queue.claim(9, 9, T0 + 60_000)).toHaveLength(2);
      }),
    );

    it(
      "gives each slot to the business with the fewest running jobs, whatever others have waiting",
      withStore(open, async ({ store, scope }) => {
        const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
        for (let i = 0; i < 40; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
        for (let i = 0; i < 3; i++) await addLink({ store, scope: second.scope }, `https://second-${i}.example/`, {}, T0 + 1);
        await addLink({ store, scope: third.scope }, "https://third.example/", {}, T0 + 2);
        const getHosts = (jobs: readonly { readonly host: string }[]): string[] => jobs.map(({ host }) => host).sort();
        const first = await store.queue.claim(2, 1, T0 + 2);
        expect(getHosts(first)).toEqual(["many-0.example", "second-0.example"]);
        expect(getHosts(await store.queue.claim(2, 1, T0 + 2))).toEqual(["many-1.example", "third.example"]);
        expect(getHosts(await store.queue.claim(2, 1, T0 + 2))).toEqual(["many-2.example", "second-1.example"]);
        expect(getHosts(await store.queue.claim(4, 1, T0 + 2))).toEqual([
          "many-3.example",
          "many-4.example",
          "many-5.example",
          "second-2.example",
        ]);
      }),
    );

    it(
      "gives the next slot to the business whose turn was longest ago, however old the jobs of others are",
      withStore(open, async ({ store, scope }) => {
        const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
        for (let i = 0; i < 9; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
        for (const path of [1, 2]) await addLink({ store, scope: second.scope }, `https://second.example/${path}`, {}, T0 + 1);
        await addLink({ store, scope: third.scope }, "https://third.example/", {}, T0 + 2);
        const hosts: (string | undefined)[] = [];
        for (let turn = 0; turn < 6; turn++) {
          const [job] = await store.queue.claim(1, 9, T0 + 3);
          hosts.push(job?.host);
          await store.queue.complete(job!, ingested("Text"), T0 + 3);
        }
        expect(hosts).toEqual([
          ...["many-0.example", "second.example", "third.example"],
          ...["many-1.example", "second.example", "many-2.example"],
        ]);
      }),
    );

    it(
      "claims one job of each business with nothing running beyond the limit, up to the number of reserved slots",
      withStore(open, async ({ store, scope }) => {
        const others = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third"), await seedBusiness(store, "Fourth")];
        for (let i = 0; i < 40; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
        const busy = await store.queue.claim(4, 9, T0);
        expect(busy).toHaveLength(4);
        expect(await store.queue.claim(0, 9, T0, 5)).toEqual([]);
        for (const [n, other] of others.entries())
          for (const path of ["first", "second"])
            await addLink({ store, scope: other.scope }, `https://other-${n}.example/${path}`, {}, T0 + n + 1);
        const getUrls = (jobs: readonly { readonly url: string | null }[]): string[] => jobs.map(({ url }) => url ?? "").sort();
        expect(getUrls(await store.queue.claim(0, 9, T0 + 9, 2))).toEqual([
          "https://other-0.example/first",
          "https://other-1.example/first",
        ]);
        const [third] = await store.queue.claim(0, 9, T0 + 9, 2);
        expect(third?.url).toBe("https://other-2.example/first");
        expect(await store.queue.claim(0, 9, T0 + 9, 2)).toEqual([]);
        await store.queue.complete(third!, ingested("Text"), T0 + 10);
        expect(getUrls(await store.queue.claim(0, 9, T0 + 10, 2))).toEqual(["https://other-2.example/second"]);
      }),
    );

    it(
      "gives the slots of a host to its businesses in turn, whatever they have running elsewhere",
      withStore(open, async ({ store, scope }) => {
        const other = await seedBusiness(store, "Other");
        for (let i = 0; i < 20; i++) await addLink({ store, scope }, `https://shared.example/many/${i}`);
        for (let i = 0; i < 3; i++) await addLink({ store, scope: other.scope }, `https://other-${i}.example/`);
        const [many, ...elsewhere] = await store.queue.claim(9, 1, T0);
        expect([many?.host, elsewhere.length]).toEqual(["shared.example", 3]);
        for (let i = 0; i < 2; i++) await addLink({ store, scope: other.scope }, `https://shared.example/other/${i}`, {}, T0 + 1);
        const order: string[] = [];
        for (let job = many; job !== undefined && order.length < 6; [job] = await store.queue.claim(9, 1, T0 + 2)) {
          order.push(new URL(job.url ?? "").pathname);
          await store.queue.complete(job, ingested("Text"), T0 + 2);
        }
        expect(order).toEqual(["/many/0", "/other/0", "/many/1", "/other/1", "/many/2", "/many/3"]);
      }),
    );

    it(
      "returns no jobs that are not due",
      withStore(open, async ({ store, scope }) => {
        await addLink({ store, scope }, "https://one.example/", {}, T0 + 100);
        expect(await store.queue.claim(9, 9, T0 + 99)).toEqual([]);
        expect(await store.queue.nextDue()).toBe(T0 + 100);
        expect(await store.queue.claim(9, 9, T0 + 100)).toHaveLength(1);
      }),
    );
  });

  describe("the time of the next due job", () => {
    it(
      "is null without jobs, then the earliest of due times and lease expirations",
      withStore(open, async ({ store, scope }) => {
        expect(await store.queue.nextDue()).toBeNull();
        await addText({ store, scope }, "No work");
        expect(await store.queue.nextDue()).toBeNull();
        await addLink({ store, scope }, "https://late.example/", {}, T0 + 60_000);
        await addLink({ store, scope }, "https://early.example/", {}, T0 + 10);
        expect(await store.queue.nextDue()).toBe(T0 + 10);
        const [early] = await store.queue.claim(1, 1, T0 + 10);
        const expiry = (await store.queue.nextDue())!;
        expect(await store.queue.claim(1, 1, expiry - 1)).toEqual([]);
        expect(await store.queue.claim(1, 1, expiry)).toMatchObject([{ tileId: early!.tileId, attempt: 2 }]);
        expect(expiry).toBeGreaterThanOrEqual(T0 + 10 + LEASE_MS);
      }),
    );

    it(
      "includes the time of a retry",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        const [job] = await store.queue.claim(1, 1, T0);
        expect(await store.queue.retryLater(job!, FAILURE, T0 + 7_000, T0 + 1)).toBe(true);
        expect(await store.queue.nextDue()).toBe(T0 + 7_000);
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "processing", error: FAILURE });
        expect(await store.queue.claim(1, 1, T0 + 6_999)).toEqual([]);
        expect(await store.queue.claim(1, 1, T0 + 7_000)).toMatchObject([{ tileId: tile.id, attempt: 2 }]);
      }),
    );
  });

  describe("the listener of the queue", () => {
    it(
      "is called when there are jobs to claim, until it is removed",
      withStore(open, async ({ store, scope }) => {
        const claims: Promise<{ tileId: string }[]>[] = [];
        const stop = store.queue.onWork(() => claims.push(store.queue.claim(9, 9, T0)));
        const tile = await addLink({ store, scope }, "https://one.example/");
        const batched = getCreated(await store.tiles.createMany([{ scope, tile: linkTile("https://two.example/") }], T0));
        const claimed = (await Promise.all(claims)).flat().map(({ tileId }) => tileId);
        expect(claimed).toEqual([tile.id, (batched[0] as TileCreation).tile!.id]);
        stop();
        const before = claims.length;
        await addLink({ store, scope }, "https://three.example/");
        expect(claims).toHaveLength(before);
      }),
    );

    it(
      "is called for released and restored jobs",
      withStore(open, async ({ store, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        let woken = 0;
        const since = async (work: Promise<unknown>): Promise<number> => {
          const before = woken;
          await work;
          return woken - before;
        };
        store.queue.onWork(() => woken++);
        const [job] = await store.queue.claim(1, 1, T0);
        expect(await since(store.queue.release([job!], T0 + 1))).toBeGreaterThan(0);
        await store.tiles.remove(scope, tile.id, T0 + 2);
        expect(await since(store.tiles.restore(scope, tile.id, newJob(), T0 + 3))).toBeGreaterThan(0);
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        expect(await since(store.zones.update(scope, zone.id, { name: "Other" }, T0 + 4))).toBe(0);
      }),
    );

    it(
      "is called for jobs of links only, single and in batches",
      withStore(open, async ({ store, scope }) => {
        const told: NewWork[] = [];
        store.queue.onWork((work) => told.push(work));
        const jobsBy = async (items: readonly NewTile[]): Promise<number> => {
          told.length = 0;
          await store.tiles.createMany(
            items.map((tile) => ({ scope, tile })),
            T0,
          );
          return told.filter((work) => work === "jobs").length;
        };
        await addText({ store, scope }, "A note.");
        expect(told).not.toContain("jobs");
        expect(await jobsBy([textTile("One."), textTile("Two.")])).toBe(0);
        expect(await jobsBy([textTile("One."), linkTile("https://one.example/")])).toBeGreaterThan(0);
        told.length = 0;
        await addLink({ store, scope }, "https://two.example/");
        expect(told).toContain("jobs");
      }),
    );
  });
}
