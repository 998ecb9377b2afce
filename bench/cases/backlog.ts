import { Client } from "pg";
import type { ClaimedJob } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/postgres/store.ts";
import { computeMedian, computeQuantile, formatCount, formatDecimal } from "../output/numbers.ts";
import type { Report } from "../output/report.ts";

const WORKERS = 4;
const SLOTS = 16;
const PER_HOST = 8;
const CONNECTIONS = 8;
/** A worker claims again when this share of its slots is free. */
const FREE_SHARE = 1 / 8;
/** Targets: the time of a claim, and the rate with many businesses as a share of that with one. */
const MAX_CLAIM_MS = 5;
const MIN_SHARE = 0.8;

type Backlog = { readonly businesses: number; readonly boards: number; readonly links: number; readonly seconds: number };

type Measurement = Backlog & {
  readonly linksPerSecond: number;
  /** Milliseconds of each claim, sorted. */
  readonly claimMs: readonly number[];
};

/** The rows of boards with waiting links. Each board has a host of its own. */
const ROWS = `
  INSERT INTO business (id, name, created_at) SELECT DISTINCT business, business, 1 FROM place;
  INSERT INTO board (business_id, id, name, slug, is_default, next_sequence, created_at, updated_at)
    SELECT business, board, board, board, FALSE, links, 1, 1 FROM place;
  INSERT INTO tile (business_id, id, board_id, sequence, type, status, title, title_by_hand, text_by_hand, is_indexed, source_url, sort_order,
      created_at, updated_at, extracted_text)
    SELECT business, board || '_' || n, board, n, 'WEBSITE', 'processing', 'Link', FALSE, FALSE, TRUE, 'https://' || board || '.example/' || n,
      n, 1, 1, '' FROM place, generate_series(0, links - 1) n;
  INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at)
    SELECT business_id, 'job_' || id, board_id, id, board_id || '.example', 1000 + sequence, 3, 1000 + sequence FROM tile ORDER BY sequence;
  INSERT INTO due_business SELECT business_id, min(run_at) FROM job GROUP BY business_id;`;

/** Measures claims of a long backlog on PostgreSQL, of many businesses and of one, with the same boards and links. */
export async function measureBacklogs(serverUrl: string, isQuick: boolean): Promise<Report> {
  const boards = isQuick ? 100 : 1_000;
  const size = { boards, links: isQuick ? 50 : 500, seconds: isQuick ? 3 : 15 };
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
        note: `${WORKERS} workers with ${SLOTS} slots each in one process claim links and complete them without fetching. ${formatCount(boards)} boards.`,
        columns: ["businesses", "waiting links", "links per second", "claims", "claim ms: median", "95 %", "maximum"],
        rows: [many, one].map(({ businesses, linksPerSecond, claimMs }) => [
          formatCount(businesses),
          waiting,
          formatCount(linksPerSecond),
          formatCount(claimMs.length),
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
    const places = `SELECT 'biz_' || n % ${businesses} AS business, 'brd_' || n AS board, ${links} AS links FROM generate_series(0, ${boards - 1}) n`;
    await query(url.href, `CREATE TEMP TABLE place AS ${places}; ${ROWS}`);
    return { ...backlog, ...(await runWorkers(stores, backlog.seconds)) };
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

async function runWorkers(stores: readonly Store[], seconds: number): Promise<Pick<Measurement, "linksPerSecond" | "claimMs">> {
  const claimMs: number[] = [];
  let claimed = 0;
  const started = performance.now();
  const getSeconds = (): number => (performance.now() - started) / 1_000;
  const onClaim = (ms: number, jobs: number): void => {
    claimMs.push(ms);
    claimed += jobs;
  };
  await Promise.all(stores.map((store) => work(store, () => getSeconds() < seconds, onClaim)));
  return { linksPerSecond: claimed / getSeconds(), claimMs: claimMs.toSorted((a, b) => a - b) };
}

/** Claims jobs as a worker does, and completes each at once. */
async function work(store: Store, mayGoOn: () => boolean, onClaim: (ms: number, jobs: number) => void): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const result = { type: "WEBSITE", title: "Title", text: "A short text.", metadata: {}, warnings: [] } as const;
  const complete = (job: ClaimedJob): void => {
    const ending: Promise<unknown> = store.queue.complete(job, result, Date.now()).finally(() => running.delete(ending));
    running.add(ending);
  };
  while (mayGoOn()) {
    const started = performance.now();
    const jobs = await store.queue.claim(SLOTS - running.size, PER_HOST, Date.now());
    onClaim(performance.now() - started, jobs.length);
    for (const job of jobs) complete(job);
    while (running.size > SLOTS * (1 - FREE_SHARE)) await Promise.race(running);
  }
  await Promise.all(running);
}
