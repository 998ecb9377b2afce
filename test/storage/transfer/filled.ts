import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LEASE_MS } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { TileCreation } from "#domain/content/tile-store.ts";
import { toUtcDay } from "#domain/model/usage.ts";
import type { DeliveryOutcome } from "#domain/events/delivery.ts";
import type { Zone } from "#domain/content/zone.ts";
import { openStore as openPostgres } from "#storage/postgres/store.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { openStore as openSqlite } from "#storage/sqlite/store.ts";
import { analyseWords } from "../../contract/search/model.ts";
import { embedded } from "../../contract/search/binary-embedding.ts";
import { addLink, addText, type StoreContext } from "../../contract/store-context.ts";
import {
  addBoard,
  ingested,
  linkTile,
  getCreated,
  getCreatedTile,
  newSubscription,
  newWebhook,
  newZone,
  seedBusiness,
  T0,
  newJob,
  textTile,
} from "../../support/boards.ts";
import { newFolder } from "../folder.ts";

/** The time after all writes; every lease has expired by then. */
export const LATER = T0 + 10 * LEASE_MS;
const SENT: DeliveryOutcome = { ok: true, responseStatus: 204, responseStart: "", error: null, durationMs: 12 };
const REFUSED: DeliveryOutcome = { ok: false, responseStatus: 500, responseStart: "Oops 🌊", error: "It answered 500.", durationMs: 3 };
const SEGMENTS = [{ start: 0, end: 3, seconds: 12.5 }];
const LOST = { code: "timeout", message: "It took too long.", stage: "fetch", retryable: true, attempts: 1 } as const;

export const idempotencyRecord = (businessId: string, key: string): IdempotencyRecord<TileCreation> => ({
  businessId,
  apiKeyId: "key_1",
  path: "/tiles",
  key,
  requestHash: `hash of ${key}`,
  expiresAt: LATER + 1_000_000,
  render: ({ tile }) => JSON.stringify({ id: tile!.id }),
});

/** Jobs that wait, were attempted, are leased, were released, and have no attempt left. */
async function fillJobs(context: Pick<StoreContext, "store" | "scope">): Promise<void> {
  const { store, scope } = context;
  const link = (name: string, now: number) => addLink(context, `https://${name}.example/doc`, {}, now);
  for (const [i, name] of ["tried", "spent", "back", "done", "gone"].entries()) await link(name, T0 + i);
  const claimed = new Map((await store.queue.claim(9, 9, T0 + 10)).map((job) => [job.host, job]));
  const getJob = (name: string) => claimed.get(`${name}.example`)!;
  await store.queue.retryLater(getJob("tried"), LOST, LATER - 5, T0 + 11);
  await store.queue.complete(getJob("done"), ingested("Its text 🎉", { metadata: { author: "A. Writer" }, segments: SEGMENTS }), T0 + 12);
  await store.tiles.update(scope, getJob("done").tileId, { refreshMinutes: 90 }, T0 + 12);
  const file = { name: "plan 🧪.pdf", mediaType: "application/pdf" };
  const upload = { ...linkTile("https://none.example/"), sourceUrl: null, rawContent: file.name, file, job: newJob("upload") };
  getCreatedTile(await store.tiles.create(scope, upload, LATER));
  for (let part = 0; part < 3; part++)
    await store.files.append(
      scope.target.businessId,
      upload.id,
      part,
      Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7 + part) % 256),
      T0,
    );
  await store.queue.fail(getJob("gone"), { ...LOST, retryable: false }, T0 + 13);
  await store.queue.release([getJob("back")], T0 + 14);
  for (let attempt = 2; attempt <= 3; attempt++) {
    const due = T0 + attempt * (LEASE_MS + 100);
    for (const job of await store.queue.claim(9, 9, due)) if (job.host === "back.example") await store.queue.release([job], due);
  }
  await link("held", T0 + 4 * LEASE_MS);
  await store.queue.claim(1, 1, T0 + 4 * LEASE_MS + 1);
  for (let i = 0; i < 5; i++) await link(`waits-${i}`, T0 + 5 * LEASE_MS + i);
  await store.tiles.create(scope, linkTile("https://once.example/", { job: newJob("once.example", { maxAttempts: 1 }) }), LATER);
}

async function fillDeliveries(store: Store, businessId: string): Promise<void> {
  const webhook = newWebhook(businessId, { sealedPrevious: "sealed before", previousUntil: LATER, events: ["tile.ready", "tile.failed"] });
  await store.webhooks.put(webhook, "operator");
  // With equal times, so that only the order of recording distinguishes them.
  for (let i = 0; i < 12; i++) {
    const delivery = { id: newId("dlv", T0), businessId, webhookId: webhook.id, event: "tile.ready", url: webhook.url, createdAt: T0 };
    await store.webhooks.record({ ...delivery, payload: JSON.stringify({ place: i, title: "Tide 🌊" }) }, "operator");
  }
  const [first, second] = await store.webhooks.claim(4, 9, 1_000, T0 + 1);
  await store.webhooks.recordOutcome(first!, '{"sent":1}', T0 + 2, SENT);
  await store.webhooks.recordOutcome(second!, '{"sent":2}', T0 + 3, REFUSED);
}

