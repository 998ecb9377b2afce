import { createHash } from "node:crypto";
import type { Store } from "#domain/store.ts";
import { toUtcDay } from "#domain/model/usage.ts";
import { TERMS } from "../../contract/search/model.ts";
import { createEmbedding } from "../../contract/search/binary-embedding.ts";
import { addText } from "../../contract/store-context.ts";
import { authorizeOn, linkTile, T0 } from "../../support/boards.ts";
import { idempotencyRecord, LATER } from "./filled.ts";

/** The boards of a business with everything on them. */
async function readContent(store: Store, businessId: string): Promise<unknown> {
  const boards = await store.boards.list(businessId);
  const contents = [];
  for (const board of boards) {
    const scope = authorizeOn(board);
    const lists = [];
    for (const order of ["asc", "desc", "position", "updated"] as const)
      lists.push((await store.tiles.list(scope, { order, withText: true }, null, 1_000, 100_000_000)).tiles);
    const tiles = [];
    for (const { id } of lists[0] ?? []) tiles.push(await store.tiles.find(businessId, id));
    const found = await store.search.postings(businessId, board.id, TERMS);
    const postings = TERMS.map((term) => found.get(term));
    const documents = [...new Set(postings.flatMap((list) => list ?? []).map(({ document }) => document))].sort((a, b) => a - b);
    contents.push({
      board,
      zones: await store.zones.list(scope, null, null),
      lists,
      tiles,
      postings,
      statistics: await store.search.statistics(businessId, board.id),
      chunks: await store.search.connectedChunks(businessId, board.id, documents),
      near: await store.vectors.nearest(businessId, board.id, createEmbedding("anything"), 50, "model-a"),
      embeddings: (await store.vectors.embeddings(businessId, board.id, documents)).map(({ document, passage, sentences }) =>
        [document, Buffer.from(passage).toString("hex"), Buffer.from(sentences).toString("hex")].join(" "),
      ),
      pending: await store.search.pendingConnected(businessId, board.id, 10_000_000),
      generations: await Promise.all([0, 1, 2, 3].map((i) => store.generations.find(businessId, `gen_${i}_${board.id}`))),
      idea: await store.generations.findIdea(board, `ide_${board.id}`),
    });
  }
  return contents;
}

/** Everything the ports return about the store, and then what they do: a replay, claims, a new tile, a new delivery. */
export async function readStore(store: Store): Promise<unknown> {
  const contents = [];
  for (const { id, name } of await store.boards.businesses()) {
    const hashes = ["all", "one", "old"].map((word) => `${id} ${word}`);
    contents.push({
      id,
      name,
      content: await readContent(store, id),
      keys: await store.apiKeys.list(id),
      addresses: await store.inboundAddresses.list(id),
      usage: await store.usage.totals(id, { from: toUtcDay(T0), before: toUtcDay(T0) + 2 }),
      found: await Promise.all(hashes.map((hash) => store.apiKeys.findByHash(hash))),
      people: [
        await store.people.findLogin(`ada@${id}.example`),
        await store.people.findSession(`${id} session`),
        await store.people.findInvitation(`${id} invitation`),
      ],
      webhook: await store.webhooks.find(id),
      deliveries: await store.webhooks.deliveries(id, 100),
      subscriptions: await store.subscriptions.list(id, null),
      changes: await store.feed.read(id, { boardId: null, events: null, after: null, limit: 100 }),
      audit: (await store.auditPage(id, 100, null)).entries,
    });
  }
  return { contents, counts: await store.tiles.counts(), results: await runStore(store) };
}

/** What the store does after the transfer: recovery, claims, a replay, an upsert, a new tile, a delivery and a new board. */
async function runStore(store: Store): Promise<unknown> {
  const results = [];
  await store.queue.recover(LATER);
  await store.webhooks.recover(LATER);
  while ((await store.feed.sequence(LATER)).hasMore);
  results.push(await store.generations.expire(LATER));
  const jobs = await store.queue.claim(100, 100, LATER + 1);
  results.push(jobs.map((job) => ({ ...job, id: null, lease: null })).sort((a, b) => (a.tileId < b.tileId ? -1 : 1)));
  const uploads = jobs.filter(({ file }) => file !== null).sort((a, b) => (a.tileId < b.tileId ? -1 : 1));
  for (const { businessId, tileId } of uploads)
    results.push(
      createHash("sha256")
        .update((await store.files.read(businessId, tileId))!)
        .digest("hex"),
    );
  const refreshes = await store.tiles.takeDueRefreshes(9, LATER + 100 * 60_000);
  results.push([...refreshes].sort((a, b) => (a.tileId < b.tileId ? -1 : 1)));
  const deliveries = await store.webhooks.claim(100, 100, 1_000, LATER);
  for (const { id } of await store.boards.businesses()) {
    const [board] = await store.boards.list(id);
    const scope = authorizeOn(board!);
    // Jobs without an attempt are claimed in order of creation.
    results.push(jobs.flatMap((job) => (job.businessId === id && job.attempt === 1 && job.maxAttempts === 3 ? [job.host] : [])));
    results.push(deliveries.flatMap(({ businessId, payload }) => (businessId === id ? [payload] : [])));
    results.push(await store.tiles.create(scope, linkTile("https://remembered.example/"), LATER, idempotencyRecord(id, "k 🔁")));
    const upsert = { id: "til_never", externalId: "sync-1" };
    const synced = await addText({ store, scope }, "Synced", upsert, LATER);
    const fresh = await addText({ store, scope }, "Fresh", { id: `til_fresh_${id}` }, LATER);
    results.push(synced, fresh);
    const webhook = (await store.webhooks.find(id))!;
    const test = { id: `dlv_${id}`, businessId: id, webhookId: webhook.id, event: "test", url: webhook.url, payload: "{}", createdAt: T0 };
    await store.webhooks.record(test, "operator");
    results.push((await store.webhooks.deliveries(id, 100)).map(({ payload, status, error }) => ({ payload, status, error })));
    results.push(
      (await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles.map(({ id, status, error }) => [
        id,
        status,
        error,
      ]),
    );
    await store.boards.create(
      { actor: scope.actor, target: { id, name: "", createdAt: 0 } } as never,
      { id: `brd_new_${id}`, name: "New", slug: "gone" },
      LATER,
    );
    results.push(
      (await store.boards.list(id)).map(({ slug }) => slug),
      (await store.auditPage(id, 3, null)).entries.map(({ action }) => action),
    );
  }
  return results;
}
