import { startPostgres } from "../../../test/support/postgres/server.ts";
import { type MeasuredServer, compare, responsesPerCpuSecond, responsesPerSecond, computeRatio, buildSection } from "../../load/compare.ts";
import { formatCount, formatDecimal, computeMedian, formatSpread, computeSpread } from "../../output/numbers.ts";
import type { Figure, Report, Section } from "../../output/report.ts";
import type { BenchContext } from "../../context.ts";
import { waitForIndex } from "../../servers/service.ts";
import { type Fixture, startFixture } from "../../servers/fixture.ts";
import { measureStorageSize } from "./storage-size.ts";
import { measureBacklogs } from "./backlog.ts";
import { type JobMeasurements, measureJobs } from "./jobs.ts";
import { type Options, withLoadGenerator } from "../../load/load-context.ts";

const SQLITE = "service on SQLite";
const POSTGRES = "service on PostgreSQL";
const REQUESTS = [
  { name: "zones", title: "list zones (20)", connections: 32 },
  { name: "tiles", title: "list tiles (50 of 500 characters)", connections: 32 },
  { name: "create", title: "create tile", connections: 64 },
] as const;
/** Target: an idle worker starts a job within this time. */
const MAX_WAKE_MS = 100;
/** Timeout for indexing the created tiles. */
const INDEX_SECONDS = 120;

/** As in production: a commit is acknowledged once it is on disk. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", shared_buffers: "256MB" };

/** Compares three requests, jobs and the wake-up of a worker on PostgreSQL with the same service on SQLite, and measures a long backlog. */
export async function runPostgres(context: BenchContext, options: Options): Promise<Report> {
  const server = await startPostgres({ settings: DURABLE });
  try {
    const onPostgres = { DATABASE_URL: server.url, SECRET_KEY: "a secret key of the benchmark, of 32 characters" };
    const requests = await compareRequests(context, options, onPostgres);
    const jobs: [string, JobMeasurements][] = [
      [SQLITE, await measureJobs(context, "jobs-sqlite", {}, options.isQuick)],
      [POSTGRES, await measureJobs(context, "jobs-postgres", onPostgres, options.isQuick)],
    ];
    const backlogs = await measureBacklogs(server.url, options.isQuick);
    return {
      figures: [...requests.figures, ...buildJobFigures(jobs), ...backlogs.figures],
      sections: [...requests.sections, buildJobSection(jobs), ...backlogs.sections],
    };
  } finally {
    await server.stop();
  }
}

async function compareRequests(
  context: BenchContext,
  options: Options,
  extraEnvironment: Readonly<Record<string, string>>,
): Promise<Report> {
  const sqlite = await startFixture(context, "calls-sqlite", 0);
  const postgres = await startFixture(context, "calls-postgres", 0, extraEnvironment);
  const figures: Figure[] = [];
  const sections: Section[] = [];
  for (const { name, title, connections } of REQUESTS) {
    const toServer = (server: string, fixture: Fixture): MeasuredServer => ({
      name: server,
      port: fixture.service.port,
      pid: fixture.service.pid,
      targets: [fixture[name]],
      afterWindow: () => waitForIndex(fixture.service, 3),
    });
    const results = await withLoadGenerator(context, {}, ({ load }) =>
      compare(load, [toServer(SQLITE, sqlite), toServer(POSTGRES, postgres)], {
        rounds: options.isQuick ? 3 : 5,
        seconds: options.isQuick ? 0.6 : 1.5,
        connections,
      }),
    );
    const rates = computeSpread((results.get(POSTGRES) ?? []).map(responsesPerSecond));
    figures.push({
      name: `${title}, on PostgreSQL`,
      value: rates.median,
      unit: "per second",
      detail: `${formatCount(rates.min)}–${formatCount(rates.max)}; of the rate on SQLite: ${formatSpread(computeRatio(results, POSTGRES, SQLITE, responsesPerSecond))}, per CPU second of the service ${formatSpread(computeRatio(results, POSTGRES, SQLITE, responsesPerCpuSecond))}`,
    });
    sections.push(
      buildSection(
        `${title}, ${connections} connections, by storage`,
        results,
        "CPU seconds are those of the service, without PostgreSQL.",
      ),
    );
  }
  await waitForIndex(postgres.service, INDEX_SECONDS);
  sections.push(await measureStorageSize(extraEnvironment.DATABASE_URL ?? ""));
  await sqlite.service.stop();
  await postgres.service.stop();
  return { figures, sections };
}

function buildJobFigures(jobs: readonly [string, JobMeasurements][]): Figure[] {
  const postgres = new Map(jobs).get(POSTGRES) as JobMeasurements;
  const sqlite = new Map(jobs).get(SQLITE) as JobMeasurements;
  return [
    {
      name: "jobs, on PostgreSQL",
      value: postgres.linksPerSecond,
      unit: "per second",
      detail: `${formatCount(postgres.jobs)} links on one node, each fetched, cleaned and stored; on SQLite ${formatDecimal(sqlite.linksPerSecond)}`,
    },
    {
      name: "wake-up time of an idle worker, on PostgreSQL",
      value: computeMedian(postgres.wakeMs),
      unit: "ms",
      max: MAX_WAKE_MS,
      detail: `from the API response to the request at the origin, with API and worker in two processes: ${formatSpread(computeSpread(postgres.wakeMs))}`,
    },
  ];
}

function buildJobSection(jobs: readonly [string, JobMeasurements][]): Section {
  return {
    title: "Jobs by storage",
    columns: ["server", "links", "links per second", "wake-up ms, median (min–max)"],
    rows: jobs.map(([name, { jobs: links, linksPerSecond: rate, wakeMs }]) => [
      name,
      formatCount(links),
      formatDecimal(rate),
      formatSpread(computeSpread(wakeMs)),
    ]),
  };
}