async function fillSubscriptions({ store, scope, business, board }: Omit<StoreContext, "manage">): Promise<void> {
  const draft = newSubscription(business.id, {
    boardId: board.id,
    tags: ["tide"],
    properties: { a: ["1"] },
    description: "n8n 🌊",
    keyId: "key_all",
  });
  await store.subscriptions.create({ ...draft, id: `sub_${business.id}` }, "operator");
  await store.tiles.create(scope, textTile("Told to a subscription"), T0);
  await store.feed.sequence(T0 + 1);
}

/** Addresses of a board and of a zone, of which one checks signatures. */
async function fillInboundAddresses({ store, scope, business }: Omit<StoreContext, "manage">): Promise<void> {
  const draft = { name: "GitHub 🌊", zoneId: null, tags: ["tide", "é"], signature: null, sealedSecret: null, createdAt: T0 } as const;
  const signature = { header: "x-signature", encoding: "hex", prefix: "sha256=" } as const;
  await store.inboundAddresses.create(scope, { ...draft, id: "iba_open", hash: `${business.id} open` });
  await store.inboundAddresses.create(scope, {
    ...draft,
    id: "iba_signed",
    hash: `${business.id} signed`,
    signature,
    sealedSecret: "sealed",
    zoneId: "zon_apart",
    createdAt: T0 + 1,
  });
  await store.inboundAddresses.touch(new Map([[`${business.id} iba_open`, T0 + 2]]));
}

async function fillKeys(store: Store, businessId: string, boardId: string): Promise<void> {
  const key = { businessId, prefix: "tsr_abcd", createdBy: "operator", createdAt: T0, expiresAt: null, boardId: null } as const;
  await store.apiKeys.create({ ...key, id: "key_all", name: "All 🔑", hash: `${businessId} all`, permission: "write" });
  await store.apiKeys.create({
    ...key,
    id: "key_one",
    name: "One",
    hash: `${businessId} one`,
    permission: "ask",
    boardId,
    expiresAt: LATER,
    budget: 3_000_000_000,
  });
  for (const [i, endpoint] of (["ask", "idea", "ask"] as const).entries())
    await store.usage.add({ businessId, keyId: "key_one", day: toUtcDay(T0) + i, endpoint, usage: { input: 2_500_000_000, output: i } });
  await store.apiKeys.create({ ...key, id: "key_old", name: "Old", hash: `${businessId} old`, permission: "read" });
  await store.apiKeys.revoke(businessId, "key_old", "operator", T0 + 7);
  await store.apiKeys.touch(new Map([[`${businessId} key_all`, T0 + 8]]));
}

/** An owner with a session, an unused invitation and an unused set-up token. */
async function fillPeople({ store, manage, business }: Pick<StoreContext, "store" | "manage" | "business">): Promise<void> {
  const { id: businessId } = business;
  await store.people.createSetupToken(businessId, `${businessId} claim`, LATER);
  const draft = {
    id: "mem_ada",
    businessId,
    email: `ada@${businessId}.example`,
    role: "owner",
    password: "$scrypt$…",
    createdAt: T0,
  } as const;
  await store.people.add(manage, draft);
  const session = {
    id: "ses_ada",
    businessId,
    memberId: "mem_ada",
    agent: "A browser 🌊",
    createdAt: T0,
    lastSeenAt: T0 + 5,
    expiresAt: LATER,
  };
  await store.people.startSession({ ...session, hash: `${businessId} session` });
  const invitation = { id: "inv_bo", businessId, email: `bo@${businessId}.example`, role: "admin", createdBy: "mem_ada" } as const;
  await store.people.invite(manage, { ...invitation, hash: `${businessId} invitation`, createdAt: T0 + 6, expiresAt: LATER });
}

