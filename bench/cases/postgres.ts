import { startPostgres } from "../../test/support/postgres/server.ts";
import { type Contender, compare, perCpuSecond, perSecond, ratio, sectionOf } from "../load/compare.ts";
import { count, decimal, medianOf, spread, spreadOf } from "../output/numbers.ts";
import type { Figure, Report, Section } from "../output/report.ts";
import type { Scene } from "../context.ts";
import { awaitIndex } from "../servers/service.ts";
import { type Stage, prepareStage } from "../servers/fixture.ts";
import { measureBytes } from "./storage-size.ts";
import { type JobFigures, measureJobs } from "./jobs.ts";
import { type Options, withLoad } from "./load-context.ts";

const SQLITE = "service on SQLite";
const POSTGRES = "service on PostgreSQL";
const CALLS = [
  { name: "zones", title: "list zones (20)", connections: 32 },
  { name: "tiles", title: "list tiles (50 of 500 characters)", connections: 32 },
  { name: "create", title: "create tile", connections: 64 },
] as const;
/** Workers of an idle node begin with a job within so many milliseconds. */
const MAX_WAKE_MS = 100;
/** How long the search index may take for what the calls have made. */
const INDEX_SECONDS = 120;

/** As an installation has it: what is acknowledged is on disk. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", shared_buffers: "256MB" };

/** The three calls, jobs and the wake-up of a worker on PostgreSQL, with the same service on SQLite beside, in turn. */
export async function runPostgres(scene: Scene, options: Options): Promise<Report> {
  const server = await startPostgres({ settings: DURABLE });
  try {
    const onPostgres = { DATABASE_URL: server.url, SECRET_KEY: "a secret key of the benchmark" };
    const calls = await compareCalls(scene, options, onPostgres);
    const jobs: [string, JobFigures][] = [
      [SQLITE, await measureJobs(scene, "jobs-sqlite", {}, options.isQuick)],
      [POSTGRES, await measureJobs(scene, "jobs-postgres", onPostgres, options.isQuick)],
    ];
    return { figures: [...calls.figures, ...jobFigures(jobs)], sections: [...calls.sections, jobSection(jobs)] };
  } finally {
    await server.stop();
  }
}

async function compareCalls(scene: Scene, options: Options, more: Readonly<Record<string, string>>): Promise<Report> {
  const sqlite = await prepareStage(scene, "calls-sqlite", 0);
  const postgres = await prepareStage(scene, "calls-postgres", 0, more);
  const figures: Figure[] = [];
  const sections: Section[] = [];
  for (const { name, title, connections } of CALLS) {
    const of = (server: string, stage: Stage): Contender => ({
      name: server,
      port: stage.service.port,
      pid: stage.service.pid,
      targets: [stage[name]],
      settle: () => awaitIndex(stage.service, 3),
    });
    const outcomes = await withLoad(scene, {}, ({ load }) =>
      compare(load, [of(SQLITE, sqlite), of(POSTGRES, postgres)], {
        rounds: options.isQuick ? 3 : 5,
        seconds: options.isQuick ? 0.6 : 1.5,
        connections,
      }),
    );
    const rates = spreadOf((outcomes.get(POSTGRES) ?? []).map(perSecond));
    figures.push({
      name: `${title}, on PostgreSQL`,
      value: rates.median,
      unit: "per second",
      beside: `${count(rates.min)}–${count(rates.max)}; of the rate on SQLite: ${spread(ratio(outcomes, POSTGRES, SQLITE, perSecond))}, per CPU second of the service ${spread(ratio(outcomes, POSTGRES, SQLITE, perCpuSecond))}`,
    });
    sections.push(
      sectionOf(
        `${title}, ${connections} connections, by storage`,
        outcomes,
        "The CPU seconds are the service's; PostgreSQL's own are not in them.",
      ),
    );
  }
  await awaitIndex(postgres.service, INDEX_SECONDS);
  sections.push(await measureBytes(more.DATABASE_URL ?? ""));
  await sqlite.service.stop();
  await postgres.service.stop();
  return { figures, sections };
}

function jobFigures(jobs: readonly [string, JobFigures][]): Figure[] {
  const postgres = new Map(jobs).get(POSTGRES) as JobFigures;
  const sqlite = new Map(jobs).get(SQLITE) as JobFigures;
  return [
    {
      name: "jobs, on PostgreSQL",
      value: postgres.perSecond,
      unit: "per second",
      beside: `${count(postgres.jobs)} links of one node, each fetched, cleaned and stored; on SQLite ${decimal(sqlite.perSecond)}`,
    },
    {
      name: "wake-up of an idle worker, on PostgreSQL",
      value: medianOf(postgres.wakeMs),
      unit: "ms",
      most: MAX_WAKE_MS,
      beside: `from the answer to the request at the origin, API and worker in two processes: ${spread(spreadOf(postgres.wakeMs))}`,
    },
  ];
}

function jobSection(jobs: readonly [string, JobFigures][]): Section {
  return {
    title: "Jobs by storage",
    columns: ["server", "links", "links per second", "wake-up ms, median (least–most)"],
    rows: jobs.map(([name, { jobs: links, perSecond: rate, wakeMs }]) => [name, count(links), decimal(rate), spread(spreadOf(wakeMs))]),
  };
}
