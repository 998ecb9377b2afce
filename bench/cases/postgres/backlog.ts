import { Client } from "pg";
import type { ClaimedJob } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/postgres/store.ts";
import { computeMedian, computeQuantile, formatCount, formatDecimal } from "../../output/numbers.ts";
import type { Report } from "../../output/report.ts";

const WORKERS = 4;
const SLOTS = 16;
const PER_HOST = 8;
const CONNECTIONS = 8;
/** Claims of each worker that are not timed. */
const WARM_UP = 8;
/** A worker claims again when this share of its slots is free. */
const FREE_SHARE = 1 / 8;
/** Targets: the time of a claim, and the rate with many businesses as a share of that with one. */
const MAX_CLAIM_MS = 5;
const MIN_SHARE = 0.8;

type Backlog = {
  readonly businesses: number;
  readonly boards: number;
  readonly links: number;
  readonly rounds: number;
  readonly seconds: number;
};

type Measurement = Backlog & {
  readonly linksPerSecond: number;
  /** Milliseconds of each claim, sorted. */
  readonly claimMs: readonly number[];
};

/** The rows of boards with waiting links. Each board has a host of its own. */
const ROWS = `
  INSERT INTO business (id, name, created_at) SELECT DISTINCT business, business, 1 FROM place;
  INSERT INTO board (number, business_id, id, name, slug, is_default, next_sequence, created_at, updated_at)
    SELECT number, business, board, board, board, FALSE, links, 1, 1 FROM place;
  INSERT INTO tile (business_id, id, board_id, sequence, type, status, title, title_by_hand, text_by_hand, is_indexed, source_url, sort_order,
      created_at, updated_at, extracted_text)
    SELECT business, board || '_' || n, board, n, 'WEBSITE', 'processing', 'Link', FALSE, FALSE, TRUE, 'https://' || board || '.example/' || n,
      n, 1, 1, '' FROM place, generate_series(0, links - 1) n;
  INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at)
    SELECT business_id, 'job_' || id, board_id, id, board_id || '.example', 1000 + sequence, 3, 1000 + sequence FROM tile ORDER BY sequence;
  INSERT INTO due_business (business_id, due_at) SELECT business_id, min(run_at) FROM job GROUP BY business_id;`;

/** Measures claims of a long backlog on PostgreSQL, of many businesses and of one, with the same boards and links. */
export async function measureBacklogs(serverUrl: string, isQuick: boolean): Promise<Report> {
  const boards = isQuick ? 100 : 1_000;
  const size = { boards, links: isQuick ? 50 : 500, rounds: isQuick ? 100 : 400, seconds: isQuick ? 3 : 15 };
  const many = await measureBacklog(serverUrl, { ...size, businesses: boards });
  const one = await measureBacklog(serverUrl, { ...size, businesses: 1 });
  const waiting = formatCount(boards * size.links);
  return {
    figures: [
      {
        name: "claim of a long backlog, on PostgreSQL",
        value: computeMedian(many.claimMs),
        unit: "ms",
        max: MAX_CLAIM_MS,
        detail: `${WORKERS} workers, ${waiting} waiting links of ${formatCount(boards)} businesses; 95 % within ${formatDecimal(computeQuantile(many.claimMs, 0.95))}`,
      },
      {
        name: "links of many businesses, on PostgreSQL",
        value: many.linksPerSecond / one.linksPerSecond,
        unit: "ratio",
        min: MIN_SHARE,
        detail: `of the rate with one business: ${formatCount(many.linksPerSecond)} and ${formatCount(one.linksPerSecond)} links per second, without fetching them`,
      },
    ],
    sections: [
      {
        title: "A long backlog on PostgreSQL",
        note: `${WORKERS} workers with ${SLOTS} slots each, in one process, claim links of ${formatCount(boards)} boards and complete them without fetching. Claims are timed one after the other, the rate with all workers at the same time.`,
        columns: ["businesses", "waiting links", "links per second", "claim ms: median", "95 %", "maximum"],
        rows: [many, one].map(({ businesses, linksPerSecond, claimMs }) => [
          formatCount(businesses),
          waiting,
          formatCount(linksPerSecond),
          ...[computeMedian(claimMs), computeQuantile(claimMs, 0.95), computeQuantile(claimMs, 1)].map((ms) => formatDecimal(ms)),
        ]),
      },
    ],
  };
}

async function measureBacklog(serverUrl: string, backlog: Backlog): Promise<Measurement> {
  const name = `backlog_${backlog.businesses}`;
  await query(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const stores: Store[] = [];
  try {
    for (let n = 0; n < WORKERS; n++) stores.push(await openStore({ url: url.href, connections: CONNECTIONS }));
    const { businesses, boards, links } = backlog;
    const places = `SELECT 'biz_' || n % ${businesses} AS business, 'brd_' || n AS board, n + 1 AS number, ${links} AS links FROM generate_series(0, ${boards - 1}) n`;
    await query(url.href, `CREATE TEMP TABLE place AS ${places}; ${ROWS}`);
    const claimMs = await timeClaims(stores, backlog.rounds);
    return { ...backlog, claimMs, linksPerSecond: await measureRate(stores, backlog.seconds) };
  } finally {
    for (const store of stores) await store.close();
    await query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const RESULT = { type: "WEBSITE", title: "Title", text: "A short text.", metadata: {}, warnings: [] } as const;

const complete = (store: Store, job: ClaimedJob): Promise<boolean> => store.queue.complete(job, RESULT, Date.now());

/** Times claims of all slots of a worker, one after the other, while those of the other workers are taken. */
async function timeClaims(stores: readonly Store[], rounds: number): Promise<number[]> {
  const held: ClaimedJob[][] = stores.map(() => []);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const at = round % stores.length;
    const store = stores[at] as Store;
    await Promise.all((held[at] ?? []).map((job) => complete(store, job)));
    const started = performance.now();
    held[at] = await store.queue.claim(SLOTS, PER_HOST, Date.now());
    // The first claims prepare their statements.
    if (round >= WARM_UP * stores.length) times.push(performance.now() - started);
  }
  await Promise.all(stores.flatMap((store, at) => (held[at] ?? []).map((job) => complete(store, job))));
  return times.sort((a, b) => a - b);
}

/** Returns the links per second of workers that claim and complete jobs at the same time. */
async function measureRate(stores: readonly Store[], seconds: number): Promise<number> {
  let completed = 0;
  const started = performance.now();
  const getSeconds = (): number => (performance.now() - started) / 1_000;
  await Promise.all(
    stores.map(async (store) => {
      const running = new Set<Promise<unknown>>();
      while (getSeconds() < seconds) {
        for (const job of await store.queue.claim(SLOTS - running.size, PER_HOST, Date.now())) {
          const ending: Promise<unknown> = complete(store, job).finally(() => running.delete(ending));
          running.add(ending);
          completed++;
        }
        while (running.size > SLOTS * (1 - FREE_SHARE)) await Promise.race(running);
      }
      await Promise.all(running);
    }),
  );
  return completed / getSeconds();
}