/** Texts of all sizes, indexed in two blocks, some deleted, some pending; a deleted zone and tile, and a disconnected zone. */
async function fillContent(context: Pick<StoreContext, "store" | "scope">): Promise<void> {
  const { store, scope } = context;
  const zones: Zone[] = [];
  for (const [i, name] of ["Plans 🧪", "Gone", "Apart"].entries()) {
    const zone = newZone(name, { color: "teal", emoji: "🧪", size: "xl", connectedToChat: name !== "Apart" });
    zones.push(getCreated(await store.zones.create(scope, zone, T0 + i)));
  }
  const inZone = (i: number) => ({ zoneId: zones[i]!.id });
  const texts = [];
  for (const [i, text] of ["1500 1", "1000 7", "300 97", "20 4"].entries())
    texts.push(await addText(context, text, i === 3 ? inZone(2) : { externalId: `note-${i}` }, T0 + i));
  await store.search.index((await store.search.pending(9, 1_000_000)).map((tile) => ({ tile, analysis: analyseWords(tile.text) })));
  await store.vectors.useModel("model-a");
  // The last indexed tile waits for its vectors.
  await store.vectors.embed(embedded((await store.vectors.unembedded(9, 1_000_000)).slice(0, -1)));
  await store.tiles.remove(scope, texts[2]!.id, T0 + 20);
  await store.tiles.update(scope, texts[0]!.id, { title: "By hand 🖐" }, T0 + 21);
  await addText(context, "Goes with its zone", inZone(1), T0 + 22);
  await store.zones.remove(scope, zones[1]!.id, T0 + 23);
  await addText(context, `Big 🌊 ${"x".repeat(1_000_000)}`, { externalId: "sync-1", metadata: { author: "A. Writer" } }, T0 + 24);
  await addText(context, 'Line\nand \u2028 "quotes" \\ and \u{1F468}\u200D\u{1F469}', { ...inZone(0), connectedToChat: false }, T0 + 25);
  await addText(context, "Labelled", { tags: ["Häfen 🌊", "two"], properties: { order: 4711, "a\nb": ["x", "y"] } }, T0 + 25);
  await store.tiles.create(
    scope,
    { ...linkTile("https://remembered.example/"), job: null },
    T0 + 26,
    idempotencyRecord(scope.target.businessId, "k 🔁"),
  );
}

/** Generations of every status; one is leased by a process that is lost by `LATER`. */
async function fillGenerations({ store, scope }: Pick<StoreContext, "store" | "scope">): Promise<void> {
  const quote = { tileId: "til_1", title: "Tides 🌊", type: "TEXT", sourceUrl: null, quote: "High", start: 0, end: 4 } as const;
  const idea = { id: `ide_${scope.target.id}`, title: "Tides", hook: "High 🌊", angle: "A", rationale: "R", citations: [quote] };
  const result = { mode: "extractive", output: null, ideas: [idea], citations: [quote], contextTokens: 4 } as const;
  for (const [i, status] of ["complete", "failed", "cancelled", "processing"].entries()) {
    const [id, lease] = [`gen_${i}_${scope.target.id}`, `lease ${i}`];
    const draft = { id, endpoint: "/api/v1/idea", assetType: null, request: { prompt: "Tides 🌊", count: 1 }, lease } as const;
    await store.generations.create(scope, draft, T0 + i);
    const held = { businessId: scope.target.businessId, boardId: scope.target.id, id, lease };
    if (status === "complete") await store.generations.complete(held, result, null, T0 + 9);
    if (status === "failed") await store.generations.fail(held, { code: "model_timeout", message: "Too slow." }, T0 + 9);
    if (status === "cancelled") await store.generations.cancel(scope, id, T0 + 9);
  }
}

type Fill = (store: Store, context: Pick<StoreContext, "store" | "scope">) => Promise<void>;

let filled: Promise<Uint8Array> | undefined;

/** A SQLite file of two businesses with rows in every table; without `more` a copy of the same file, which takes less time. */
export async function fillSqlite(more?: Fill): Promise<string> {
  if (more !== undefined) return createFilled(more);
  filled ??= createFilled(async () => {}).then((file) => readFileSync(file));
  const file = join(newFolder(), "tessera.sqlite");
  writeFileSync(file, await filled);
  return file;
}

async function createFilled(more: Fill): Promise<string> {
  const file = join(newFolder(), "tessera.sqlite");
  const store = openSqlite(file);
  try {
    for (const name of ["Harbour Lab 🏢", "Other Lab"]) {
      const { board, scope, manage, business } = await seedBusiness(store, name);
      const context = { store, scope };
      await fillDeliveries(store, business.id);
      await fillSubscriptions({ ...context, business, board });
      await fillInboundAddresses({ ...context, business, board });
      await fillContent(context);
      await fillJobs(context);
      await fillGenerations(context);
      await fillKeys(store, business.id, board.id);
      await fillPeople({ store, manage, business });
      const gone = await addBoard(store, manage, "Gone", T0 + 30);
      await addText({ store, scope: gone.scope }, "On the deleted board", {}, T0 + 31);
      await store.indexRebuild.begin(gone.board);
      await store.boards.remove(gone.scope, T0 + 32);
      await more(store, context);
    }
  } finally {
    await store.close();
  }
  // The deleted boards still have vectors of an earlier model.
  const db = new Connection(file);
  db.raw.exec("INSERT INTO vector_reset SELECT business_id, id, 1 FROM board WHERE deleted_at IS NOT NULL");
  db.close();
  return file;
}

/** Opens a copy of the file, so that reading does not change the file. */
export function openCopy(file: string): Store {
  const copy = join(newFolder(), "copy.sqlite");
  copyFileSync(file, copy);
  return openSqlite(copy);
}

/** Opens the store in a PostgreSQL database. */
export const openMoved = (url: string): Promise<Store> => openPostgres({ url, connections: 4 });
